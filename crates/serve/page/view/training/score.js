/** The score of a series: its figures after every game, and the share of points as a chart. */
import { fill, h } from "/page/dom.js";
import { lineChart } from "/page/chart.js";

const number = (value) => value.toLocaleString("en", { maximumFractionDigits: 1 });

/** @returns {{figures: HTMLElement, chart: HTMLElement, show: function(Object|null)}} */
export function scorePart() {
  const list = h("dl", { class: "facts" });
  const figures = h(
    "section",
    { class: "panel score", hidden: true, "aria-label": "Score of the learner" },
    list,
  );
  const chart = h("section", { class: "panel" });
  let line = null; // the chart, once there are points
  let drawn = "";
  return { figures, chart, show };

  function show(job) {
    const live = job?.live;
    figures.hidden = !live;
    if (live) drawFigures(live);
    const points = job?.points?.rows ?? [];
    if (!points.length) {
      line = null;
      drawn = "";
      fill(
        chart,
        h("h2", {}, "Share of points"),
        h("p", { class: "small" }, "The chart grows while the learner plays."),
      );
    }
    const text = `${job?.id} ${points.length} ${points.at(-1)?.[0]}`;
    if (!points.length || text === drawn) return;
    drawn = text;
    const column = (at) => points.map((row) => [row[0], row[at]]);
    const series = [
      { name: "all games so far", points: column(1) },
      { name: "the last ten games", points: column(2) },
    ];
    if (line) return line.set(series);
    line = lineChart({ title: "Share of points, %", x: "games", series });
    fill(chart, h("h2", {}, "Share of points"), line.element);
  }

  function drawFigures({ won, drawn: even, lost, points }) {
    const played = won + even + lost;
    const share = played ? `${number((100 * points) / played)} %` : "";
    const facts = [
      ["Played", number(played)],
      ["Won", number(won)],
      ["Drawn", number(even)],
      ["Lost", number(lost)],
      ["Points", number(points), share],
    ];
    fill(
      list,
      facts.map(([term, value, small]) =>
        h(
          "div",
          {},
          h("dt", {}, term),
          h("dd", {}, value, small && h("span", { class: "small" }, ` ${small}`)),
        ),
      ),
    );
  }
}
