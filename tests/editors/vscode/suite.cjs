// Runs inside VS Code's extension host, with the extension installed and the workspace open.
const assert = require("node:assert");
const vscode = require("vscode");
const { run, pause, file, open, label, until, put, place, complete, findings, accept, applyFix, runAll } = require("./host.cjs");

const tests = {
  async "activates in 300 ms, and not for other files"() {
    const extension = vscode.extensions.getExtension("citelsp.citelsp");
    for (const language of ["plaintext", "python", "json"]) {
      const known = (await vscode.languages.getLanguages()).includes(language);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(known ? { language } : {}));
    }
    await pause(3000); // the host's own start, and time enough to be activated for these
    assert(!extension.isActive);
    const [begin, before] = [performance.now(), process.cpuUsage()];
    await extension.activate();
    const { user, system } = process.cpuUsage(before);
    const spent = (user + system) / 1000;
    console.log(`[test]   activated in ${spent.toFixed(0)} ms of CPU, ${(performance.now() - begin).toFixed(0)} ms of time`);
    assert(spent < 300, `${spent} ms`);
    await until(() => extension.exports.client?.isRunning(), "the server");
  },
  async "completes keys by words of the title"() {
    const document = await open("main.tex");
    await put(document, "See \\cite{prep}.\n");
    const found = await until(async () => (await complete(document, "\\cite{prep")).items[0], "an item");
    assert.strictEqual(label(found), "lamport94latex");
    await accept(document, found);
    assert(document.getText().includes("See \\cite{lamport94latex}."));
  },
  async "fills a placeholder and adds the entry"() {
    const document = await open("main.tex");
    await put(document, "Self-attention alone \\cite<attention is all you need>.\n");
    const list = await until(async () => {
      const found = await complete(document, "<attention is all");

      return found.items.some((it) => label(it).includes("Attention Is All")) && found;
    }, "works");
    const item = list.items[0];
    assert(label(item).includes("Attention Is All"));
    assert(/> /.test(item.documentation.value), "no evidence");
    await accept(document, item);
    assert(document.getText().includes("Self-attention alone \\cite{vaswani2017attention}."));
    const library = await vscode.workspace.openTextDocument(file("références.bib"));
    await until(() => library.getText().includes("{vaswani2017attention,"), "the entry");
    assert(library.getText().startsWith("@article{knuth84literate,"));
    await library.save();
    await document.save();
  },
  async "a document that was never saved gets its bibliography in the workspace folder"() {
    const text = "\\documentclass{article}\n\\begin{document}\nSelf-attention alone \\cite<attention is all you need>.\n\\end{document}\n";
    const document = await vscode.workspace.openTextDocument({ language: "latex", content: text });
    await vscode.window.showTextDocument(document);
    const item = await until(async () => (await complete(document, "<attention is all")).items.find((it) => label(it).includes("Attention Is All")), "works");
    await accept(document, item);
    await until(() => document.getText().includes("\\bibliography{references}\n\\end"), "its declaration");
    const library = await vscode.workspace.openTextDocument(file("references.bib"));
    await until(() => library.getText().includes("{vaswani2017attention,") && !library.isDirty, "its entry on the disk");
    for (const it of [library, document]) {
      await vscode.window.showTextDocument(it);
      await run("workbench.action.revertAndCloseActiveEditor");
    }
    await vscode.workspace.fs.delete(file("references.bib"));
  },
  async "works picked together are cited in one edit"() {
    const document = await open("main.tex");
    await put(document, "Once more, self-attention alone \\cite<attention is all you need>.\n");
    const works = () => complete(document, "more, self-attention alone \\cite<attention");
    const offered = await until(async () => (await works()).items.find((it) => it.command?.command === "citelsp.pickWorks"), "Pick works");
    const actions = await run("vscode.executeCodeActionProvider", document.uri, new vscode.Range(...Array(2).fill(place(document, "\\cite<attention"))));
    assert(actions.some((it) => it.command?.command === "citelsp.pickWorks"), actions.map((it) => it.title).join("; "));
    const before = document.getText();
    const library = await vscode.workspace.openTextDocument(file("références.bib"));
    // The list is drawn elsewhere, and nothing tells of it: accepting does nothing until it is there.
    await until(async () => {
      let open = true;
      const picked = run("citelsp.pickWorks", ...offered.command.arguments).finally(() => (open = false));
      while (open) {
        await run("workbench.action.acceptSelectedQuickOpenItem");
        await pause(100);
      }
      await picked;
      return document.getText() !== before;
    }, "a citation");
    assert.match(document.getText(), /Once more, self-attention alone \\cite\{vaswani2017attention[^}]*\}\./);
    for (const key of document.getText().match(/Once more.*\{(.*)\}/)[1].split(",")) {
      assert.strictEqual(library.getText().split(`{${key},`).length, 2, `${key} has not one entry`);
    }
    await run("workbench.action.files.revert");
    await vscode.window.showTextDocument(library);
    await run("workbench.action.files.revert");
  },
  async "a search leaves the placeholder as it is, at whatever moment it is chosen"() {
    const document = await open("main.tex");
    const editor = vscode.window.activeTextEditor;
    const library = await vscode.workspace.openTextDocument(file("références.bib"));
    const entries = library.getText();
    const saving = vscode.workspace.getConfiguration("files");
    await saving.update("autoSave", "afterDelay", vscode.ConfigurationTarget.Global);
    await saving.update("autoSaveDelay", 100, vscode.ConfigurationTarget.Global);
    await put(document, "Deep kernels \\cite<>.\n");
    const line = place(document, "Deep kernels").line;
    const written = () => document.lineAt(line).text;
    for (let round = 0; round < 24; round++) {
      const [typed, wait] = [["", "k", "ke"][round % 3], 30 * round];
      await put(document, "Deep kernels \\cite<>.", document.lineAt(line).range);
      editor.selection = new vscode.Selection(...Array(2).fill(place(document, "kernels \\cite<")));
      await run("editor.action.triggerSuggest");
      await pause(wait);
      for (const key of typed) await run("type", { text: key });
      await run("selectLastSuggestion");
      await pause(wait % 100);
      await run("acceptSelectedSuggestion");
      const kept = () => written() === `Deep kernels \\cite<${typed}>.` || /^Deep kernels \\cite\{\w+\}\.$/.test(written());
      await until(kept, `${typed}> after ${round} rounds`, 3000); // what an acceptance replaced is written again at once
      await pause(200);
      assert(kept(), `${written()} after ${round} rounds`);
      await run("hideSuggestWidget");
    }
    for (const name of ["autoSave", "autoSaveDelay"]) await saving.update(name, undefined, vscode.ConfigurationTarget.Global);
    await put(document, "", new vscode.Range(line, 0, line + 1, 0));
    await document.save();
    // A work may have been chosen, whose entry may still come: the file is put back until it stays so.
    await until(async () => {
      const after = library.getText();
      if (after !== entries) await put(library, entries, new vscode.Range(library.positionAt(0), library.positionAt(after.length)));
      await pause(1000);
      return library.getText() === entries;
    }, "its entries as before");
    await library.save();
  },
  async "reports on saving and repairs"() {
    const document = await open("main.tex");
    await put(document, "Unknown 😀 \\citep{knuth84litterate}.\n");
    await document.save();
    const found = await until(() => findings(document).find((it) => document.getText(it.range) === "knuth84litterate"), "a finding");
    assert.strictEqual(found.code.value ?? found.code, "undefined-citation");
    await applyFix(document, found.range, "knuth84literate");
    assert(document.getText().includes("\\citep{knuth84literate}.\n"));
    await document.save();
    await until(() => findings(document).length === 0, "no finding");
  },
  async "reports what the services say, and repairs after a look"() {
    const document = await open("main.tex");
    const library = await open("références.bib");
    const entry = `@article{small73,
  author = {Small, Henry},
  title = {Co-citation in the Scientific Literature: A New Measure of the Relationship Between Two Documents},
  journal = {Journal of the American Society for Information Science},
  year = {1937},
  doi = {10.1002/asi.4630240406},
}
`;
    await put(library, entry, new vscode.Range(0, 0, 0, 0));
    await put(document, "Measured \\citep{small73}.\n");
    await library.save();
    await document.save();
    const found = await until(() => findings(library).find((it) => (it.code.value ?? it.code) === "wrong-year"), "a finding");
    assert.match(found.message, /but 1973 according to Crossref/);
    const actions = await run("vscode.executeCodeActionProvider", library.uri, found.range, undefined, 20);
    const fix = actions.find((it) => it.title.includes("1973"));
    await run(fix.command.command, ...fix.command.arguments);
    assert(vscode.window.tabGroups.activeTabGroup.activeTab.input instanceof vscode.TabInputTextDiff);
    assert(library.getText().startsWith(entry), "nothing changes before it was looked at");
    await run("citelsp.acceptFix");
    assert(library.getText().startsWith(entry.replace("1937", "1973")));
    await library.save();
    await until(() => !findings(library).some((it) => (it.code.value ?? it.code) === "wrong-year"), "no such finding");
    const { exports } = vscode.extensions.getExtension("citelsp.citelsp");
    await until(async () => /2 verified/.test((await exports.execute("citelsp.overview", document.uri)).summary), "a summary");
  },
  async "fixes, lays out and sorts on saving"() {
    const untidy = "@misc{zuse, title = {Plankalkül}, howpublished = {Online}, year = 1945, doi = {https://doi.org/10.1000/z}}\n\n@misc{ada, title = {Notes}, howpublished = {Online}, year = 1843}\n";
    const ada = "@misc{ada,\n  title        = {Notes},\n  howpublished = {Online},\n  year         = 1843\n}";
    const zuse = "@misc{zuse,\n  title        = {Plankalkül},\n  howpublished = {Online},\n  year         = 1945,\n  doi          = {10.1000/z}\n}";
    const [first, second] = untidy.trim().split("\n\n");
    const settings = vscode.workspace.getConfiguration("editor");
    await vscode.workspace.fs.writeFile(file("untidy.bib"), new Uint8Array());
    const document = await open("untidy.bib");
    const saved = async (...kinds) => {
      const chosen = Object.fromEntries(kinds.map((it) => [it, "explicit"]));
      await settings.update("codeActionsOnSave", chosen, vscode.ConfigurationTarget.Global);
      // Typed, not written to the disk: VS Code would refuse to save if it read the file while that was being written.
      await put(document, untidy, new vscode.Range(0, 0, document.lineCount, 0));
      assert(await document.save(), "saved");
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(document.uri));
    };
    try {
      assert.strictEqual(await saved("source.citelsp.sort"), `${second}\n\n${first}\n`);
      assert.strictEqual(await saved("source.citelsp.format"), `${zuse.replace("10.1000", "https://doi.org/10.1000")}\n\n${ada}\n`);
      for (const kinds of [["source.citelsp.sort", "source.citelsp.format", "source.fixAll.citelsp"], ["source.citelsp", "source.fixAll"], ["source"]]) {
        assert.strictEqual(await saved(...kinds), `${ada}\n\n${zuse}\n`, kinds.join(" "));
      }
    } finally {
      await settings.update("codeActionsOnSave", undefined, vscode.ConfigurationTarget.Global); // or every later save acts
    }
    await run("workbench.action.closeActiveEditor");
    await vscode.workspace.fs.delete(file("untidy.bib"));
  },
  async "cancels a request"() {
    const slow = "@article{slow, author = {Doe, Jo}, title = {A Slow Answer}, doi = {10.1000/napping}}\n"; // which nobody answers
    await vscode.workspace.fs.writeFile(file("slow.bib"), new TextEncoder().encode(slow));
    await vscode.workspace.fs.writeFile(file("slow.md"), new TextEncoder().encode("---\nbibliography: slow.bib\n---\n\nSlow [@slow].\n"));
    const document = await open("slow.md");
    const { client } = vscode.extensions.getExtension("citelsp.citelsp").exports;
    const source = new vscode.CancellationTokenSource();
    const asked = { command: "citelsp.verify", arguments: [client.code2ProtocolConverter.asUri(document.uri)] };
    const answer = client.sendRequest("workspace/executeCommand", asked, source.token).then(() => "answered", (problem) => problem.code);
    source.cancel();
    assert.strictEqual(await answer, -32800);
    assert(client.isRunning());
  },
  async "hovers"() {
    const document = await open("main.tex");
    const [hover] = await run("vscode.executeHoverProvider", document.uri, place(document, "\\citep{knu"));
    assert(hover.contents[0].value.includes("Literate Programming"));
  },
  async "completes in Markdown"() {
    const document = await open("notes.md");
    await put(document, "\nAttention suffices [@<attention is all you need>].\n", new vscode.Range(6, 0, 6, 0));
    const found = await until(async () => (await complete(document, "[@<attention is")).items[0], "works");
    await accept(document, found);
    assert(document.getText().includes("suffices [@vaswani2017attention]."), document.getText());
    await document.save();
  },
  async "serves Quarto without another extension"() {
    const text = new TextEncoder().encode("---\nbibliography: références.bib\n---\n\nSee [@lamp].\n");
    await vscode.workspace.fs.writeFile(file("paper.qmd"), text);
    const document = await open("paper.qmd");
    assert.strictEqual(document.languageId, "quarto");
    const found = await until(async () => (await complete(document, "[@lamp")).items[0], "an item");
    assert.strictEqual(label(found), "lamport94latex");
    await vscode.workspace.fs.delete(file("paper.qmd"));
  },
  async "renames a key everywhere"() {
    const document = await open("main.tex");
    const edit = await run("vscode.executeDocumentRenameProvider", document.uri, place(document, "\\citep{knu"), "knuth1984");
    await vscode.workspace.applyEdit(edit);
    await vscode.workspace.saveAll();
    const read = async (name) => (await vscode.workspace.openTextDocument(file(name))).getText();
    assert((await read("références.bib")).includes("@article{knuth1984,"));
    assert((await read("notes.md")).includes("[@knuth1984]"));
    assert(!document.getText().includes("knuth84literate"));
  },
  async "shows a summary and the references"() {
    await open("main.tex");
    const { exports } = vscode.extensions.getExtension("citelsp.citelsp");
    const found = await exports.execute("citelsp.overview");
    assert.deepStrictEqual(found.references.map((it) => it.key).sort(), ["knuth1984", "lamport94latex", "small73", "vaswani2017attention"]);
    assert(found.references.every((it) => it.cited.length > 0));
  },
  async "shows a fix as a diff and applies it"() {
    const document = await open("main.tex");
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "% looked at first\n");
    await run("citelsp.showFix", "A comment", edit);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab.input;
    assert(input instanceof vscode.TabInputTextDiff);
    assert((await vscode.workspace.openTextDocument(input.modified)).getText().startsWith("% looked at first"));
    await run("citelsp.acceptFix");
    assert(document.getText().startsWith("% looked at first\n\\documentclass"));
    await document.save();
  },
  async "applies no fix to what has changed since it was shown"() {
    const document = await open("main.tex");
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 0), "% out of date\n");
    await run("citelsp.showFix", "A comment", edit);
    await put(document, "% meanwhile\n", new vscode.Range(0, 0, 0, 0));
    await run("citelsp.acceptFix");
    assert(document.getText().startsWith("% meanwhile"));
    assert(!document.getText().includes("% out of date"));
    await vscode.window.showTextDocument(document);
    await run("workbench.action.files.revert");
  },
  async "shows the page about a finding as a page"() {
    const document = await open("main.tex");
    await put(document, "Unknown \\citep{unknown1999}.\n");
    const found = await until(() => findings(document).find((it) => it.code?.target), "a finding with a page");
    await run("vscode.open", found.code.target);
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.strictEqual(input.viewType, "vscode.markdown.preview.editor");
    await run("workbench.action.closeActiveEditor");
    await vscode.window.showTextDocument(document);
    await run("workbench.action.files.revert");
  },
  async "passes what the user set, and nothing else"() {
    const { exports } = vscode.extensions.getExtension("citelsp.citelsp");
    const settings = vscode.workspace.getConfiguration("citelsp");
    await settings.update("inlayHints", true, vscode.ConfigurationTarget.Global);
    const document = await open("main.tex");
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    await until(async () => (await run("vscode.executeInlayHintProvider", document.uri, whole)).length, "hints");
    await settings.update("inlayHints", undefined, vscode.ConfigurationTarget.Global);
    assert(exports.client.isRunning());
  },
  async "takes no model from a workspace"() {
    const { exports } = vscode.extensions.getExtension("citelsp.citelsp");
    const written = { "citelsp.model": { base_url: "http://127.0.0.1:9", name: "theirs" }, "citelsp.model.base_url": "http://127.0.0.1:9", "citelsp.model.name": "theirs" };
    const settings = vscode.workspace.getConfiguration("citelsp");
    await settings.update("online.suggest", "off", vscode.ConfigurationTarget.Global); // so that only a model would be asked
    const document = await open("main.tex");
    await put(document, "Attention \\cite<attention>.\n");
    const asks = async () => (await complete(document, "Attention \\cite<att")).items.map(label).find((it) => it.startsWith("Ask "));
    await until(async () => (await complete(document, "Attention \\cite<att")).items.length, "works");
    await vscode.workspace.fs.createDirectory(file(".vscode"));
    await vscode.workspace.fs.writeFile(file(".vscode/settings.json"), new TextEncoder().encode(JSON.stringify(written)));
    await pause(3000); // VS Code takes notice of what it does not pass on, or not
    await exports.tellSettings();
    await pause(1000);
    assert.strictEqual(await asks(), undefined);
    await vscode.workspace.fs.delete(file(".vscode"), { recursive: true });
    await settings.update("model.baseUrl", "http://127.0.0.1:9", vscode.ConfigurationTarget.Global);
    await settings.update("model.name", "mine", vscode.ConfigurationTarget.Global);
    await until(async () => /Ask mine/.test(await asks()), "one's own model");
    for (const name of ["online.suggest", "model.baseUrl", "model.name"]) await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
    await run("workbench.action.files.revert");
  },
  async "reads what the user set by a name of 0.1"() {
    const document = await open("main.tex");
    await put(document, "See \\oldcite{prep}.\n"); // by citelsp.syntax.cite_commands
    const found = await until(async () => (await complete(document, "\\oldcite{prep")).items[0], "an item");
    assert.strictEqual(label(found), "lamport94latex");
    await vscode.window.showTextDocument(document);
    await run("workbench.action.files.revert");
  },
  async "restarts a crashed server three times, then says so"() {
    const { exports } = vscode.extensions.getExtension("citelsp.citelsp");
    const process_of = () => exports.client._serverProcess?.pid;
    for (let crash = 1; crash <= 4; crash++) {
      const before = await until(() => exports.client.isRunning() && process_of(), "a running server");
      process.kill(before, "SIGKILL");
      if (crash <= 3) await until(() => exports.client.isRunning() && process_of() && process_of() !== before, "a new one");
    }
    await until(() => !exports.client.isRunning(), "an end");
    await pause(1500);
    assert(!exports.client.isRunning());
    void run("notifications.clearAll");
    await exports.restart();
    const document = await open("main.tex");
    await until(async () => (await run("vscode.executeHoverProvider", document.uri, place(document, "\\citep{knu"))).length, "hover");
  },
};

exports.run = () => runAll(tests);
