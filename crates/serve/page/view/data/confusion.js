/** The confusion matrix of a tree, and boards of each cell. */
import { latest } from "/page/api.js";
import { field, playerChooser } from "/page/choosers.js";
import { answerWords, rankOf } from "/page/classes.js";
import { fill, h } from "/page/dom.js";
import { boardList } from "/page/examples.js";
import { count } from "/page/game.js";
import { notices } from "/page/notice.js";
import { pager, range, whole } from "/page/pages.js";
import { swatch } from "/page/scale.js";

/** The number of boards on a page. */
const PAGE = 12;
/** The place of an answer in the address where there is none. */
const NONE = "none";
const LEARNERS = [
  ["learner=cart", "CART, learned now"],
  ["learner=id3", "ID3, learned now"],
];

/** @param {Object} context see shared.js */
export function confusionPart(context) {
  const { go, notice, signal } = context;
  const ask = context.asker();
  const askBoards = latest(signal);
  const endgames = context.materialChooser();
  const players = playerChooser({
    label: "Tree or learner",
    value: context.state.who,
    material: context.state.material,
    other: false,
    filter: (player) => player.tree,
    extra: () => LEARNERS.map(([name, title]) => ({ name, title })),
    onChange: (who) =>
      go({
        player: who.startsWith("learner=") ? null : who,
        learner: who.startsWith("learner=") ? who.slice(8) : null,
        cell: null,
        boards: null,
      }),
  });
  const set = context.setChooser();
  const share = h("input", {
    type: "number",
    min: 1,
    max: 100,
    step: 1,
    onchange: () => go({ share: share.value, cell: null, boards: null }, { replace: true }),
  });
  const seed = h("input", {
    type: "number",
    min: 0,
    step: 1,
    onchange: () => go({ seed: seed.value, cell: null, boards: null }, { replace: true }),
  });
  const learning = h(
    "div",
    { class: "row" },
    set.element,
    field("Learned from, in percent", share),
    field("Seed", seed),
  );
  const text = h("p", { role: "status" });
  const box = h("div");
  const boards = h("section", { class: "panel", "aria-label": "Boards of the cell", hidden: true });
  const wrong = notices();
  let answer = null;
  const element = h(
    "div",
    { class: "stack" },
    h(
      "section",
      { class: "panel", "aria-label": "Confusion" },
      h("div", { class: "row even" }, endgames.element, players.element),
      learning,
      text,
      box,
    ),
    boards,
  );
  return { element, draw };

  function query() {
    const isLearned = context.state.who.startsWith("learner=");
    return isLearned
      ? {
          material: context.state.material,
          learner: context.state.who.slice(8),
          share: context.state.share ?? 50,
          set: context.state.set === "krkopt" ? "geometric" : context.state.set,
          seed: context.state.seed ?? 1,
        }
      : { material: context.state.material, player: context.state.who };
  }

  async function draw(afresh) {
    endgames.set(context.state.material);
    players.set(context.state.who, context.state.material);
    set.set(context.state.set === "krkopt" ? "geometric" : context.state.set);
    if (document.activeElement !== share) share.value = context.state.share ?? "50";
    if (document.activeElement !== seed) seed.value = context.state.seed ?? "1";
    learning.hidden = !context.state.who.startsWith("learner=");
    const next = await ask(box, "/api/data/confusion", query(), afresh);
    if (signal.aborted) return;
    if (next) {
      answer = next;
      text.textContent = next.text;
      drawMatrix();
    } else if (notice.failed) {
      answer = null;
      text.textContent = "";
      fill(box);
    }
    await drawCell(Boolean(next));
  }

  function drawMatrix() {
    const { classes, answers } = answer;
    const { given, counts } = columns(answer);
    // The answers of a tree with classes of its own are neither right nor wrong.
    const isJudged = answers.every((name) => classes.includes(name));
    const cells = [];
    const grid = h(
      "table",
      { class: "matrix", role: "grid", "aria-label": "True class in rows, answer in columns" },
      h(
        "thead",
        {},
        h(
          "tr",
          { role: "row" },
          h("th", { scope: "col", role: "columnheader" }, "true \\ answer"),
          given.map((name) =>
            h(
              "th",
              { scope: "col", role: "columnheader", class: "steep" },
              swatch(name, answers),
              h("span", {}, shortWords(name)),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        counts.map((row, truth) => {
          const sum = row.reduce((a, b) => a + b, 0) || 1;
          return h(
            "tr",
            { role: "row" },
            h("th", { scope: "row", role: "rowheader" }, swatch(classes[truth]), classes[truth]),
            row.map((n, at) => {
              const cell = h(
                "td",
                {
                  role: "gridcell",
                  tabindex: "-1",
                  "data-cell": `${truth},${at < answers.length ? at : NONE}`,
                  "aria-selected": "false",
                  class: !n
                    ? "none"
                    : (isJudged || at === answers.length) && classes[truth] !== given[at]
                      ? "wrong"
                      : "right",
                  title: cellWords(n, classes[truth], given[at], answers),
                },
                n ? n.toLocaleString("en") : "",
              );
              if (n) cell.style.setProperty("--share", `${Math.round(8 + 36 * Math.sqrt(n / sum))}%`);
              cells.push(cell);
              return cell;
            }),
          );
        }),
      ),
    );
    const wide = given.length;
    cells[0]?.setAttribute("tabindex", "0");
    const choose = (cell) =>
      cell?.textContent && go({ cell: cell.dataset.cell, boards: null }, { replace: true });
    grid.addEventListener("click", (event) => choose(event.target.closest("td")));
    grid.addEventListener("keydown", (event) => {
      const at = cells.indexOf(document.activeElement);
      if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        return void choose(cells[at]);
      }
      const start = at - (at % wide);
      const to = {
        ArrowLeft: Math.max(start, at - 1),
        ArrowRight: Math.min(start + wide - 1, at + 1),
        ArrowUp: at - wide,
        ArrowDown: at + wide,
        Home: start,
        End: start + wide - 1,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      if (!cells[to]) return;
      for (const cell of cells) cell.tabIndex = cell === cells[to] ? 0 : -1;
      cells[to].focus();
    });
    fill(
      box,
      h("p", { class: "small" }, "Choose a cell to show boards: click it, or use the arrow keys and Enter."),
      h("div", { class: "table-scroll" }, grid),
    );
  }

  async function drawCell(afresh) {
    const grid = box.querySelector("table");
    for (const cell of grid?.querySelectorAll("td") ?? []) {
      const isChosen = cell.dataset.cell === context.state.cell;
      cell.setAttribute("aria-selected", String(isChosen));
    }
    boards.hidden = !context.state.cell || !answer;
    if (boards.hidden) {
      boards.dataset.key = "";
      return;
    }
    const [truth, place] = context.state.cell.split(",");
    const { classes, answers } = answer;
    const { given, counts } = columns(answer);
    const at = place === NONE ? answers.length : Number(place);
    const n = counts[truth]?.[at];
    if (n === undefined) {
      boards.hidden = true;
      return;
    }
    const wanted = {
      ...query(),
      truth,
      answer: place === NONE ? null : place,
      offset: whole(context.state.boards),
      limit: PAGE,
    };
    const key = JSON.stringify(wanted);
    if (boards.dataset.key === key && !afresh) return;
    boards.dataset.key = key;
    fill(boards, h("h2", {}, cellWords(n, classes[truth], given[at], answers)), wrong.element);
    boards.setAttribute("aria-busy", "true");
    const found = await wrong.run((options) => askBoards("/api/data/confusion/boards", wanted, options));
    boards.removeAttribute("aria-busy");
    if (!found || boards.dataset.key !== key) return;
    const { player, material } = context.state;
    boards.append(
      h(
        "p",
        { class: "small" },
        range({ offset: found.offset, shown: found.boards.length, found: found.found, word: "board" }),
      ),
      boardList(found.boards, { player, material, label: "Boards of the cell" }),
      pager({
        offset: found.offset,
        limit: PAGE,
        found: found.found,
        word: "boards",
        onGo: (to) => go({ boards: to || null }, { replace: true }),
      }) ?? "",
    );
  }
}

/** The columns of the matrix: the answers, and a last one for rows without an answer if there are any. */
function columns({ answers, counts, unanswered }) {
  if (!unanswered.some((n) => n > 0)) return { given: answers, counts };
  return { given: [...answers, "no answer"], counts: counts.map((row, i) => [...row, unanswered[i]]) };
}

function cellWords(n, truth, given, answers) {
  const words =
    answers.includes(given) && rankOf(given) !== null ? answerWords(given, answers).toLowerCase() : given;
  return `${count(n, "row")}: ${truth}, answered ${words}`;
}

/** The head of a column: "rank 41" for a grade. */
const shortWords = (name) => (rankOf(name) === null ? name : `rank ${rankOf(name)}`);
