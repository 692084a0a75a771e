/* Drives pzprjs (https://github.com/robx/pzprjs) under node: `node pzprjs.js CHECKOUT`.

Each line of the input is a request in JSON: {"open": an address or a file}. The answer is a line of JSON with "file" and "url",
what pzprjs writes for it, "pid", the genre, "variant", whether it has other rules, and "check", the code of the first broken rule
(null: the board is a solution); or "error". */
"use strict";
const fs = require("fs");
const path = require("path");
const readline = require("readline");

const root = path.resolve(process.argv[2]);
const source = (name) => fs.readFileSync(path.join(root, "src", name), "utf8");

/* pzprjs as one text, as its Gruntfile joins it. Nothing is drawn, so its canvas library is left out. */
const canvas = "module.exports = { env: { browser: false, node: true }, enable: {}, document: undefined };";
const codes = ["en", "ja"].map((language) => JSON.parse(source(`res/failcode.${language}.json`)));
const text = require(path.join(root, "src", "pzpr.js"))
	.files.map((name) => (name.includes("candle.js") ? canvas : fs.readFileSync(path.join(root, name), "utf8")))
	.join("\n")
	.replace(/<%=\s*JSON\.stringify\(langs\.failcode_(en|ja)\)\s*%>/g, (_, language) => JSON.stringify(codes[language === "en" ? 0 : 1]))
	.replace(/<%=[^%]*%>/g, "");
const library = { exports: {} };
const load = (name) => {
	const variety = /pzpr-variety\/(.*)$/.exec(name);
	return require(variety ? path.join(root, "src", "variety", variety[1]) : name);
};
new Function("module", "exports", "require", "__filename", text)(library, library.exports, load, path.join(root, "pzpr.js"));
const pzpr = library.exports;

function answer(request) {
	const puzzle = new pzpr.Puzzle();
	puzzle.open(request.open);
	if (!puzzle.pid) {
		return { error: "pzprjs opens nothing" };
	}
	const check = puzzle.check(true);
	return {
		pid: puzzle.pid,
		file: puzzle.getFileData(pzpr.parser.FILE_PZPR),
		url: puzzle.getURL(),
		check: check.complete ? null : check[0],
		variant: Object.values(puzzle.config.getVariants()).some(Boolean)
	};
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
	let found;
	try {
		found = answer(JSON.parse(line));
	} catch (error) {
		found = { error: String(error) };
	}
	process.stdout.write(JSON.stringify(found) + "\n");
});
