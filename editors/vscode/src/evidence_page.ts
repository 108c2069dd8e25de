/** What the server's `citelsp.reading` says of a citation. */
export interface Citation {
  key: string;
  uri: string;
  range: { start: Position; end: Position };
  verdict: string;
  why_none: string; // why there are no passages, if they were looked for
  sentence: string;
  work: string;
  links: { label: string; url: string }[];
  passages: { quote: string; where: string }[];
}

export interface Position {
  line: number;
  character: number;
}

const STYLE = `
  body { padding: 0 1em 60vh; line-height: 1.45; }
  nav { position: sticky; top: 0; padding: .6em 0; background: var(--vscode-editor-background); }
  button { padding: .2em .8em; border: 0; color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
  button:hover { background: var(--vscode-button-secondaryHoverBackground); }
  article { margin: .6em 0; padding: .2em .8em .8em; border-left: 3px solid transparent; scroll-margin-top: 3em; cursor: pointer; }
  article.current { border-color: var(--vscode-focusBorder); background: var(--vscode-editor-inactiveSelectionBackground); }
  h2 { display: flex; gap: 1em; justify-content: space-between; font-size: 1em; margin: .5em 0; }
  h2 span { min-width: 0; overflow-wrap: anywhere; } h2 em { flex: none; font-weight: normal; }
  .sides { display: flex; flex-wrap: wrap; gap: 1em; } .sides > * { flex: 1 1 15em; margin: 0; }
  blockquote { margin: 0 0 .6em; padding-left: .8em; border-left: 2px solid var(--vscode-textBlockQuote-border); }
  small { color: var(--vscode-descriptionForeground); display: block; }
`;
const SCRIPT = `
  const editor = acquireVsCodeApi();
  const articles = [...document.querySelectorAll("article")];
  for (const it of document.querySelectorAll("button")) it.onclick = () => editor.postMessage({ does: it.id });
  articles.forEach((it, number) => (it.onclick = (event) => event.target.closest("a") || editor.postMessage({ does: "go", number })));
  addEventListener("message", ({ data }) => {
    articles.forEach((it, number) => it.classList.toggle("current", number === data.current));
    articles[data.current]?.scrollIntoView({ block: "start" });
  });
  editor.postMessage({ does: "ready" });
`;

/** The page on which sentences stand beside what the cited works say; nothing of it is markup that others wrote. */
export function page(title: string, citations: readonly Citation[], nonce: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${escaped(title)}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><nav><button id="previous">← Previous</button> <button id="next">Next →</button> <button id="close">Close</button></nav>
<h1>${escaped(title)}</h1>
${citations.map((it, at) => article(it, `${at + 1} of ${citations.length}`)).join("\n")}
<script nonce="${nonce}">${SCRIPT}</script></body></html>`;
}

function article({ key, verdict, why_none, sentence, work, links, passages }: Citation, number: string): string {
  const addresses = links.filter((it) => /^https?:/.test(it.url)).map((it) => `<a href="${escaped(it.url)}">${escaped(it.label)}</a>`);
  const quotes = passages.map((it) => `<blockquote>${escaped(it.quote)}<small>${escaped(it.where)}</small></blockquote>`);
  return `<article><h2><span>${number} · ${escaped(key)}</span> <em>${escaped(verdict)}</em></h2>
<div class="sides"><p>${escaped(sentence)}<small><strong>${escaped(work)}</strong> ${addresses.join(" · ")}</small></p>
<div>${quotes.join("") || `<small>${escaped(why_none)}</small>`}</div></div></article>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);
}
