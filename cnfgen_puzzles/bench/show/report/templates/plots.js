// Draws the plots when they come into sight, in the colours of the page, and again when these change.

const specifications = JSON.parse(document.getElementById("charts").textContent);
const places = [...document.querySelectorAll("[data-plot]")];
const drawnPlots = new Map();
const LEAST_WIDTH = 300, LEAST_HEAT_WIDTH = 460; // pixels; a heat map has names on two sides, and scrolls where it must
const MANY = 2000; // runs: so many points are faster as pixels
const instanceNamed = new Map(data.instances.map((instance) => [instance.name, instance.id]));

// a chart whose width can be set takes the room that there is
function fitted(specification, room, least) {
  const chart = structuredClone(specification);
  const single = ["mark", "layer"].some((key) => key in chart) && typeof chart.width !== "object";
  if (single) {
    chart.width = Math.max(least, room);
    chart.autosize = {type: "fit-x", contains: "padding"};
  }
  return chart;
}

async function drawPlot(place) {
  const dark = isDark();
  const room = place.parentElement.clientWidth - 2;
  const key = `${dark} ${room}`, theme = data.themes[dark ? "dark" : "light"];
  if (drawnPlots.get(place)?.key === key) return;
  drawnPlots.get(place)?.view?.finalize();
  drawnPlots.set(place, {key});
  const least = place.closest("figure").id.startsWith("plot-heat") ? LEAST_HEAT_WIDTH : LEAST_WIDTH;
  const packed = specifications[place.dataset.plot];
  const specification = typeof packed === "string" ? await unpacked(packed) : packed;
  const result = await window.vegaEmbed(place, fitted(specification, room, least), {
    mode: "vega-lite",
    renderer: data.runs.length > MANY ? "canvas" : "svg",
    ast: true, // expressions are interpreted: the page allows no other code than its own
    config: theme,
    tooltip: {theme: dark ? "dark" : "light"},
    actions: false,
  });
  drawnPlots.set(place, {key, view: result});
  place.style.minHeight = "0"; // it was there to be scrolled to
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
