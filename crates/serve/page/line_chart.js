/** Line charts, drawn by the page, so that they follow its colours. */
import { freshId, h } from "/page/dom.js";

const WIDE = [640, 280];
/** On a phone the chart has fewer points across, so that its letters stay as large as those around it. */
const NARROW = [360, 240];
const PHONE = matchMedia("(max-width: 40rem)");
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 24, 12, 40];
/** The most series, each with a colour and a dash of its own: see `.series-1` in style.css. */
export const MOST_SERIES = 4;

/**
 * A chart with a line for each series. The axes begin at 0; with a percentage, the y axis ends at 100.
 * @param {{title: string, x: string, series: Array<{name: string, points: Array<[number, number]>}>}} options the title
 *   is also the name of the y axis; one that ends with "%" is a percentage
 */
export function lineChart({ title, x, series }) {
  const [WIDTH, HEIGHT] = PHONE.matches ? NARROW : WIDE;
  const all = series.flatMap((one) => one.points);
  const xTicks = ticks(Math.max(0, ...all.map(([across]) => across)));
  const yTicks = title.endsWith("%") ? [0, 25, 50, 75, 100] : ticks(Math.max(0, ...all.map(([, up]) => up)));
  const across = (value) => LEFT + ((WIDTH - LEFT - RIGHT) * value) / xTicks.at(-1);
  const up = (value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / yTicks.at(-1);
  const name = freshId("chart");
  const words = series.filter((one) => one.points.length).map((one) => `${one.name}: ${one.points.at(-1)[1].toLocaleString("en", { maximumFractionDigits: 1 })}`);
  return h(
    "figure",
    { class: "line-chart" },
    h("figcaption", { id: name }, title),
    h(
      "svg:svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}. At the end ${words.join("; ")}.` },
      yTicks.map((tick) => [
        h("svg:line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: up(tick), y2: up(tick) }),
        h("svg:text", { x: LEFT - 8, y: up(tick) + 4, "text-anchor": "end" }, short(tick)),
      ]),
      xTicks.map((tick) =>
        h("svg:text", { x: across(tick), y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, short(tick)),
      ),
      h("svg:text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, x),
      series.slice(0, MOST_SERIES).map((one, i) =>
        h("svg:polyline", {
          class: `series series-${i + 1}`,
          points: one.points.map((point) => `${across(point[0]).toFixed(1)},${up(point[1]).toFixed(1)}`).join(" "),
        }),
      ),
    ),
    series.length > 1 &&
      h(
        "ul",
        { class: "chart-keys" },
        series.slice(0, MOST_SERIES).map((one, i) =>
          h("li", {}, h("span", { class: `key series-${i + 1}`, "aria-hidden": "true" }), one.name),
        ),
      ),
  );
}

/** Round numbers from 0 to the least that is not below a value. */
function ticks(most) {
  const rough = (most || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((round) => round >= rough);
  const count = Math.max(1, Math.ceil((most || 1) / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

const short = (number) =>
  number.toLocaleString("en", { notation: number >= 10000 ? "compact" : "standard", maximumFractionDigits: 2 });
