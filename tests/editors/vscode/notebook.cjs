// Runs inside VS Code's extension host: a Jupyter notebook, whose Markdown cells are written in.
const assert = require("node:assert");
const vscode = require("vscode");
const { run, file, open, label, until, put, place, complete, findings, accept, applyFix, runAll } = require("./host.cjs");

const NAME = "analysis.ipynb";
const code = (it) => it.code.value ?? it.code;
const written = async (name) => new TextDecoder().decode(await vscode.workspace.fs.readFile(file(name)));

async function shown() {
  const notebook = await vscode.workspace.openNotebookDocument(file(NAME));
  await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(1, 2)] });
  return notebook;
}

/** The cell in which an author writes. */
const cellOf = (notebook) => notebook.cellAt(1).document;

/** A line more in a cell, which has one at first. */
async function add(cell, line) {
  const end = cell.lineAt(cell.lineCount - 1).range.end;
  await put(cell, `\n${line}`, new vscode.Range(end, end));
}

const tests = {
  async "a notebook starts the server"() {
    const notebook = await shown();
    assert.strictEqual(notebook.notebookType, "jupyter-notebook");
    assert.strictEqual(cellOf(notebook).languageId, "markdown");
    const extension = vscode.extensions.getExtension("citelsp.citelsp");
    await until(() => extension.isActive && extension.exports.client?.isRunning(), "the server");
  },
  async "completes keys in a cell by the bibliography that another one declares"() {
    const cell = cellOf(await shown());
    await add(cell, "See [@prep].");
    const found = await until(async () => (await complete(cell, "[@prep")).items[0], "an item");
    assert.strictEqual(label(found), "lamport94latex");
    await accept(cell, found);
    assert(cell.getText().endsWith("See [@lamport94latex]."), cell.getText());
  },
  async "fills a placeholder and adds the entry"() {
    const notebook = await shown();
    const cell = cellOf(notebook);
    await add(cell, "Attention suffices [@<attention is all you need>].");
    const works = async () => (await complete(cell, "[@<attention is all")).items.find((it) => it.insertText === "@vaswani2017attention");
    await accept(cell, await until(works, "works"));
    assert(cell.getText().endsWith("suffices [@vaswani2017attention]."), cell.getText());
    const library = await vscode.workspace.openTextDocument(file("références.bib"));
    await until(() => library.getText().includes("{vaswani2017attention,"), "the entry");
    assert(library.getText().startsWith("@article{knuth84literate,"));
    await library.save();
    await notebook.save();
    assert((await written(NAME)).includes("suffices [@vaswani2017attention]."));
  },
  async "reports on saving and repairs"() {
    const notebook = await shown();
    const cell = cellOf(notebook);
    await add(cell, "Unknown 😀 {cite:p}`knuth84litterate`.");
    await notebook.save();
    const found = await until(() => findings(cell).find((it) => cell.getText(it.range) === "knuth84litterate"), "a finding");
    assert.strictEqual(code(found), "undefined-citation");
    await until(async () => vscode.window.activeTextEditor?.document === cell || (await run("notebook.cell.edit")), "the cell's editor");
    await applyFix(cell, found.range, "knuth84literate");
    await until(() => cell.getText().endsWith("{cite:p}`knuth84literate`."), "the fix");
    await notebook.save();
    await until(() => findings(cell).length === 0, "no finding");
  },
  async "saving has the services asked about what cells cite"() {
    const entry = "@article{small73,\n  author = {Small, Henry},\n  title = {Co-citation in the Scientific Literature: A New Measure of the Relationship Between Two Documents},\n  journal = {Journal of the American Society for Information Science},\n  year = {1937},\n  doi = {10.1002/asi.4630240406},\n}\n\n";
    const library = await open("références.bib"); // what nobody looks at has no findings
    await put(library, entry, new vscode.Range(0, 0, 0, 0));
    await library.save();
    const notebook = await shown();
    await add(cellOf(notebook), "Measured [@small73].");
    await notebook.save();
    const found = await until(() => findings(library).find((it) => code(it) === "wrong-year"), "a finding");
    assert.match(found.message, /but 1973 according to Crossref/);
  },
  async "hovers"() {
    const cell = cellOf(await shown());
    const [hover] = await run("vscode.executeHoverProvider", cell.uri, place(cell, "[@lamp"));
    assert(hover.contents[0].value.includes("Document Preparation System"));
  },
  async "renames a key in cells and bibliography, and not in the file below them"() {
    const notebook = await shown();
    const cell = cellOf(notebook);
    const edit = await run("vscode.executeDocumentRenameProvider", cell.uri, place(cell, "[@lamp"), "lamport:1994");
    assert(!edit.entries().some(([uri]) => uri.scheme === "file" && uri.path.endsWith(NAME)));
    await vscode.workspace.applyEdit(edit);
    await vscode.workspace.saveAll();
    await notebook.save();
    assert(cell.getText().includes("See [@lamport:1994]."));
    assert((await written("références.bib")).includes("@book{lamport:1994,"));
    const cells = JSON.parse(await written(NAME)).cells.map((it) => [].concat(it.source).join(""));
    assert(cells[1].includes("See [@lamport:1994]."));
  },
  async "a cell that is added and taken away comes and goes with its findings"() {
    const notebook = await shown();
    const change = async (...edits) => {
      const edit = new vscode.WorkspaceEdit();
      edit.set(notebook.uri, edits);
      await vscode.workspace.applyEdit(edit);
    };
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, "Nobody [@nobody99].", "markdown");
    await change(vscode.NotebookEdit.insertCells(2, [added]));
    const cell = notebook.cellAt(2).document;
    await until(() => findings(cell).length === 1, "a finding");
    await change(vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(2, 3)));
    await until(() => findings(cell).length === 0, "no finding");
  },
};

exports.run = () => runAll(tests);
