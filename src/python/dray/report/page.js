// Tabs, and figures in the colours of the reader's choice. A figure is drawn when its tab is opened, as only then is its width known.
const dark = matchMedia("(prefers-color-scheme: dark)");
const touch = matchMedia("(pointer: coarse)").matches;
const figures = new Map([...document.querySelectorAll(".plot")].map(place => {
  const figure = JSON.parse(place.querySelector("script").textContent);
  place.textContent = "";
  return [place, figure];
}));

function template() {
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue(name).trim();
  const axis = {
    automargin: true, gridcolor: colour("--rule"), linecolor: colour("--rule"), zerolinecolor: colour("--rule"),
    tickformat: ",", hoverformat: ",.4~r", title: {font: {color: colour("--quiet"), size: 12}, standoff: 8}, nticks: 6,
  };
  return {layout: {
    font: {family: getComputedStyle(document.body).fontFamily, size: 12, color: colour("--ink")},
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    margin: {l: 52, r: 12, t: 8, b: 40}, xaxis: axis, yaxis: {...axis, tickformat: ",~r"},
    hovermode: "closest", hoverlabel: {bgcolor: colour("--raised"), bordercolor: colour("--rule"), font: {color: colour("--ink")}},
    legend: {orientation: "h", x: 0, y: 1.02, yanchor: "bottom"}, dragmode: touch ? false : "zoom",
  }};
}

// Draws every figure that can be seen.
function draw() {
  const colours = template();
  for (const [place, {data, layout}] of figures) {
    if (!place.offsetWidth) continue;
    const look = {...layout, autosize: true, template: colours};
    Plotly.react(place, data, look, {responsive: true, displaylogo: false, displayModeBar: false});
  }
}

const panelOf = tab => document.getElementById(tab.getAttribute("aria-controls"));

function select(tab) {
  const list = tab.parentElement;
  for (const other of list.children) {
    other.setAttribute("aria-selected", other == tab);
    other.tabIndex = other == tab ? 0 : -1;
    panelOf(other).hidden = other != tab;
  }
  list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
}

// Opens the tab of the page's #address and every tab around it.
function follow() {
  const place = document.getElementById(location.hash.slice(1));
  for (let panel = place?.closest("[role=tabpanel]"); panel; panel = panel.parentElement.closest("[role=tabpanel]"))
    select(document.querySelector(`[aria-controls="${panel.id}"]`));
  draw();
}

function go(tab) {
  history.pushState(null, "", tab.hash);
  follow();
  const main = tab.closest("main > .tabs > [role=tablist]")?.parentElement;
  if (main) scrollTo(0, Math.min(scrollY, main.offsetTop));  // not into the middle of another tab
  tab.focus({preventScroll: true});
}

for (const list of document.querySelectorAll("[role=tablist]")) {
  const tabs = [...list.children];
  select(tabs[0]);
  list.addEventListener("click", event => {
    const tab = event.target.closest("[role=tab]");
    if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(tab);
  });
  list.addEventListener("keydown", event => {
    const place = tabs.indexOf(event.target), last = tabs.length - 1;
    const to = {ArrowRight: place < last ? place + 1 : 0, ArrowLeft: place > 0 ? place - 1 : last, Home: 0, End: last, " ": place}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(tabs[to]);
  });
}

function onPaper(begins) {
  document.documentElement.classList.toggle("printing", begins);
  draw();
}

// A link to a tab inside a tab leads to it.
function arrive() {
  follow();
  document.querySelector("main > .tabs [role=tabpanel] :target")?.scrollIntoView();
}

arrive();
addEventListener("hashchange", arrive);
addEventListener("popstate", follow);
addEventListener("beforeprint", () => onPaper(true));
addEventListener("afterprint", () => onPaper(false));
dark.addEventListener("change", draw);
