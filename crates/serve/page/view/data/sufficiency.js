/** How well attributes tell positions apart. */
import { field, select } from "/page/choosers.js";
import { fill, h } from "/page/dom.js";
import { boardList } from "/page/examples.js";
import { count } from "/page/game.js";
import { pager, whole } from "/page/pages.js";
import { fact } from "./shared.js";

/** The number of clashes on a page. */
const CLASHES = 8;

/** @param {Object} context see shared.js */
export function sufficiencyPart(context) {
  const { go, notice, signal } = context;
  const ask = context.asker();
  const endgames = context.materialChooser();
  const set = context.setChooser();
  const positions = select(
    [
      ["canonical", "One of each orbit"],
      ["full", "The whole board"],
    ],
    context.state.positions ?? "canonical",
    (value) => go({ positions: value === "canonical" ? null : value, from: null }),
  );
  const box = h("div", { class: "stack" });
  let answer = null;
  const element = h(
    "div",
    { class: "stack" },
    h(
      "section",
      { class: "panel", "aria-label": "Choice of attributes" },
      h("div", { class: "row" }, endgames.element, set.element, field("Positions", positions)),
      h(
        "p",
        { class: "small" },
        "No learner can distinguish positions that have the same values of all attributes. ",
        "If such positions are of different classes, no tree can be right about all of them.",
      ),
    ),
    box,
  );
  return { element, draw };

  async function draw(afresh) {
    endgames.set(context.state.material);
    set.set(context.state.set === "krkopt" ? "geometric" : context.state.set);
    positions.value = context.state.positions ?? "canonical";
    const next = await ask(
      box,
      "/api/data/sufficiency",
      {
        material: context.state.material,
        set: context.state.set === "krkopt" ? "geometric" : context.state.set,
        positions: context.state.positions ?? "canonical",
      },
      afresh,
    );
    if (signal.aborted) return;
    if (next) answer = next;
    else if (notice.failed) answer = null;
    drawAnswer();
  }

  function drawAnswer() {
    if (!answer) return void fill(box);
    const from = Math.min(whole(context.state.from), Math.max(0, answer.clashes.length - 1));
    const some = answer.clashes.slice(from, from + CLASHES);
    fill(
      box,
      h(
        "section",
        { class: "panel", "aria-label": "Answer" },
        h("p", { class: "outcome", role: "status" }, answer.sentence),
        h(
          "dl",
          { class: "facts" },
          fact("Rows", answer.rows),
          fact("Distinct rows of values", answer.vectors),
        ),
        h("h2", {}, "Attributes that cannot be left out"),
        answer.indispensable.length
          ? h(
              "ul",
              { class: "names" },
              answer.indispensable.map((name) => h("li", {}, h("code", {}, name))),
            )
          : h("p", { class: "small" }, "Each attribute can be left out if all others are kept."),
      ),
      some.length
        ? h(
            "section",
            { class: "panel", "aria-label": "Clashes" },
            h("h2", {}, "Positions with the same values and different classes"),
            h(
              "ol",
              { class: "clashes", start: from + 1 },
              some.map((clash, i) =>
                h(
                  "li",
                  {},
                  h(
                    "p",
                    {},
                    h("b", {}, `Clash ${from + i + 1}: `),
                    `any tree is wrong about at least ${clash.wrong} of these ${count(clash.rows, "row")}.`,
                  ),
                  boardList(
                    clash.classes.map((one) => ({
                      fen: one.fen,
                      says: `${one.class} (${count(one.rows, "row")})`,
                    })),
                    { material: context.state.material, label: `Clash ${from + i + 1}` },
                  ),
                ),
              ),
            ),
            pager({
              offset: from,
              limit: CLASHES,
              found: answer.clashes.length,
              word: "clashes",
              onGo: (to) => go({ from: to || null }),
            }),
          )
        : null,
    );
  }
}
