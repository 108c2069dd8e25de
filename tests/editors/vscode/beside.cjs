// Runs inside VS Code's extension host, beside extensions that complete keys too.
const assert = require("node:assert");
const vscode = require("vscode");
const { run, file, open, label, until, put, place, complete, findings, runAll } = require("./host.cjs");

const OTHERS = ["efoerster.texlab", "James-Yu.latex-workshop", "quarto.quarto", "myriad-dreamin.tinymist"];
const DECLARED = {
  "paper.qmd": ["---\nbibliography: références.bib\n---\n\nSee [@lamp].\n", "[@lamp"],
  "paper.typ": ['#bibliography("références.bib")\n\nSee @lamp.\n', "@lamp"],
};

/** The keys that citelsp completes, once it is certain that it has read the document: another list of its own is there. */
const keys = async (document, words) => (await complete(document, words)).items.map(label).filter((it) => it === "lamport94latex");

async function written(name, text) {
  await vscode.workspace.fs.writeFile(file(name), new TextEncoder().encode(text));
  return open(name);
}

const tests = {
  async "the others are there"() {
    await open("main.tex");
    for (const id of OTHERS) assert(vscode.extensions.getExtension(id), id);
    const extension = vscode.extensions.getExtension("citelsp.citelsp");
    await until(() => extension.isActive && extension.exports.client?.isRunning(), "the server");
  },
  async "keys are left to them, placeholders and findings are not"() {
    const document = await open("main.tex");
    await put(document, "See \\cite{lamp}.\nSelf-attention \\cite<attention is all you need>.\nUnknown \\citep{knuth84litterate}.\n");
    await until(async () => (await complete(document, "<attention is all")).items.some((it) => label(it).includes("Attention Is All")), "works");
    assert.deepStrictEqual(await keys(document, "\\cite{lamp"), []);
    await document.save();
    await until(() => findings(document).some((it) => document.getText(it.range) === "knuth84litterate"), "a finding");
    const [hover] = await run("vscode.executeHoverProvider", document.uri, place(document, "\\citep{knuth84"));
    assert(!hover?.contents.some((it) => it.value.includes("Donald")), "their hover says what is cited");
  },
  async "in each language to its own"() {
    for (const [name, [text, words]] of Object.entries(DECLARED)) {
      const document = await written(name, text);
      await put(document, `${text}See @nobody99.\n`, new vscode.Range(0, 0, document.lineCount, 0));
      await document.save();
      await until(() => findings(document).some((it) => document.getText(it.range).includes("nobody99")), `findings in ${name}`);
      assert.deepStrictEqual(await keys(document, words), [], name);
    }
  },
  async "but not if the author says so"() {
    const settings = vscode.workspace.getConfiguration("citelsp");
    await settings.update("completion.keys", true, vscode.ConfigurationTarget.Global);
    try {
      const document = await open("main.tex");
      await until(async () => (await keys(document, "\\cite{lamp")).length, "a key");
    } finally {
      await settings.update("completion.keys", undefined, vscode.ConfigurationTarget.Global);
    }
  },
};

exports.run = () => runAll(tests);
