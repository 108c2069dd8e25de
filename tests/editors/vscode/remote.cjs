// Runs inside the extension host: does there what it is sent, and answers with the result as JSON.
const http = require("node:http");
const fs = require("node:fs");
const vscode = require("vscode");

const AsyncFunction = (async () => {}).constructor;

exports.run = () =>
  new Promise((resolve) => {
    const server = http.createServer(async (request, response) => {
      response.setHeader("Connection", "close");
      let body = "";
      for await (const chunk of request) body += chunk;
      try {
        const [code, ...args] = JSON.parse(body);
        const answer = await new AsyncFunction("vscode", "args", code)(vscode, args);
        response.end(JSON.stringify(answer ?? null));
      } catch (problem) {
        response.statusCode = 500;
        response.end(String(problem.stack));
      }
      if (request.url === "/end") server.close(resolve);
    });
    const port = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, ".port").fsPath;
    server.listen(0, "127.0.0.1", () => fs.writeFileSync(port, String(server.address().port)));
  });
