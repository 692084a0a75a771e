// A worker that runs the package in Pyodide. `postMessage({name, args})` answers with the result of that function of bridge.py.
import { loadPyodide } from "./pyodide/pyodide.mjs";

// Pyodide only logs that its WebAssembly module cannot be loaded, and then waits forever.
const failed = new Promise((_, reject) => {
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = (...args) => {
    const module = instantiate(...args);
    module.catch(reject);
    return module;
  };
});
const ready = Promise.race([load(), failed]);

async function load() {
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", self.location.href).href }),
    fetch("package.zip").then((response) => {
      if (!response.ok) throw new Error(`package.zip: HTTP status ${response.status}`);
      return response.arrayBuffer();
    }),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: "/package" });
  python.runPython("import sys; sys.path.insert(0, '/package'); import bridge");
  return python.pyimport("bridge");
}

self.onmessage = async ({ data }) => {
  let bridge;
  try {
    bridge = await ready;
  } catch (error) {
    self.postMessage({ id: data.id, error: `Python cannot be loaded (${lastLine(error)}). Check the connection, and reload the page.` });
    return;
  }
  try {
    const answer = JSON.parse(bridge.call(data.name, JSON.stringify(data.args)));
    self.postMessage({ id: data.id, ...answer });
  } catch (error) {
    self.postMessage({ id: data.id, error: `an error in this page: ${lastLine(error)}; reload the page` });
  }
};

function lastLine(error) {
  return String(error?.message ?? error).trim().split("\n").pop();
}
