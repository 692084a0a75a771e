// Common parts: the data, elements made from text (never from HTML), numbers as text, the colors of the page.

// the JSON of an element with base64 of gzip
function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

const data = await unpacked("data");
const column = Object.fromEntries(data.columns.map((name, number) => [name, number]));

// element("a", {href: "#x", class: "y"}, "text", child): children that are not nodes become text
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const whole = new Intl.NumberFormat("en", {maximumFractionDigits: 0, useGrouping: true});

function seconds(value) {
  if (value === null || value === undefined) return "";
  return value < 10 ? value.toFixed(3) : value < 1000 ? value.toFixed(2) : whole.format(value);
}

function count(value) {
  return value === null || value === undefined ? "" : whole.format(value);
}

function plain(value) {
  return value === null || value === undefined ? "" : String(value);
}

function mebibytes(value) {
  if (value === null || value === undefined) return "";
  const size = value / 1048576;
  return size < 100 ? size.toFixed(1) : whole.format(size);
}

function statusMark(status) {
  return element("span", {class: `status ${String(status).toLowerCase()}`}, status);
}

function solved(status) {
  return status === "SATISFIABLE" || status === "UNSATISFIABLE";
}

// -- light and dark ----------------------------------------------------------------------------------------------------

const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
const themeChoice = document.getElementById("theme");
const themeListeners = [];

function isDark() {
  return themeChoice.value ? themeChoice.value === "dark" : systemDark.matches;
}

function applyTheme() {
  if (themeChoice.value) document.documentElement.dataset.theme = themeChoice.value;
  else delete document.documentElement.dataset.theme;
  for (const listener of themeListeners) listener();
}

function remembered() {
  try {
    return localStorage.getItem("cnfgen-report-colors") ?? "";
  } catch {
    return ""; // a browser may refuse to store values for files
  }
}

themeChoice.value = ["light", "dark"].includes(remembered()) ? remembered() : "";
applyTheme();
themeChoice.addEventListener("change", () => {
  try {
    localStorage.setItem("cnfgen-report-colors", themeChoice.value);
  } catch { /* then the choice applies to this page only */ }
  applyTheme();
});
systemDark.addEventListener("change", applyTheme);
