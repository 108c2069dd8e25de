// Calls a function of the extension that needs no editor: node outside.mjs MODULE FUNCTION ARGUMENTS, as JSON.
const [module, name, written] = process.argv.slice(2);
const { [name]: call } = await import(module);
const said = [];
const hearing = { stop: new AbortController().signal, progress: (it) => said.push(it), line: (it) => process.stderr.write(`${it}\n`) };
const answer = await Promise.resolve(call(...JSON.parse(written), hearing)).catch((problem) => ({ failed: problem.message }));
console.log(JSON.stringify({ answer: answer ?? null, said }));
