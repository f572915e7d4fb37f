// Draws what the page's figures hold, in the colours of the reader's choice, and again when that changes.
const dark = matchMedia("(prefers-color-scheme: dark)");
const touch = matchMedia("(pointer: coarse)").matches;

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

const figures = [...document.querySelectorAll(".plot")].map(place => {
  const figure = JSON.parse(place.querySelector("script").textContent);
  place.textContent = "";
  return {place, ...figure};
});

function draw() {
  const colours = template();
  for (const {place, data, layout} of figures)
    Plotly.react(place, data, {...layout, template: colours}, {responsive: true, displaylogo: false, displayModeBar: false});
}

draw();
dark.addEventListener("change", draw);
