// Runs inside VS Code's extension host: a manuscript in Markdown is written, checked and repaired.
const assert = require("node:assert");
const vscode = require("vscode");
const { run, file, open, label, until, put, place, complete, findings, accept, applyFix, runAll } = require("./host.cjs");

const NAME = "notes.md";
const code = (it) => it.code.value ?? it.code;

/** A line more at the end of the manuscript, which ends with a line break. */
async function write(line) {
  const document = await open(NAME);
  const end = document.lineAt(document.lineCount - 1).range.end;
  await put(document, `\n${line}\n`, new vscode.Range(end, end));
  return document;
}

const tests = {
  async "a manuscript starts the server"() {
    const document = await open(NAME);
    assert.strictEqual(document.languageId, "markdown");
    const extension = vscode.extensions.getExtension("citelsp.citelsp");
    await until(() => extension.isActive && extension.exports.client?.isRunning(), "the server");
  },
  async "completes keys by words of the title"() {
    const document = await write("See [@prep].");
    const found = await until(async () => (await complete(document, "[@prep")).items[0], "an item");
    assert.strictEqual(label(found), "lamport94latex");
    await accept(document, found);
    assert(document.getText().endsWith("See [@lamport94latex].\n"), document.getText());
  },
  async "fills a placeholder and adds the entry"() {
    const document = await write("Attention suffices [@<attention is all you need>].");
    const works = async () => (await complete(document, "[@<attention is all")).items.find((it) => it.insertText === "@vaswani2017attention");
    await accept(document, await until(works, "works"));
    assert(document.getText().endsWith("suffices [@vaswani2017attention].\n"), document.getText());
    const library = await vscode.workspace.openTextDocument(file("références.bib"));
    await until(() => library.getText().includes("{vaswani2017attention,"), "the entry");
    await library.save();
  },
  async "hovers"() {
    const document = await open(NAME);
    const [hover] = await run("vscode.executeHoverProvider", document.uri, place(document, "[@lamp"));
    assert(hover.contents[0].value.includes("Document Preparation System"));
  },
  async "reports on saving and repairs"() {
    const document = await write("Unknown 😀 [@knuth84litterate].");
    await document.save();
    const found = await until(() => findings(document).find((it) => document.getText(it.range) === "knuth84litterate"), "a finding");
    assert.strictEqual(code(found), "undefined-citation");
    await applyFix(document, found.range, "knuth84literate");
    await until(() => document.getText().endsWith("[@knuth84literate].\n"), "the fix");
    await document.save();
    await until(() => findings(document).length === 0, "no finding");
  },
  async "renames a key in manuscripts and bibliography"() {
    const document = await open(NAME);
    const edit = await run("vscode.executeDocumentRenameProvider", document.uri, place(document, "[@lamp"), "lamport:1994");
    await vscode.workspace.applyEdit(edit);
    await vscode.workspace.saveAll();
    assert(document.getText().includes("See [@lamport:1994]."), document.getText());
    const library = await vscode.workspace.openTextDocument(file("références.bib"));
    assert(library.getText().includes("@book{lamport:1994,"));
  },
};

exports.run = () => runAll(tests);
