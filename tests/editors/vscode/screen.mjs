// What a user sees, with keys and pictures: the demonstration's manuscript in a browser.
// Files are opened, places found and texts read by the extension host (remote.cjs); what a user does, keys do.
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { drive, until } from "./code_server.mjs";

const folder = process.env.CITELSP_WORKSPACE;
const { browser, page, send, host } = await drive(folder);
const command = (name, ...args) => host((vscode, name, args) => vscode.commands.executeCommand(name, ...args).then(() => null), name, args);

const press = (keys) => page.keyboard.press(keys);
const type = (words) => page.keyboard.type(words, { delay: 30 });
const suggestion = (words) => page.locator(".suggest-widget.visible .monaco-list-row", { hasText: words }).first();
const seen = (locator) => locator.waitFor({ state: "visible" });

/** Once everything has faded in. */
async function picture(name) {
  await page.evaluate(async () => {
    const ending = (it) => it.effect.getComputedTiming().endTime !== Infinity;
    await Promise.allSettled(document.getAnimations().filter(ending).map((it) => it.finished));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  await page.screenshot({ path: path.join(process.env.CITELSP_SHOTS, `${name}.png`) });
}

const read = (name) =>
  host(async (vscode, name) => {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
    return (await vscode.workspace.openTextDocument(uri)).getText();
  }, name);

/** Opens a file with the cursor behind the first mention of some words. */
async function at(name, words, how = "InCenter") {
  const act = async (vscode, name, words, how) => {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
    const editor = await vscode.window.showTextDocument(uri, { preview: false });
    const offset = editor.document.getText().indexOf(words);
    const place = editor.document.positionAt(offset + words.length);
    editor.selection = new vscode.Selection(place, place);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType[how]);
    await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    return offset >= 0;
  };
  assert(await host(act, name, words, how), `${name} lacks ${words}`);
  await seen(page.locator(".editor-instance .monaco-editor.focused").first());
}

/** The messages of all findings in a document. */
const reported = (name) =>
  host((vscode, name) => {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
    return vscode.languages.getDiagnostics(uri).map((it) => it.message);
  }, name);

/** A file of this text beside the manuscript. */
const put = (name, text) =>
  host(async (vscode, name, text) => {
    const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  }, name, text);

const mentions = () => page.locator(".wordHighlight, .wordHighlightText, .wordHighlightStrong").count();
const MENTIONS = `\\documentclass{article}
\\addbibresource{references.bib}
\\begin{document}
Passages are retrieved first \\cite{lewis2020retrieval, vaswani2017attention}.
As \\textcite[p.~3]{lewis2020retrieval} show, and others later \\parencite{thakur2021beir},
what lewis2020retrieval means in prose is no citation. See also \\cite{lewis2020retrieval}.
\\end{document}
`;
const MACROS = `@string{jacm = "Journal of the Association for Computing Machinery"}

@article{karp1975,
  author  = {Karp, Richard M.},
  title   = {Reducibility among Combinatorial Problems},
  journal = jacm,
  year    = 1975,
}
@article{cook1971,
  author  = {Cook, Stephen A.},
  title   = {The Complexity of Theorem-Proving Procedures},
  journal = jacm,
  year    = 1971,
}
`;
const STYLED = `---
title: A Survey of Retrieval
bibliography: references.bib
csl: survey.csl
---

Transformers attend to every word of a text [@vaswani2017attention], and retrieval
gives them words that they have not seen [@lewis2020retrieval].
`;
const STYLE = `<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0" default-locale="en-US">
  <info><title>Survey</title><id>survey</id><updated>2026-01-01T00:00:00+00:00</updated></info>
  <citation><layout><text variable="citation-number"/></layout></citation>
  <bibliography><layout suffix=".">
    <names variable="author"><name initialize-with="" name-as-sort-order="all" sort-separator=" "/></names>
    <text variable="title" prefix=". "/>
    <text variable="container-title" prefix=". In: "/>
    <date variable="issued" prefix="; "><date-part name="year"/></date>
    <text variable="page" prefix=": "/>
  </layout></bibliography>
</style>
`;

/** Opens the menu of fixes at the year that is wrong; findings that arrive close it: it is opened until it stays. */
async function fixes() {
  const offer = page.locator(".action-widget .monaco-list-row.action").first();
  const stays = () => offer.waitFor({ timeout: 10_000 }).then(() => true, () => false);
  await until(async () => {
    await press("Escape");
    await at("references.bib", "{2021");
    await seen(page.locator(".squiggly-warning").first());
    await press("Control+.");
    return stays();
  }, "the fixes");
}

/** The works found may come after the first list: the list is asked for until they are there. */
async function offered(words) {
  const shown = () => suggestion(words).waitFor({ timeout: 5000 }).then(() => true, () => false);
  await until(async () => {
    if (await shown()) return true;
    await press("Escape");
    await press("Control+Space");
    return shown();
  }, `${words} in the list`);
}

/** A file changed behind the scenes gets its editor, which is what can be saved, a moment later. */
const saveAll = () =>
  until(async () => {
    await host((vscode) => vscode.workspace.saveAll());
    return host((vscode) => vscode.workspace.textDocuments.every((it) => !it.isDirty));
  }, "everything saved");
const written = (name) => fs.readFileSync(path.join(folder, name), "utf8");
const running = () => host((vscode) => vscode.extensions.getExtension("citelsp.citelsp").exports?.client?.isRunning() ?? false);

const steps = {
  async "a manuscript opens and the server runs"() {
    await at("main.tex", "\\maketitle");
    await command("workbench.action.closeSidebar");
    await page.addStyleTag({ content: ".command-center { visibility: hidden }" }); // it names the tests' host
    await until(running, "the server");
  },
  async "works with evidence at a placeholder"() {
    await at("main.tex", "<reciprocal rank", "AtTop");
    await offered("Reciprocal Rank");
    const evidence = page.locator(".suggest-details blockquote").first();
    await until(async () => {
      if (await evidence.waitFor({ timeout: 5000 }).then(() => true, () => false)) return true;
      await press("Control+Space"); // shows and hides it
      return false;
    }, "evidence");
    const { x, y, width, height } = await page.locator(".suggest-details-container").first().boundingBox();
    const edge = [x + width / 2, y + height - 1];
    await page.mouse.move(...edge);
    await page.mouse.down();
    await page.mouse.move(edge[0], edge[1] + 160, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(600, 650);
    assert.match(await page.locator(".suggest-widget .monaco-list-row.focused").innerText(), /Reciprocal Rank/);
    await picture("at-work");
  },
  async "accepting writes the key and the entry, and nothing else"() {
    const [text, entries] = [written("main.tex"), written("references.bib")];
    await press("Enter");
    const meant = text.replace("\\cite<reciprocal rank fusion>", "\\cite{cormack2009reciprocal}");
    await until(async () => (await read("main.tex")) === meant, "the key");
    await until(() => written("references.bib").includes("{cormack2009reciprocal,"), "the entry on disk");
    await seen(page.locator(".statusbar-item", { hasText: "Added cormack2009reciprocal to references.bib" }).first());
    await until(async () => !(await reported("main.tex")).some((it) => it.includes("cormack2009reciprocal")), "no finding");
    await picture("added");
    await command("undo");
    await until(async () => (await read("main.tex")) === text, "the words again");
    await until(() => written("references.bib") === entries, "the bibliography as it was");
    await page.locator(".tab.dirty", { hasText: "references.bib" }).waitFor({ state: "detached" }); // nothing is left to save
    await page.locator(".statusbar-item", { hasText: "Added cormack2009reciprocal" }).waitFor({ state: "detached" });
    await picture("undone");
    await command("redo");
    await until(async () => (await read("main.tex")) === meant, "the key again");
    await until(() => written("references.bib").includes("{cormack2009reciprocal,"), "the entry again");
    await saveAll();
    assert(written("references.bib").startsWith(entries));
    assert.strictEqual(written("references.bib").split("{cormack2009reciprocal,").length, 2);
  },
  async "that nothing fits well is the first row"() {
    await at("main.tex", "glacier calving");
    await press("Control+Space");
    await seen(page.locator(".suggest-widget.visible .monaco-list-row.focused", { hasText: "Nothing fits well" }).first());
    await picture("nothing");
    await press("Escape");
  },
  async "keys while typing"() {
    await at("main.tex", "glacier calving rates>.");
    await press("Enter");
    await type("See \\parencite{cita");
    await offered("he2010context");
    await picture("completion");
    for (let i = 0; i < 4; i++) await press("Backspace");
    await type("atten");
    await offered("vaswani2017attention");
    await press("Enter");
    await until(async () => (await read("main.tex")).includes("rates>.\nSee \\parencite{vaswani2017attention}\n"), "the key");
  },
  async "a placeholder while typing"() {
    await press("End");
    await type(" and \\cite<bidirectional transformers");
    await offered("BERT");
    await press("Enter");
    await until(async () => (await read("main.tex")).includes("{vaswani2017attention} and \\cite{devlin2019bert}\n"), "the key");
    await command("undo");
    await until(async () => !(await read("main.tex")).includes("and \\cite{devlin"), "the words again");
    await at("main.tex", "See \\parencite");
    await press("Control+Shift+k");
  },
  async "works picked together, from the list of works"() {
    const [text, entries] = [await read("sections/related.tex"), await read("references.bib")];
    await at("sections/related.tex", "close together \\cite<");
    await offered("Pick works to cite together");
    await suggestion("Pick works to cite together").click();
    const row = (words) => page.locator(".quick-input-list .monaco-list-row", { hasText: words }).first();
    const box = (words) => row(words).locator("[role=checkbox], input").first();
    await seen(row("SPECTER"));
    const picked = () => Promise.all(["SPECTER", "Content-Based"].map((it) => box(it).isChecked()));
    assert.deepStrictEqual(await picked(), [true, false], "what fits");
    await picture("pick");
    for (let i = 0; i < 9 && !/focused/.test(await row("Content-Based").getAttribute("class")); i++) await press("ArrowDown");
    await press("Space");
    assert.deepStrictEqual(await picked(), [true, true]);
    await press("Enter");
    const meant = text.replace("close together \\cite<>", "close together \\cite{cohan2020specter,bhagavatula2018content}");
    await until(async () => (await read("sections/related.tex")) === meant, "both keys");
    await seen(page.locator(".statusbar-item", { hasText: "Added cohan2020specter to references.bib" }).first());
    const both = await read("references.bib");
    assert(both.startsWith(entries) && /^\s*@\w+\{cohan2020specter,/.test(both.slice(entries.length)), both.slice(entries.length));
    await command("undo");
    const across = page.locator(".monaco-dialog-box .monaco-button", { hasText: "Undo in 2 Files" }).first();
    await until(async () => {
      if (await across.isVisible()) await across.click();
      return (await read("references.bib")) === entries;
    }, "the bibliography as it was");
    await until(async () => (await read("sections/related.tex")) === text, "the words again");
    await page.locator(".statusbar-item", { hasText: "Added cohan2020specter" }).waitFor({ state: "detached" });
    await saveAll();
  },
  async "ghost text at a placeholder"() {
    await host((vscode) => vscode.workspace.getConfiguration("citelsp").update("inline.enabled", true, true));
    await at("main.tex", "\\cite<fabricated references ChatGPT");
    const ghost = page.locator(".ghost-text, .ghost-text-decoration, .inline-edit, .inlineSuggestionsHints").first();
    await until(async () => {
      await command("editor.action.inlineSuggest.trigger");
      return ghost.waitFor({ timeout: 3000 }).then(() => true, () => false);
    }, "ghost text");
    await picture("ghost");
    await press("Tab");
    await until(async () => /had been fabricated \\cite\{\w+\}\.\n/.test(await read("main.tex")), "the key");
    await host((vscode) => vscode.workspace.getConfiguration("citelsp").update("inline.enabled", undefined, true));
  },
  async "what was verified on saving"() {
    await at("main.tex", "\\section{Method}");
    await press("Control+s");
    await saveAll();
    const status = page.locator(".statusbar-item", { hasText: /needs? a look/ }).first();
    await seen(status);
    assert.match((await status.innerText()).trim(), /^(1 of \d+ needs|\d+ of \d+ need) a look$/); // in five words, whatever else was found
  },
  async "the problems panel"() {
    await at("references.bib", "{2021"); // whose findings are listed while it is open
    await at("main.tex", "\\section{Method}");
    await command("workbench.actions.view.problems");
    await seen(page.locator(".markers-panel .monaco-list-row", { hasText: /^ji2023survey: .*but 2023 according to/ }).first());
    await seen(page.locator(".markers-panel .monaco-list-row", { hasText: "liu2019roberta" }).first());
    await picture("problems");
    await command("workbench.action.closePanel");
  },
  async "the references and the status item"() {
    await at("main.tex", "\\section{Introduction}");
    await press("Home");
    await command("citelsp.references.focus");
    const row = (words) => page.locator(".pane-body .monaco-list-row", { hasText: words }).first();
    for (const words of ["To look at", "Ji et al. 2021", "Placeholders", "Vaswani"]) await seen(row(words));
    await seen(page.locator(".pane-body .codicon-verified-filled").first());
    await picture("references");
    const told = page.locator(".workbench-hover", { hasText: "Mismatch: differs in year" }).first();
    await row("Ji et al. 2021").hover();
    // The view is drawn anew when findings arrive, which takes what hovers away: as an author would, once more.
    await told.waitFor({ timeout: 20_000 }).catch(async () => (await page.mouse.move(0, 0), await row("Ji et al. 2021").hover()));
    await seen(told);
    await command("workbench.action.closeSidebar");
  },
  async "progress that can be cancelled"() {
    await host(async (vscode) => {
      const file = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
      const write = (name, text) => vscode.workspace.fs.writeFile(file(name), new TextEncoder().encode(text));
      await write("slow.bib", "@article{slow,\n  author = {Doe, Jo},\n  title = {A Slow Answer},\n  doi = {10.1000/napping},\n}\n");
      await write("slow.md", "---\nbibliography: slow.bib\n---\n\nSlow [@slow].\n");
    });
    await at("slow.md", "Slow");
    const done = command("citelsp.verifyDocument");
    await seen(page.locator(".statusbar-item", { hasText: "Checking references" }).first());
    await command("notifications.showList");
    await page.locator(".notifications-center .monaco-button", { hasText: "Cancel" }).first().click();
    await done;
    await page.locator(".statusbar-item", { hasText: "Checking references" }).first().waitFor({ state: "detached" });
    await command("notifications.clearAll");
    assert(await running());
  },
  async "a check that was asked for says what it came to"() {
    await at("main.tex", "\\section{Introduction}");
    await command("citelsp.verifyDocument");
    await seen(page.locator(".statusbar-item", { hasText: /References: \d+ verified/ }).first());
  },
  async "evidence is read beside the manuscript"() {
    await at("main.tex", "\\section{Introduction}");
    await command("citelsp.readEvidence");
    const shown = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
    await seen(shown.locator("article.current", { hasText: "1 of 6 · walters2023fabrication" }));
    await seen(shown.locator("article.current blockquote").first());
    await shown.locator("#next").click();
    await seen(shown.locator("article.current", { hasText: "2 of 6" }));
    await command("citelsp.previousCitation");
    await seen(shown.locator("article.current", { hasText: "1 of 6" }));
    await picture("evidence");
    await at("main.tex", "\\documentclass");
    await page.locator(".codelens-decoration a", { hasText: "Hide the evidence" }).first().click();
    await seen(page.locator(".codelens-decoration", { hasText: "Show evidence for" }).first());
    await page.locator(".tab", { hasText: "Evidence" }).waitFor({ state: "detached" });
    await press("F1");
    await type("citelsp: evidence");
    const named = (words) => page.locator(".quick-input-list .monaco-list-row", { hasText: words });
    await seen(named("Show Evidence for Citations").first());
    assert.equal(await named("Close the Evidence").count(), 0, "nothing is open that could be closed");
    await press("Escape");
  },
  async "a finding and its fixes"() {
    await fixes();
    await picture("fix");
  },
  async "a fix shown as a diff, then applied"() {
    const choose = () => page.locator(".action-widget .monaco-list-row.action", { hasText: "2023" }).first().click();
    const diff = page.locator(".tab.active", { hasText: "references.bib: Change year to 2023" });
    await choose();
    // Findings that arrive while the menu is open may close it before the click counts: as an author would, once more.
    await diff.waitFor({ timeout: 20_000 }).catch(async () => (await fixes(), await choose()));
    await seen(diff);
    await page.locator(".line-insert, .char-insert").first().waitFor({ state: "attached" });
    await picture("diff");
    await page.locator(".editor-actions [aria-label^='Apply This Fix']").first().click();
    await until(async () => (await read("references.bib")).includes("year    = {2023},\n  doi     = {10.1145/3571730}"), "the year");
    await page.locator(".tab", { hasText: "Change year to 2023" }).waitFor({ state: "detached" });
    await saveAll();
  },
  async "a hover"() {
    await at("main.tex", "parencite{vaswani2017att");
    await press("Control+k");
    await press("Control+i");
    await seen(page.locator(".monaco-hover", { hasText: "Attention Is All You Need" }).first());
    await picture("hover");
    await press("Escape");
  },
  async "a hover in the manuscript's own style"() {
    if (spawnSync("pandoc", ["--version"]).status !== 0) return console.log("     without pandoc, which is not installed");
    await put("survey.csl", STYLE);
    await put("survey.md", STYLED);
    await at("survey.md", "@vaswani2017att");
    const hovers = (vscode) => {
      const { document, selection } = vscode.window.activeTextEditor;
      return vscode.commands
        .executeCommand("vscode.executeHoverProvider", document.uri, selection.active)
        .then((found) => JSON.stringify(found.flatMap((it) => it.contents.map((part) => part.value ?? part))));
    };
    await until(async () => (await host(hovers)).includes("Vaswani A, Shazeer N"), "the reference in this style");
    await press("Control+k");
    await press("Control+i");
    await seen(page.locator(".monaco-hover", { hasText: "Vaswani A, Shazeer N" }).first());
    await picture("styled");
    await press("Escape");
  },
  async "every mention of a key in the document"() {
    await put("mentions.tex", MENTIONS);
    await at("mentions.tex", "cite{lewis2020");
    await until(async () => (await mentions()) >= 3, "its mentions");
    await picture("highlight");
  },
  async "the value of a macro, and who uses it"() {
    await put("macros.bib", MACROS);
    await at("macros.bib", "journal = ja");
    await press("Control+k");
    await press("Control+i");
    await seen(page.locator(".monaco-hover", { hasText: "Journal of the Association for Computing Machinery" }).first());
    await until(async () => (await mentions()) >= 3, "its uses");
    await picture("macro");
    await press("Escape");
  },
  async "names of bibliographies"() {
    await put("files.tex", "\\documentclass{article}\n\\addbibresource{}\n\\begin{document}\n\\end{document}\n");
    await at("files.tex", "addbibresource{");
    await press("Control+Space");
    await seen(suggestion("references.bib"));
    await picture("files");
    await suggestion("references.bib").click();
    await until(async () => (await read("files.tex")).includes("\\addbibresource{references.bib}\n"), "the name");
    await saveAll();
  },
  async "a key goes to the keychain and to the server, not to a file"() {
    const secret = "k-0123456789";
    const done = command("citelsp.setKey");
    const input = page.locator(".quick-input-widget input").first();
    for (const words of ["services.openalex", secret]) {
      await seen(page.locator(".quick-input-widget", { hasText: words === secret ? "keychain" : "Whose key" }).first());
      await input.fill(words);
      await press("Enter");
    }
    await done;
    const told = () =>
      host(async (vscode) => {
        const { client } = vscode.extensions.getExtension("citelsp.citelsp").exports;
        return client.clientOptions.middleware.workspace.configuration({ items: [{ section: "citelsp" }] });
      });
    await until(async () => (await told())[0].services?.openalex?.key === secret, "the key among the settings");
    const settings = fs.readFileSync(path.join(process.env.CITELSP_DATA, "User", "settings.json"), "utf8");
    assert(!settings.includes(secret));
  },
};

let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  try {
    await step();
    console.log("ok  ", name);
  } catch (problem) {
    failed++;
    console.log("FAIL", name, problem.message.split("\n").slice(0, 6).join(" | "));
    await picture(`FAIL ${name}`);
    await press("Escape");
  }
}
await send("/end", () => null).catch(() => null);
await browser.close();
process.exit(failed ? 1 : 0);
