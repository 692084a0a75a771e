// Draws the plots when they become visible, in the colors of the page, and again when these change.

const specifications = await unpacked("charts");
const places = [...document.querySelectorAll("[data-plot]")];
const drawnPlots = new Map();
const LEAST_WIDTH = 300; // pixels
const LETTER = 6.2, AXIS = 70, MARK = 34, COLUMN = 16, LEAST_PLOT = 150; // pixels; see the legends of drawing.py
const MANY = 2000; // runs: more points are faster as pixels
const instanceNamed = new Map(data.instances.map((instance) => [instance.name, instance.id]));

const longest = (names) => Math.max(0, ...names.map((name) => String(name).length));

// all objects in a specification, without its rows
function* parts(value) {
  if (typeof value !== "object" || value === null) return;
  yield value;
  for (const [key, part] of Object.entries(value)) if (key !== "datasets" && key !== "data") yield* parts(part);
}

// A chart as wide as the page, or wider where a label would be cut: then its figure scrolls.
function fitted(specification, room) {
  const chart = structuredClone(specification);
  const single = ["mark", "layer"].some((key) => key in chart) && typeof chart.width !== "object";
  if (!single) return chart;
  let width = Math.max(LEAST_WIDTH, room), left = AXIS;
  const legends = [...parts(chart)].filter((part) => part.legend?.columns && part.scale?.domain);
  for (const part of legends) width = Math.max(width, AXIS + MARK + LETTER * longest(part.scale.domain));
  for (const {x, y} of parts(chart)) {
    if (y?.type !== "nominal" || !y.scale?.domain) continue;
    left = y.axis?.labels === false ? 0 : LETTER * Math.min(longest(y.scale.domain), 64);
    width = Math.max(width, left + Math.max(LEAST_PLOT, COLUMN * (x?.scale?.domain?.length ?? 0)));
  }
  for (const part of legends)
    part.legend.columns = Math.max(1, Math.min(4, Math.floor((width - AXIS) / (LETTER * longest(part.scale.domain) + MARK))));
  for (const part of parts(chart))
    if (part.legend?.gradientLength) part.legend.gradientLength = Math.min(part.legend.gradientLength, width - left - MARK);
  chart.width = width;
  chart.autosize = {type: "fit-x", contains: "padding"};
  return chart;
}

async function drawPlot(place) {
  const dark = isDark();
  const room = place.parentElement.clientWidth - 2;
  const key = `${dark} ${room}`, theme = data.themes[dark ? "dark" : "light"];
  if (drawnPlots.get(place)?.key === key) return;
  drawnPlots.get(place)?.view?.finalize();
  drawnPlots.set(place, {key});
  const result = await window.vegaEmbed(place, fitted(specifications[place.dataset.plot], room), {
    mode: "vega-lite",
    renderer: data.runs.length > MANY ? "canvas" : "svg",
    ast: true, // expressions are interpreted: the policy of the page forbids generated code
    config: theme,
    tooltip: {theme: dark ? "dark" : "light"},
    actions: false,
  });
  drawnPlots.set(place, {key, view: result});
  place.style.minHeight = "0"; // the height was a placeholder for scrolling
  result.view.addEventListener("click", (event, item) => { // a point leads to its instance
    const id = instanceNamed.get(item?.datum?.instance);
    if (id) location.hash = id;
  });
}

async function save(place, format) {
  await drawPlot(place);
  const result = drawnPlots.get(place).view;
  if (!result) return;
  const address = await result.view.toImageURL(format, format === "png" ? 2 : 1);
  element("a", {href: address, download: `${place.closest("figure").id.slice("plot-".length)}.${format}`}).click();
}

for (const place of places) {
  const heading = place.closest("figure").querySelector("h3");
  const buttons = ["svg", "png"].map((format) => element("button",
    {type: "button", class: "save", title: `Save this plot as ${format.toUpperCase()}`, onclick: () => save(place, format)}, format.toUpperCase()));
  heading.append(...buttons);
}

if (places.length) {
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) drawPlot(entry.target);
  }, {rootMargin: "600px"});
  places.forEach((place) => watcher.observe(place));
  const redraw = () => [...drawnPlots.keys()].forEach(drawPlot);
  themeListeners.push(redraw);
  let waiting;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(redraw, 200);
  });
  window.addEventListener("beforeprint", () => places.forEach(drawPlot));
}
