/** The number of positions at each distance from mate. */
import { href, linkTo } from "/page/address.js";
import { smallBoard } from "/page/board.js";
import { barChart } from "/page/chart.js";
import { field, select } from "/page/choosers.js";
import { button, fill, h } from "/page/dom.js";
import { capital, count, movesOf, nameOf, sideToMove } from "/page/game.js";
import { tint } from "/page/scale.js";

/** @param {Object} context see shared.js */
export function histogramPart(context) {
  const { go, notice, signal } = context;
  const ask = context.asker();
  const endgames = context.materialChooser();
  const turn = select(
    [
      ["black", "Black"],
      ["white", "White"],
    ],
    context.state.turn,
    (side) => go({ turn: side, bar: null }),
  );
  const chart = h("div");
  const list = h("div");
  const aside = h("aside", { class: "panel row-board", "aria-label": "An example", "aria-live": "polite" });
  let answer = null;
  const element = h(
    "div",
    { class: "with-board" },
    h(
      "section",
      { class: "panel", "aria-label": "Distances" },
      h("div", { class: "row" }, endgames.element, field("To move", turn)),
      chart,
      list,
    ),
    aside,
  );
  return { element, draw };

  async function draw(afresh) {
    endgames.set(context.state.material);
    turn.value = context.state.turn;
    const next = await ask(
      list,
      "/api/data/histogram",
      { material: context.state.material, turn: context.state.turn },
      afresh,
    );
    if (signal.aborted) return;
    if (next) {
      answer = next;
    } else if (notice.failed) {
      answer = null;
      fill(chart);
      fill(list);
      fill(aside);
    }
    if (answer) drawTable();
  }

  function drawTable() {
    const all = answer.rows.reduce((sum, row) => sum + row.positions, 0);
    const most = Math.max(1, ...answer.rows.map((row) => row.positions));
    const chosen = answer.rows.find((row) => keyOf(row) === context.state.bar) ?? answer.rows[0];
    fill(
      chart,
      barChart({
        title: `Positions of ${answer.material} by moves to mate, ${nameOf(answer.turn)} to move`,
        rows: answer.rows.map((row) => ({ name: row.says, value: row.positions, chosen: row === chosen })),
        onChoose: (i) => go({ bar: keyOf(answer.rows[i]) }, { replace: true }),
      }),
    );
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.bar : null;
    const caption = `${count(all, "position")} of ${answer.material}`;
    fill(
      list,
      h(
        "div",
        { class: "table-scroll", role: "region", "aria-label": caption, tabindex: "0" },
        h(
          "table",
          { class: "bars" },
          h("caption", {}, caption),
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ["Outcome", "Plies", "Positions", "Share"].map((name, i) =>
                h("th", { scope: "col", class: i ? "number" : null }, name),
              ),
            ),
          ),
          h(
            "tbody",
            {},
            answer.rows.map((row) => {
              const choose = () => go({ bar: keyOf(row) }, { replace: true });
              const bar = h("span", { class: "share", "aria-hidden": "true" }, tint(h("span"), classOf(row)));
              bar.firstChild.style.width = `${(100 * row.positions) / most}%`;
              return h(
                "tr",
                {
                  class: row === chosen ? "chosen" : null,
                  onclick: (event) => event.target.closest("button") || choose(),
                },
                h(
                  "th",
                  { scope: "row" },
                  button(row.says, choose, {
                    class: "quiet",
                    "data-bar": keyOf(row),
                    "aria-pressed": String(row === chosen),
                    title: "Show an example",
                  }),
                ),
                h("td", { class: "number" }, row.plies ?? ""),
                h("td", { class: "number" }, row.positions.toLocaleString("en"), bar),
                h("td", { class: "number" }, `${((100 * row.positions) / all).toFixed(1)} %`),
              );
            }),
          ),
        ),
      ),
    );
    if (focused) list.querySelector(`[data-bar="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    const key = JSON.stringify([chosen, answer.material, answer.turn]);
    if (aside.dataset.key === key) return;
    aside.dataset.key = key;
    fill(
      aside,
      chosen?.example
        ? [
            h("h2", {}, capital(chosen.says)),
            smallBoard(chosen.example),
            h(
              "p",
              { class: "example-words" },
              sideToMove(chosen.example),
              chosen.plies !== null && chosen.plies !== undefined
                ? `, ${count(movesOf(chosen.plies), "move")} to mate`
                : "",
            ),
            h(
              "p",
              { class: "example-links" },
              h("a", { href: linkTo({ view: "explore", fen: chosen.example }) }, "Explore"),
            ),
          ]
        : h("p", { class: "small" }, "There is no example."),
    );
  }
}

/** The name of a bar in the address: with White to move, outcomes have no class. */
const keyOf = (row) => row.class ?? row.says;

/** The class whose colour a bar has: with White to move, the side that is mated is White. */
const classOf = (row) => row.class ?? (row.says.startsWith("mated") ? "lost" : row.says);
