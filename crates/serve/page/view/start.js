/** The start page: three doors, each with a board and what was left there. */
import { href } from "/page/address.js";
import { about } from "/page/api.js";
import { smallBoard } from "/page/board.js";
import { endgameWords } from "/page/choosers.js";
import { fill, freshId, h } from "/page/dom.js";
import { capital, count } from "/page/game.js";
import { isMastered, masteredStages } from "/page/mastery.js";
import { lessonOn } from "/page/lessons.js";
import { leftAt, START_VIEW, titleOf } from "/page/navigation.js";

export function show(main, state, go, signal) {
  const learnt = h("p", { class: "small" }, "Mate with queen, rook, two bishops; pawn and rook endings.");
  const goOn = h("a", { class: "button primary", href: "/?view=lesson" }, "Start a lesson");
  const position = h("input", {
    type: "text",
    class: "fen",
    id: freshId("field"),
    placeholder: "8/8/8/3k4/8/8/8/K6R w",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": "Position (FEN)",
  });
  const lookUp = (event) => {
    event.preventDefault();
    const fen = position.value.trim();
    go({ view: "explore", fen: fen || null, setup: fen ? null : 1 });
  };
  fill(
    main,
    h("h1", {}, titleOf(START_VIEW)),
    h(
      "p",
      { class: "lead" },
      "lucena knows every position of small chess endgames, and says in words what wins and what holds.",
    ),
    h(
      "div",
      { class: "doors" },
      door("learn", "Learn", smallBoard(lessonOn("KRvK").fen), learnt, h("div", { class: "row" }, goOn)),
      door(
        "look",
        "Look up",
        smallBoard(lessonOn("KRPvKR").fen),
        h(
          "p",
          { class: "small" },
          "Who wins, how fast, and why: any position of up to four pieces, and more with tables.",
        ),
        h("form", { class: "row", onsubmit: lookUp }, position, h("button", { type: "submit" }, "Show")),
        h(
          "div",
          { class: "row" },
          h("a", { href: href({ view: "explore", setup: 1 }, {}) }, "Set up a position"),
          left("look"),
        ),
      ),
      door(
        "laboratory",
        "Laboratory",
        treePicture(),
        h(
          "p",
          { class: "small" },
          "Trees that learn chess, players that train, and proofs of what they are worth.",
        ),
        h(
          "div",
          { class: "row" },
          h("a", { class: "button", href: "/?view=trees" }, "Look at a tree"),
          h("a", { class: "button", href: "/?view=training" }, "Train a player"),
          left("laboratory"),
        ),
      ),
    ),
  );
  return { ready: draw() };

  async function draw() {
    const known = await about({ signal });
    const all = known.elementary.reduce((sum, { stages }) => sum + stages, 0);
    const done = known.elementary.reduce(
      (sum, { material, stages }) => sum + masteredStages(material, stages),
      0,
    );
    const others = known.rule_lessons.filter(
      (of) => !known.elementary.some(({ material }) => material === of),
    );
    fill(
      learnt,
      `${count(all, "stage")} of mates and pawn endings, ${done} of them mastered, and ${count(others.length, "ending")} with the rules that decide them.`,
    );
    const lastLesson = new URLSearchParams(leftAt("learn") ?? "").get("material");
    const last = known.elementary.find(({ material }) => material === lastLesson);
    const next = [last, ...known.elementary]
      .filter(Boolean)
      .find(({ material, stages }) => masteredStages(material, stages) < stages);
    if (!next) return fill(goOn, "All lessons");
    const stage = Array.from({ length: next.stages }, (_, i) => i + 1).find(
      (n) => !isMastered(next.material, n),
    );
    const words = lessonOn(next.material)?.title ?? capital(endgameWords(next.material));
    goOn.href = href({ view: "lesson", material: next.material, stage: stage > 1 ? stage : null }, {});
    fill(goOn, done || last ? `Go on: ${words}, stage ${stage}` : `Start: ${words}`);
  }
}

/** A tree of three tests whose leaves win or draw: the places of its nodes, and those of their parents. */
const NODES = [
  [60, 22],
  [34, 54, 0],
  [86, 54, 0],
  [18, 94, 1, "won"],
  [48, 94, 1, "drawn"],
  [74, 94, 2, "won"],
  [102, 94, 2, "won"],
];

function treePicture() {
  const lines = NODES.filter(([, , of]) => of !== undefined).map(
    ([x, y, of]) => `M${x} ${y}L${NODES[of].slice(0, 2).join(" ")}`,
  );
  return h(
    "svg:svg",
    { class: "sketch-tree", viewBox: "0 0 120 120", "aria-hidden": "true" },
    h("svg:path", { d: lines.join("") }),
    NODES.map(([cx, cy, , kind]) => h("svg:circle", { cx, cy, r: kind ? 8 : 10, class: kind })),
  );
}

const door = (name, title, picture, ...rest) =>
  h(
    "section",
    { class: `door ${name}`, "aria-label": title },
    h("div", { class: "door-picture" }, picture),
    h("h2", {}, title),
    rest,
  );

function left(group) {
  const last = leftAt(group);
  return last && h("a", { href: `/${last}` }, "Where you left off");
}
