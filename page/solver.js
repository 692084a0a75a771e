// A worker that runs CaDiCaL on one formula after another. `postMessage({cnf})` answers `{model}` or `{proof}`, the proof in LRAT.
/* global importScripts, createCadical */
importScripts("cadical.js");

const compiled = WebAssembly.compileStreaming(fetch("cadical.wasm"));

self.onmessage = async ({ data }) => {
  try {
    self.postMessage({ id: data.id, result: await solve(data.cnf) });
  } catch (error) {
    self.postMessage({ id: data.id, error: String(error) });
  }
};

async function solve(cnf) {
  const module = await compiled;
  const answer = [];
  const errors = [];
  const solver = await createCadical({
    print: (line) => answer.push(line),
    printErr: (line) => errors.push(line),
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
  solver.FS.writeFile("/formula.cnf", cnf);
  let code;
  try {
    code = solver.callMain(["/formula.cnf", "/proof.lrat", "--no-binary", "--lrat"]);
  } catch (ended) {
    code = ended.status;
  }
  if (code === 20) return { proof: solver.FS.readFile("/proof.lrat", { encoding: "utf8" }) };
  if (code !== 10) throw new Error(`the solver ended with exit code ${code}: ${errors.join(" ")}`);
  const model = [];
  for (const line of answer) {
    if (line[0] === "v") for (const word of line.slice(2).split(" ")) if (word !== "0" && word) model.push(Number(word));
  }
  return { model };
}
