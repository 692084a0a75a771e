// A worker that runs the package in Pyodide. `postMessage({name, args})` answers with the result of that function of bridge.py.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = load();

async function load() {
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", self.location.href).href }),
    fetch("package.zip").then((response) => response.arrayBuffer()),
  ]);
  python.unpackArchive(archive, "zip", { extractDir: "/package" });
  python.runPython("import sys; sys.path.insert(0, '/package'); import bridge");
  return python.pyimport("bridge");
}

self.onmessage = async ({ data }) => {
  try {
    const bridge = await ready;
    const answer = JSON.parse(bridge.call(data.name, JSON.stringify(data.args)));
    self.postMessage({ id: data.id, ...answer });
  } catch (error) {
    self.postMessage({ id: data.id, error: `an error in this page: ${String(error).trim().split("\n").pop()}` });
  }
};
