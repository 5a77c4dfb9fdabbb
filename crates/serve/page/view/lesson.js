/** An endgame in stages; the lesson of a theory, a strategy, a measure or rules; exercises, and practice. */
import { href } from "/page/address.js";
import { about, latest } from "/page/api.js";
import { Board, smallBoard } from "/page/board.js";
import { endgameChooser, endgameWords, playerChooser } from "/page/choosers.js";
import { fill, h } from "/page/dom.js";
import { capital, count } from "/page/game.js";
import { legend } from "/page/legend.js";
import { LESSONS, lessonOn } from "/page/lessons.js";
import { isMastered, masteredStages } from "/page/mastery.js";
import { remembered } from "/page/memory.js";
import { moveLine } from "/page/moves.js";
import { notices } from "/page/notice.js";
import { showTeacherWords } from "/page/share.js";

// Keys of its own: tab (stages, exercises, practice, lesson), stage (the number of the stage that is shown or
// practised, from 1), tried (the moves tried on its board), n (the number of the exercise or position, from 1), of
// (lesson: the exercises of the player's lesson), side (weak: practise the weak side), game (the moves of the
// practice), hints (the number of hints shown), hinted (a move has been shown), by (rules: they teach, and no player).

/** The parts of a stage, in the order of learning: the tab, the word, and the keys of its address. */
const STEPS = [
  ["stages", "Read", (n) => ({ tab: null, stage: n > 1 ? n : null })],
  ["exercises", "Try", (n) => ({ tab: "exercises", n: n > 1 ? n : null })],
  ["practice", "Play", (n) => ({ tab: "practice", stage: n })],
];
/** The parts of a lesson that has no stages. */
const PARTS = [
  ["lesson", "Read"],
  ["exercises", "Try"],
  ["practice", "Play"],
];
/** The teacher of a lesson that is made from rules about who wins. */
const RULES = {
  name: "rules",
  title: "Rules about who wins",
  about: "what is won, what is drawn and how it is held, without an exception",
};
/** The keys of a teacher. Other views know players, so rules are not named as one. @param {string} name */
const taughtBy = (name) => (name === RULES.name ? { player: null, by: name } : { player: name, by: null });
/** The keys that are cleared for another position or endgame. */
const FRESH = { n: null, game: null, hints: null, hinted: null, stage: null, tried: null, of: null };

export async function show(main, first, go, signal) {
  let state = first;
  let known = null; // the answer of /api/about
  let lesson = null;
  let lessonOf = "";
  let staged = null; // the answer of /api/stages; null if the endgame has no stages
  let stagedOf = "";
  let part = null; // what stands under a tab: { name, view }
  let boards = [];
  const ask = latest(signal);
  const askStages = latest(signal);
  const notice = notices({ again: () => draw() });
  const hasRules = (material) => Boolean(known?.rule_lessons.includes(material));

  const endgame = endgameChooser({
    label: "Another endgame",
    none: "",
    also: (about) => about.rule_lessons,
    onChange: (material) => go({ ...FRESH, material }),
  });
  const player = playerChooser({
    label: "Taught by",
    filter: (one) => one.tree || one.strategy || one.measure,
    extra: (material) => (hasRules(material) ? [RULES] : []),
    other: false,
    onChange: (name) => go({ ...FRESH, ...taughtBy(name) }),
  });
  // What is mastered in another tab counts here, too.
  addEventListener("storage", () => known && draw(), { signal });
  const title = h("h1", {}, "Lessons");
  const all = h("a", { href: "/?view=lesson", hidden: true }, "All lessons");
  const head = h("div", { class: "lesson-head" }, all, title, player.element, endgame.element);
  const rail = h("nav", { class: "rail", "aria-label": "The lesson" });
  const place = h("div", { class: "stack" });
  fill(main, head, notice.element, h("div", { class: "lesson-body" }, rail, place));

  // The teacher of an endgame: the chosen one if it can, else the endgame's own, else rules about who wins, else the
  // first that can, else the table.
  function teacher(material) {
    const names = known.endgames.find((one) => one.material === material)?.players ?? [];
    const own = known.elementary.find((one) => one.material === material)?.player;
    const teaches = ({ name, endgame: only, tree, strategy, measure }) =>
      (tree || strategy || measure) && (only ? only === material : names.includes(name));
    const teachers = known.players.filter(teaches).map((one) => one.name);
    if (hasRules(material)) teachers.push(RULES.name);
    if (state.by === RULES.name && hasRules(material)) return RULES.name;
    if (teachers.includes(state.player)) return state.player;
    return (
      [own, RULES.name, "strategy", "theory", "measure"].find((name) => teachers.includes(name)) ??
      teachers[0] ??
      "tablebase"
    );
  }

  async function draw() {
    // Exercises and practice fit the window.
    const hasPanel = !["exercises", "practice"].includes(state.tab);
    showTeacherWords(main, state, signal, { hasPanel });
    known ??= await notice.run((options) => about(options));
    if (!known) return;
    const { material } = state;
    rail.hidden = all.hidden = !material;
    endgame.element.hidden = Boolean(material);
    if (!material) return drawIndex();
    const name = teacher(material);
    player.set(name, material);
    if (stagedOf !== material) {
      askStages.stop();
      staged = null;
      stagedOf = "";
      if (known.elementary.some((one) => one.material === material && one.stages)) {
        staged = await notice.run((options) => askStages("/api/stages", { material }, options));
        if (!staged || state.material !== material) return;
      }
      stagedOf = material;
      closePart();
    }
    const tab = tabOf();
    title.textContent = lessonOn(material)?.title ?? capital(endgameWords(material));
    // Only what a player teaches, or plays, has a teacher.
    player.element.hidden =
      staged &&
      (tab === "stages" ||
        (tab === "exercises" && state.of !== "lesson") ||
        (tab === "practice" && Boolean(state.stage)));
    drawRail(material, name, tab);
    // Rules say who wins, and play no game.
    const plays = tab === "practice" && name === RULES.name ? "tablebase" : name;
    const settled = { ...state, tab, material, player: plays };
    if (tab === "stages") return drawPart("stages", settled);
    if (tab === "exercises" && staged && state.of !== "lesson") return drawPart("exercises", settled);
    if (tab === "practice") return drawPart("practice", settled);
    const question = `${material} ${name}`;
    if (name === "tablebase") {
      ask.stop();
      closePart();
      return fill(
        place,
        h(
          "p",
          { class: "notice" },
          `No theory, strategy, measure or rules here teach ${material}. `,
          h("a", { href: href({ tab: "practice", n: null, material }, state) }, "Practice"),
          " uses the table instead.",
        ),
      );
    }
    if (lessonOf !== question) {
      lessonOf = "";
      lesson = null;
      closePart();
      fill(place);
      const found = await notice.run((options) =>
        name === RULES.name
          ? ask("/api/lesson/rules", { material }, options)
          : ask("/api/lesson", { material, player: name }, options),
      );
      if (!found) return;
      lesson = found;
      lessonOf = question;
    } else notice.clear();
    if (tab === "exercises") return drawPart("exercises", settled);
    if (part?.name === "lesson" && part.question === question) return;
    closePart();
    part = { name: "lesson", question };
    drawLesson();
  }

  function closePart() {
    part?.view?.leave?.();
    part = null;
    for (const board of boards) board.destroy();
    boards = [];
  }

  async function drawPart(name, settled) {
    const question = [settled.material, settled.player, settled.side, settled.of]
      .concat(name === "practice" ? settled.stage : [])
      .join();
    const isOfLesson = name === "exercises" && (!staged || settled.of === "lesson");
    if (!isOfLesson) {
      ask.stop();
      notice.clear();
    }
    if (part?.name === name && part.question === question) return part.view?.update(settled);
    closePart();
    const mine = { name, question, view: null };
    part = mine;
    fill(place, h("p", { class: "small" }, "Loading..."));
    const module = await import(`/page/view/${name}.js`);
    if (part !== mine || signal.aborted) return undefined;
    fill(place);
    mine.view = module.open(place, settled, go, signal, {
      staged,
      lesson: isOfLesson ? lesson : null,
      onMastered: () => drawRail(settled.material, teacher(settled.material), settled.tab),
    });
    return mine.view.update(settled);
  }

  function tabOf() {
    const list = staged ? STEPS.map(([tab]) => tab).concat("lesson") : PARTS.map(([tab]) => tab);
    return list.includes(state.tab) ? state.tab : list[0];
  }

  // The stages, each with its three steps, and below them what is about the whole endgame.
  function drawRail(material, name, tab) {
    const hadFocus = rail.contains(document.activeElement)
      ? document.activeElement.getAttribute("href")
      : null;
    const to = (keys) =>
      href({ ...FRESH, side: null, tab: null, material, ...taughtBy(name), ...keys }, state);
    const link = (words, keys, isHere, done) =>
      h(
        "a",
        { href: to(keys), "aria-current": isHere ? "step" : null },
        words,
        done && h("span", { class: "tick" }, " \u2713", h("span", { class: "unseen" }, ` ${done}`)),
      );
    if (!staged) {
      fill(
        rail,
        h(
          "ul",
          { class: "rail-steps" },
          PARTS.map(([key, words]) =>
            h("li", {}, link(words, { tab: key === "lesson" ? null : key }, tab === key)),
          ),
        ),
      );
      return;
    }
    const here = stageHere(tab);
    const solved = remembered(material, "exercises").mastered;
    fill(
      rail,
      h(
        "ol",
        { class: "rail-stages" },
        staged.stages.map(({ title: words, exercise }, i) => {
          const n = i + 1;
          const done = [null, exercise.fen in solved && "solved", isMastered(material, n) && "mastered"];
          return h(
            "li",
            { class: n === here ? "here" : null },
            h(
              "a",
              { class: "rail-stage", href: to(STEPS[0][2](n)), title: words },
              h("b", {}, String(n)),
              h("span", {}, ` ${words}`),
              done[2] && h("span", { class: "tick" }, " \u2713"),
            ),
            n === here &&
              h(
                "ul",
                { class: "rail-steps" },
                STEPS.map(([key, step, keys], at) => h("li", {}, link(step, keys(n), tab === key, done[at]))),
              ),
          );
        }),
      ),
      h("h2", {}, "The whole endgame"),
      h(
        "ul",
        { class: "rail-steps" },
        h("li", {}, link("The method", { tab: "lesson" }, tab === "lesson")),
        h("li", {}, link("Its exercises", { tab: "exercises", of: "lesson" }, tab === "exercises" && !here)),
        h(
          "li",
          {},
          link("Whole games", { tab: "practice" }, tab === "practice" && !here && state.side !== "weak"),
        ),
        h(
          "li",
          {},
          link(
            "Against the mate",
            { tab: "practice", side: "weak" },
            tab === "practice" && state.side === "weak",
          ),
        ),
      ),
    );
    if (hadFocus) rail.querySelector(`[href="${CSS.escape(hadFocus)}"]`)?.focus({ preventScroll: true });
  }

  // The stage that is read, tried or played; null if none is.
  function stageHere(tab) {
    const all = staged.stages.length;
    const number = (text) => Math.max(1, Math.min(Number(text) || 1, all));
    if (tab === "stages") return number(state.stage);
    if (tab === "exercises" && state.of !== "lesson") return number(state.n);
    return tab === "practice" && state.stage && state.side !== "weak" ? number(state.stage) : null;
  }

  // All lessons, with what is mastered, and a field for every other endgame.
  function drawIndex() {
    ask.stop();
    askStages.stop();
    notice.clear();
    closePart();
    stagedOf = "";
    title.textContent = "Lessons";
    player.element.hidden = true;
    endgame.set("");
    const card = ({ material, title: words, about: says, fen }) => {
      const stages = known.elementary.find((one) => one.material === material)?.stages;
      const done = stages && masteredStages(material, stages);
      return h(
        "li",
        {},
        h(
          "a",
          { class: "lesson-card", href: href({ view: "lesson", material }, {}) },
          smallBoard(fen, { label: words }),
          h("b", {}, words),
          h("span", { class: "small" }, says),
          h(
            "span",
            { class: "small" },
            stages ? `${done} of ${count(stages, "stage")} mastered` : "Rules without an exception",
          ),
        ),
      );
    };
    fill(
      place,
      LESSONS.map(({ title: words, lessons }) =>
        h("section", {}, h("h2", {}, words), h("ul", { class: "lesson-cards" }, lessons.map(card))),
      ),
    );
  }

  function drawLesson() {
    const { title, sections, exercises, player, material } = lesson;
    const wholePlace = h("p", { hidden: true });
    offerWhole(wholePlace, material, player);
    // Without a player, the file has what the rules teach.
    const file = `/api/lesson.html?${new URLSearchParams(player ? { player, material } : { material })}`;
    fill(
      place,
      h(
        "article",
        { class: "lesson stack" },
        h("h2", { class: "outcome" }, title),
        h(
          "p",
          {},
          h("a", { href: file, download: `${material}.html` }, "Save this lesson as one file"),
          " with boards to play on. It needs no server.",
        ),
        wholePlace,
        sections.map(drawSection),
        exercises?.length > 0 &&
          h(
            "p",
            {},
            h(
              "a",
              { href: href({ tab: "exercises", of: staged ? "lesson" : null, n: null }, state) },
              `To the ${count(exercises.length, "exercise")}`,
            ),
            ".",
          ),
      ),
    );
  }

  // The stages and the usual teacher's lesson make one file, once the stages are counted.
  async function offerWhole(whole, material, player) {
    const own = known.elementary.find((entry) => entry.material === material)?.player;
    if (!staged || player !== own) return;
    const counted = await latest(signal)("/api/stages/answers", { material }).catch(() => null);
    if (!counted) return;
    whole.hidden = false;
    fill(
      whole,
      h(
        "a",
        {
          href: `/api/lesson.html?${new URLSearchParams({ material })}`,
          download: `${material}-stages.html`,
        },
        "Save the stages and this lesson as one file",
      ),
      ".",
    );
  }

  function drawSection({ heading, paragraphs, items, first, boards: still, game }) {
    const title = heading && h("h3", { class: "as-h2" }, heading);
    const isBare = ![paragraphs, items, still].some((list) => list?.length) && !game;
    if (isBare) return title;
    return h(
      "section",
      { class: "panel" },
      title,
      (paragraphs ?? []).map((words) => h("p", {}, words)),
      (items ?? [])
        .filter((list) => list.length)
        .map((list) =>
          h(
            first ? "ol" : "ul",
            { class: first ? "numbered" : "numbered plain", start: first > 1 ? first : null },
            list.map((item) => h("li", {}, item)),
          ),
        ),
      still?.length > 0 &&
        h(
          "div",
          { class: "boards" },
          still.map(({ fen, marks, caption }) =>
            h(
              "figure",
              {},
              smallBoard(fen, { marks }),
              h("figcaption", {}, caption, legend(marks)),
              h(
                "a",
                { class: "small", href: href({ view: "why", fen, moves: null, at: null }, state) },
                "Why, on a board",
              ),
            ),
          ),
        ),
      game && drawGame(heading, game),
    );
  }

  // A game of the lesson, on its own board.
  function drawGame(heading, { fen, moves, sans, why, numbers, fens }) {
    const boardPlace = h("div", { class: "board-place" });
    const lines = h("div");
    const element = h("div", { class: "lesson-game" }, boardPlace, lines);
    const board = new Board(boardPlace, { fen, label: heading, mode: "look" });
    boards.push(board);
    const openGame = (found) =>
      fill(
        lines,
        moveLine({
          label: heading,
          fen,
          line: moves.map((uci, i) => ({
            uci,
            san: sans[i],
            fen: found[i],
            says: why[i],
            number: numbers[i],
          })),
          onStep: (at, move) =>
            board.show({ fen: move?.fen ?? fen, lastMove: move?.uci ?? null, check: null }),
        }).element,
      );
    if (fens) openGame(fens);
    else {
      const gameNotice = notices();
      fill(lines, gameNotice.element);
      gameNotice
        .run((options) => latest(signal)("/api/game", { fen, moves: moves.join(",") }, options))
        .then((found) => found && openGame(found.played.map((move) => move.fen)));
    }
    return element;
  }

  return {
    ready: draw(),
    update(next) {
      state = next;
      return draw();
    },
    leave: closePart,
  };
}
