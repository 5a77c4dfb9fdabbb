/** Experiments of one kind beside each other: their settings, the figures of their reports, their points in one chart. */
import { href } from "/page/address.js";
import { h } from "/page/dom.js";
import { capital } from "/page/game.js";
import { lineChart } from "/page/chart.js";
import { table } from "/page/table.js";
import { STATES } from "/page/view/experiments/job.js";

/** @param {Object[]} jobs as /api/jobs/ID describes them @param {Object|undefined} experiment with the labels of fields */
export function comparison(jobs, experiment) {
  const names = jobs.map((job) => job.name || job.title);
  const label = (name) => experiment?.fields.find((one) => one.name === name)?.label ?? name;
  const rows = (of, name) => {
    const keys = [...new Set(jobs.flatMap((job) => Object.keys(of(job))))];
    return keys.map((key) => [name(key), ...jobs.map((job) => shown(of(job)[key], key))]);
  };
  const settings = rows((job) => job.fields ?? {}, label).filter(differs);
  const figures = rows(
    (job) => scalars(job.report),
    (key) => capital(key.replaceAll("_", " ")),
  );
  const [unlike, alike] = [figures.filter(differs), figures.filter((row) => !differs(row))];
  const beside = (caption, kind, rows_) =>
    rows_.length ? table({ caption, columns: [kind, ...names], rows: rows_, rowHeads: true }) : null;
  const charts = chartsOf(jobs, names);
  return h(
    "div",
    { class: "stack" },
    h(
      "section",
      { class: "panel" },
      h("h2", {}, `${experiment?.title ?? jobs[0].title}: ${jobs.length} side by side`),
      h(
        "ul",
        { class: "job-list" },
        jobs.map((job, i) =>
          h(
            "li",
            {},
            h("span", { class: `key series-${i + 1}`, "aria-hidden": "true" }),
            h("a", { href: href({ view: "experiments", job: job.id }, {}) }, names[i]),
            h("span", { class: "job-state", "data-state": job.state }, STATES[job.state] ?? job.state),
          ),
        ),
      ),
      beside("Settings that differ", "Setting", settings) ?? h("p", {}, "Their settings are the same."),
    ),
    charts.length > 0 && h("section", { class: "panel" }, h("h2", {}, "Charts"), charts),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "Figures"),
      beside("Figures that differ", "Figure", unlike) ??
        h("p", {}, figures.length ? "All figures are the same." : "None of them has a report."),
      alike.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, `Figures that are the same (${alike.length})`),
          beside("Figures that are the same", "Figure", alike),
        ),
    ),
  );
}

/** A chart for each column of the points but the first, which is the x axis, with a line for each job. */
function chartsOf(jobs, names) {
  const columns = [...new Set(jobs.flatMap((job) => job.points?.columns.slice(1) ?? []))];
  return columns.map((column) => {
    const series = jobs.map((job, i) => {
      const at = job.points?.columns.indexOf(column) ?? -1;
      const points = at < 0 ? [] : job.points.rows.map((row) => [row[0], row[at]]);
      const isNumber = (value) => typeof value === "number";
      return { name: names[i], points: points.filter((point) => point.every(isNumber)) };
    });
    const x = jobs.find((job) => job.points)?.points.columns[0] ?? "";
    return lineChart({ title: capital(column), x, series }).element;
  });
}

/** The figures and short texts of a report and of its parts, without lists and digests. */
function scalars(report, before = "") {
  const entries = Object.entries(report ?? {}).flatMap(([key, value]) => {
    if (key.includes("sha256") || value === null || Array.isArray(value)) return [];
    if (typeof value === "object") return Object.entries(scalars(value, `${before}${key}: `));
    return [[before + key, value]];
  });
  return Object.fromEntries(entries);
}

const differs = ([, first, ...others]) => others.some((other) => other !== first);

/** True for what is a part of a whole, such as an accuracy. */
const isShare = (key, value) =>
  typeof value === "number" &&
  !Number.isInteger(value) &&
  value >= 0 &&
  value <= 1 &&
  /accuracy|share|recall|precision/.test(key);

function shown(value, key = "") {
  if (value === undefined || value === null || value === "") return "\u2013";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isShare(key, value)) return `${(100 * value).toFixed(2)} %`;
  return typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 4 }) : value;
}
