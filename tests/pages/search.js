// node search.js SITE QUERY...: for each query the pages that the search of the site finds, best first, as one line of JSON.
const fs = require("fs"), path = require("path"), vm = require("vm");
const [site, ...queries] = process.argv.slice(2);
const workers = path.join(site, "assets/javascripts/workers");
const program = fs.readdirSync(workers).find(name => /^search.*\.js$/.test(name));
const listeners = [];
let answered;
Object.assign(globalThis, {
  self: globalThis,
  window: globalThis,
  addEventListener: (type, listener) => type === "message" && listeners.push(listener),
  postMessage: message => answered(message),
});
vm.runInThisContext(fs.readFileSync(path.join(workers, program), "utf8"));
const ask = (type, data) => new Promise(done => { answered = done; listeners.forEach(listener => listener({ data: { type, data } })); });
(async () => {
  const index = JSON.parse(fs.readFileSync(path.join(site, "search/search_index.json"), "utf8"));
  await ask(0, { ...index, options: {} });
  for (const query of queries) {
    const { data } = await ask(2, query);
    console.log(JSON.stringify(data.items.map(group => group[0].location)));
  }
})();
