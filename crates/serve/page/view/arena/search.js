/** The settings of a search, as fields, and its name, which has them all. */
import { about } from "/page/api.js";
import { field, select } from "/page/choosers.js";
import { check } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import { capital } from "/page/game.js";

/** The refinements of a search, with their descriptions. */
const REFINEMENTS = [
  ["deepening", "Search depth 1 first, then 2, ..."],
  ["aspiration", "Search a narrow window first"],
  ["hash-table", "Remember positions"],
  ["hash-move", "Try the move that was best before"],
  ["captures", "Try captures early"],
  ["promotions", "Try promotions early"],
  ["killers", "Try moves that refuted others"],
  ["history", "Try moves that were often best"],
  ["checks", "Try checks early"],
  ["null-move", "Pass, and see if that is enough"],
  ["quiescence", "Follow captures to the end"],
  ["quiet-checks", "Follow checks as well"],
  ["extend-checks", "One ply more in check"],
  ["extend-recaptures", "One ply more for recaptures"],
  ["extend-pawn-endings", "One ply more into pawn endings"],
  ["reductions", "Search late quiet moves less deeply"],
];
const ALGORITHMS = ["negascout", "alpha-beta", "negamax", "minimax"];
const EVALUATIONS = ["complete", "parts", "mop-up", "material"];
/** The algorithms that use refinements. */
const REFINED = ["negascout", "alpha-beta"];

/** The parts of a search's name. @param {string} name */
function readSearch(name) {
  const settings = Object.fromEntries(
    name
      .slice("search:".length)
      .split(",")
      .filter(Boolean)
      .map((part) => {
        const at = part.indexOf("=");
        return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
      }),
  );
  const all = REFINEMENTS.map(([key]) => key);
  const list = (text) => (text === "all" ? all : text.split("+"));
  const on = new Set(settings.on !== undefined ? list(settings.on) : all);
  if (settings.off !== undefined) for (const key of list(settings.off)) on.delete(key);
  return { settings, on };
}

/** The name of a search. */
function writeSearch({ settings, on }) {
  const { on: _, off: __, ...rest } = settings;
  const off = REFINEMENTS.map(([key]) => key).filter((key) => !on.has(key));
  const parts = Object.entries(rest)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${key}=${value}`);
  if (off.length === REFINEMENTS.length) parts.push("off=all");
  else if (off.length) parts.push(`off=${off.join("+")}`);
  return `search:${parts.join(",")}`;
}

/** The fields for the settings of a search. */
export function searchSwitches(title, name, onChange) {
  const search = readSearch(name);
  const { settings, on } = search;
  const change = (changes) => onChange(writeSearch({ settings: { ...settings, ...changes }, on }));
  const limits = [
    ["depth", "Depth in half-moves"],
    ["time", "Time for a move"],
    ["nodes", "Positions for a move"],
  ];
  const limit = limits.find(([key]) => settings[key] !== undefined)?.[0] ?? "depth";
  const first = { depth: "4", time: "200ms", nodes: "100000" };
  const limitBox = marked(
    "limit",
    select(limits, limit, (key) => change({ depth: "", time: "", nodes: "", [key]: first[key] })),
  );
  const value =
    limit === "time"
      ? h("input", {
          type: "number",
          min: 1,
          max: 60000,
          step: 1,
          value: milliseconds(settings.time ?? first.time),
          onchange: (event) =>
            change({ time: `${Math.max(1, Math.round(Number(event.target.value)) || 200)}ms` }),
        })
      : h("input", {
          type: "number",
          min: 1,
          max: limit === "depth" ? 64 : 100000000,
          step: 1,
          value: settings[limit] ?? first[limit],
          onchange: (event) =>
            change({ [limit]: String(Math.max(1, Math.round(Number(event.target.value)) || 1)) }),
        });
  const evaluation = settings.eval ?? "complete";
  const evaluations = h("span");
  const drawEvaluations = (more) => {
    const names = [...new Set([...EVALUATIONS, ...more, evaluation])];
    const box = marked(
      "eval",
      select(names, evaluation, (key) => change({ eval: key === "complete" ? "" : key })),
    );
    fill(evaluations, field("Evaluation", box, "Evolved weights are listed here too."));
  };
  drawEvaluations([]);
  about().then(
    ({ players }) => {
      const files = players
        .map((player) => /(?:^search:|,)eval=([^,]+)/.exec(player.name)?.[1])
        .filter(Boolean);
      if (files.length) drawEvaluations(files);
    },
    () => {},
  );
  const algorithm = settings.algorithm ?? ALGORITHMS[0];
  const refined = REFINED.includes(algorithm);
  const setAll = (yes) =>
    onChange(writeSearch({ settings, on: new Set(yes ? REFINEMENTS.map(([key]) => key) : []) }));
  return h(
    "details",
    { class: "switches" },
    h("summary", {}, title),
    h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "row even" },
        field("Limit", limitBox),
        field(
          limit === "time" ? "Milliseconds" : limit === "depth" ? "Half-moves" : "Positions",
          marked("value", value),
        ),
        field(
          "Algorithm",
          marked(
            "algorithm",
            select(ALGORITHMS, algorithm, (key) => change({ algorithm: key === ALGORITHMS[0] ? "" : key })),
          ),
        ),
        evaluations,
      ),
      h(
        "fieldset",
        { class: "refinements" },
        h("legend", {}, "Refinements"),
        !refined && h("p", { class: "small" }, `${capital(algorithm)} uses none of them.`),
        REFINEMENTS.map(([key, words]) =>
          check(
            h("span", {}, words, " ", h("code", {}, key)),
            on.has(key),
            (yes) => {
              const next = new Set(on);
              if (yes) next.add(key);
              else next.delete(key);
              onChange(writeSearch({ settings, on: next }));
            },
            { "data-switch": key },
          ),
        ),
        h(
          "div",
          { class: "row" },
          button("All on", () => setAll(true), { "data-switch": "all-on" }),
          button("All off", () => setAll(false), { "data-switch": "all-off" }),
        ),
      ),
      h("pre", { class: "code" }, name),
    ),
  );
}

function marked(key, element) {
  element.dataset.switch = key;
  return element;
}

function milliseconds(text) {
  const [, number, unit] = /^([\d.]+)(ms|s)?$/.exec(text) ?? [0, "200", "ms"];
  return unit === "s" ? Number(number) * 1000 : Number(number);
}
