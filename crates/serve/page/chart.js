/** The page's charts: lines and bars in the page's colours, with the values under the pointer, and as a table for a program. */
import { button, fill, freshId, h } from "/page/dom.js";

const WIDE = [640, 280];
/** On a phone the chart has fewer points across, so that its letters stay as large as those around it. */
const NARROW = [360, 240];
const PHONE = matchMedia("(max-width: 40rem)");
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 24, 12, 40];
/** The most series, each with a colour and a dash of its own: see `.series-1` in views.css. */
export const MOST_SERIES = 4;
/** The parts of its length over which a line is smoothed. */
const SMOOTHING = [
  ["", "as measured"],
  ["50", "a little"],
  ["15", "much"],
];

/** @typedef {{name: string, points: Array<[number, number]>}} Series */

/**
 * A chart with a line for each series. The axes begin at 0 and the x axis ends with the data; with a percentage, the y
 * axis ends at 100.
 * @param {{title: string, x: string, series: Series[], file?: string}} options the title is also the name of the y axis;
 *   one that ends with "%" is a percentage; file: the name of the csv file
 * @returns {{element: HTMLElement, set: function(Series[])}} set draws series of the same names with other points
 */
export function lineChart({ title, x, series, file = "chart" }) {
  let shown = series.slice(0, MOST_SERIES);
  const place = h("div", { class: "chart-place" });
  const smooth = h(
    "select",
    { onchange: () => draw() },
    SMOOTHING.map(([value, words]) => h("option", { value }, words)),
  );
  smooth.id = freshId("smooth");
  const name = freshId("chart");
  const smoothing = h("label", { for: smooth.id, class: "small" }, "Smoothed ", smooth);
  const element = h(
    "figure",
    { class: "line-chart" },
    h("figcaption", { id: name }, title),
    place,
    h(
      "div",
      { class: "chart-foot" },
      shown.length > 1 &&
        h(
          "ul",
          { class: "chart-keys" },
          shown.map((one, i) =>
            h("li", {}, h("span", { class: `key series-${i + 1}`, "aria-hidden": "true" }), one.name),
          ),
        ),
      smoothing,
      button("csv", () => save(`${file}.csv`, csv(x, shown)), {
        class: "quiet",
        title: "Save the points as a table",
      }),
    ),
  );
  draw();
  return {
    element,
    set(next) {
      shown = next.slice(0, MOST_SERIES);
      draw();
    },
  };

  function draw() {
    const longest = Math.max(0, ...shown.map(({ points }) => points.length));
    smoothing.hidden = longest <= 50;
    const window = smooth.value ? Math.max(1, Math.round(longest / Number(smooth.value))) : 1;
    const drawn = shown.map((one) => ({ ...one, points: smoothed(one.points, window) }));
    fill(place, picture({ title, x, series: drawn }));
  }
}

/** The mean of the points around each. @param {Array<[number, number]>} points @param {number} window */
function smoothed(points, window) {
  if (window < 2) return points;
  return points.map(([across], i) => {
    const near = points.slice(Math.max(0, i - window), i + window + 1);
    return [across, near.reduce((sum, [, up]) => sum + up, 0) / near.length];
  });
}

function picture({ title, x, series }) {
  const [width, height] = PHONE.matches ? NARROW : WIDE;
  const all = series.flatMap((one) => one.points);
  const most = Math.max(1, ...all.map(([across]) => across));
  const yTicks = title.endsWith("%") ? [0, 25, 50, 75, 100] : ticks(Math.max(0, ...all.map(([, up]) => up)));
  const across = (value) => LEFT + ((width - LEFT - RIGHT) * value) / most;
  const up = (value) => height - BOTTOM - ((height - TOP - BOTTOM) * value) / yTicks.at(-1);
  const words = series
    .filter((one) => one.points.length)
    .map((one) => `${one.name}: ${precise(one.points.at(-1)[1])}`);
  const cursor = h("svg:line", { class: "cursor", x1: -9, x2: -9, y1: TOP, y2: height - BOTTOM });
  const says = h("p", { class: "chart-says small", "aria-hidden": "true" }, "\u00a0");
  const drawing = h(
    "svg:svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `${title}. At the end ${words.join("; ")}.`,
    },
    yTicks.map((tick) => [
      h("svg:line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: up(tick), y2: up(tick) }),
      h("svg:text", { x: LEFT - 8, y: up(tick) + 4, "text-anchor": "end" }, short(tick)),
    ]),
    ticks(most)
      .filter((tick) => tick <= most)
      .map((tick) =>
        h("svg:text", { x: across(tick), y: height - BOTTOM + 18, "text-anchor": "middle" }, short(tick)),
      ),
    h("svg:text", { x: (LEFT + width - RIGHT) / 2, y: height - 4, "text-anchor": "middle" }, x),
    series.map((one, i) =>
      h("svg:polyline", {
        class: `series series-${i + 1}`,
        points: one.points
          .map((point) => `${across(point[0]).toFixed(1)},${up(point[1]).toFixed(1)}`)
          .join(" "),
      }),
    ),
    cursor,
  );
  drawing.addEventListener("pointermove", ({ clientX }) => {
    const box = drawing.getBoundingClientRect();
    const at = (((clientX - box.left) / box.width) * width - LEFT) * (most / (width - LEFT - RIGHT));
    const found = series.map((one) => nearest(one.points, at));
    const first = found.find(Boolean);
    if (!first) return;
    cursor.setAttribute("x1", across(first[0]));
    cursor.setAttribute("x2", across(first[0]));
    says.textContent = `${x} ${first[0].toLocaleString("en")}: ${series
      .map((one, i) => found[i] && `${series.length > 1 ? `${one.name} ` : ""}${precise(found[i][1])}`)
      .filter(Boolean)
      .join(", ")}`;
  });
  drawing.addEventListener("pointerleave", () => {
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, -9);
    says.textContent = "\u00a0";
  });
  return [drawing, says];
}

/** The point next to a place across. */
function nearest(points, at) {
  let best;
  for (const point of points) if (!best || Math.abs(point[0] - at) < Math.abs(best[0] - at)) best = point;
  return best;
}

/**
 * Bars, one for each row, with the chosen one marked.
 * @param {{title: string, rows: Array<{name: string, value: number, chosen?: boolean}>, onChoose: function(number)}} options
 */
export function barChart({ title, rows, onChoose }) {
  const [width, height] = PHONE.matches ? NARROW : WIDE;
  const yTicks = ticks(Math.max(0, ...rows.map(({ value }) => value)));
  const step = (width - LEFT - RIGHT) / Math.max(1, rows.length);
  const up = (value) => height - BOTTOM - ((height - TOP - BOTTOM) * value) / yTicks.at(-1);
  // Names of which all have room are drawn.
  const every = Math.ceil(44 / step);
  return h(
    "figure",
    { class: "line-chart bar-chart" },
    h("figcaption", {}, title),
    h(
      "svg:svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": `${title}. The table below has the same numbers.`,
      },
      yTicks.map((tick) => [
        h("svg:line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: up(tick), y2: up(tick) }),
        h("svg:text", { x: LEFT - 8, y: up(tick) + 4, "text-anchor": "end" }, short(tick)),
      ]),
      rows.map(({ name, value, chosen }, i) => [
        h(
          "svg:rect",
          {
            class: chosen ? "bar chosen" : "bar",
            x: LEFT + i * step + 1,
            width: Math.max(1, step - 2),
            y: up(value),
            height: height - BOTTOM - up(value),
            onclick: () => onChoose(i),
          },
          h("svg:title", {}, `${name}: ${value.toLocaleString("en")}`),
        ),
        i % every === 0 &&
          h(
            "svg:text",
            { x: LEFT + (i + 0.5) * step, y: height - BOTTOM + 18, "text-anchor": "middle" },
            name.replace(/^mated? in /, ""),
          ),
      ]),
    ),
  );
}

/** Points as a table with a column for each series. */
function csv(x, series) {
  const places = [...new Set(series.flatMap(({ points }) => points.map(([across]) => across)))].sort(
    (one, other) => one - other,
  );
  const columns = series.map(({ points }) => new Map(points));
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = places.map((place) => [place, ...columns.map((column) => column.get(place) ?? "")].join(","));
  return [[x, ...series.map(({ name }) => name)].map(quoted).join(","), ...rows].join("\n") + "\n";
}

function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Round numbers from 0 to the least that is not below a value. */
function ticks(most) {
  const rough = (most || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((round) => round >= rough);
  const count = Math.max(1, Math.ceil((most || 1) / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

const precise = (number) => number.toLocaleString("en", { maximumFractionDigits: 1 });
const short = (number) =>
  number.toLocaleString("en", {
    notation: number >= 10000 ? "compact" : "standard",
    maximumFractionDigits: 2,
  });
