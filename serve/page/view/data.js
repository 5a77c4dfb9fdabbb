/** Data: the rows that learners see, and how well attributes tell positions apart. */
import { about, latest } from "/page/api.js";
import { href, linkTo } from "/page/address.js";
import { Board, smallBoard } from "/page/board.js";
import { endgameChooser, field, playerChooser, select } from "/page/choosers.js";
import { tabLinks } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import { boardList } from "/page/examples.js";
import { capital, count, movesOf, nameOf, position, sideToMove, START } from "/page/game.js";
import { legend } from "/page/legend.js";
import { notices } from "/page/notice.js";
import { pager, range } from "/page/pages.js";
import { later, TYPING } from "/page/timing.js";

const TABS = [
  ["rows", "Rows"],
  ["attributes", "Attributes of a position"],
  ["histogram", "Distances"],
  ["confusion", "Confusion"],
  ["sufficiency", "Sufficiency"],
];
/** The number of rows on a page. */
const PAGE = 50;
const CLASHES = 8;
const LEARNERS = [
  ["learner=cart", "CART, learned now"],
  ["learner=id3", "ID3, learned now"],
];

export async function show(main, first, go, signal) {
  let state = withDefaults(first);
  const notice = notices({ again: () => draw(true) });
  const tabs = tabLinks("Data", TABS);
  const body = h("div", { class: "stack" });
  const makers = {
    rows: rowsPart,
    attributes: attributesPart,
    histogram: histogramPart,
    confusion: confusionPart,
    sufficiency: sufficiencyPart,
  };
  const parts = {};
  let shown = null;
  fill(main, h("h1", {}, "Data"), tabs.element, notice.element, body);
  let sets = null;
  return {
    ready: draw(),
    update(next) {
      state = withDefaults(next);
      return draw();
    },
    leave() {
      for (const part of Object.values(parts)) part.leave?.();
    },
  };

  async function draw(afresh = false) {
    tabs.set(state.tab, (tab) => href({ tab }, kept(state)));
    sets ??= (await notice.run(() => about()))?.attribute_sets;
    if (!sets || signal.aborted) return;
    parts[state.tab] ??= makers[state.tab]();
    const part = parts[state.tab];
    if (shown !== part) {
      notice.clear();
      fill(body, part.element);
      shown = part;
    }
    await part.draw(afresh);
  }

  /** Creates a function that sends a request unless it equals the previous one. */
  function asker() {
    const ask = latest(signal);
    let key = null;
    return async (place, path, query, afresh) => {
      const next = JSON.stringify([path, query]);
      if (next === key && !afresh) return null;
      place.setAttribute("aria-busy", "true");
      const answer = await notice.run((options) => ask(path, query, options));
      place.removeAttribute("aria-busy");
      key = answer ? next : null;
      return answer ?? null;
    };
  }

  function materialChooser() {
    return endgameChooser({
      value: state.material,
      onChange: (material) =>
        go({ material, class: null, from: null, row: null, bar: null, cell: null, player: null }),
    });
  }

  function setChooser(extra = []) {
    const box = select([...extra, ...sets], state.set, (set) =>
      go({ set, class: null, from: null, row: null, cell: null }),
    );
    return { element: field("Attributes", box), set: (value) => (box.value = value) };
  }

  // Rows

  function rowsPart() {
    const ask = asker();
    const endgames = materialChooser();
    const set = setChooser(["krkopt"]);
    const classes = h("select", { onchange: () => go({ class: classes.value, from: null, row: null }) });
    const found = h("p", { class: "small", role: "status" });
    const box = h("div", { class: "rows-box" });
    const pages = h("div");
    const aside = h("aside", {
      class: "panel row-board",
      "aria-label": "The row's position",
      "aria-live": "polite",
    });
    let answer = null;
    let lines = [];
    const element = h(
      "div",
      { class: "with-board" },
      h(
        "section",
        { class: "panel", "aria-label": "Rows" },
        h("div", { class: "row" }, endgames.element, set.element, field("Class", classes)),
        h(
          "p",
          { class: "small" },
          "A row is a position with the weak side to move; it stands for all its mirror images. ",
          "Choose a row to show its board.",
        ),
        found,
        box,
        pages,
      ),
      aside,
    );
    return { element, draw };

    async function draw(afresh) {
      endgames.set(state.material);
      set.set(state.set);
      const query = {
        material: state.material,
        set: state.set,
        class: state.class,
        offset: whole(state.from),
        limit: PAGE,
      };
      const next = await ask(box, "/api/data/rows", query, afresh);
      if (signal.aborted) return;
      if (!next && notice.element.querySelector(".error")) return clear();
      if (next) {
        answer = next;
        drawTable();
      }
      drawChosen();
    }

    function clear() {
      fill(box);
      fill(pages);
      fill(aside, h("p", { class: "small" }, "No row is shown."));
      found.textContent = "";
    }

    function drawTable() {
      const { columns, rows, offset, all } = answer;
      fill(
        classes,
        h("option", { value: "" }, "All classes"),
        answer.classes.map(({ name, rows: n }) =>
          h("option", { value: name }, `${name} (${n.toLocaleString("en")})`),
        ),
      );
      classes.value = state.class ?? "";
      found.textContent = range({ offset, shown: rows.length, found: answer.found, all, word: "row" });
      lines = rows.map((row, i) => {
        const number = offset + i;
        const choose = () => go({ row: number + 1 }, { replace: true });
        const one = button((number + 1).toLocaleString("en"), choose, {
          class: "quiet row-number",
          "aria-pressed": "false",
          "aria-label": `Row ${number + 1}: show its board`,
        });
        return {
          number,
          row,
          one,
          element: h(
            "tr",
            { onclick: (event) => event.target.closest("button") || choose() },
            h("td", {}, one),
            row.values.map((value) => h("td", {}, value)),
          ),
        };
      });
      const caption = `Rows of ${state.material}, ${state.set}`;
      fill(
        box,
        h(
          "div",
          { class: "table-scroll data-rows", role: "region", "aria-label": caption, tabindex: "0" },
          h(
            "table",
            {},
            h("caption", { class: "unseen" }, caption),
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", { scope: "col" }, "Row"),
                columns.map((name) => h("th", { scope: "col" }, name)),
              ),
            ),
            h(
              "tbody",
              {},
              lines.map((line) => line.element),
            ),
          ),
        ),
      );
      box.onkeydown = (event) => {
        const at = lines.findIndex((line) => line.one === document.activeElement);
        const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
        if (at < 0 || to === undefined || !lines[to]) return;
        event.preventDefault();
        lines[to].one.focus();
      };
      fill(
        pages,
        pager({
          offset,
          limit: PAGE,
          found: answer.found,
          word: "rows",
          onGo: (from) => go({ from: from || null, row: null }),
        }),
      );
    }

    function drawChosen() {
      const chosen = lines.find((line) => String(line.number + 1) === state.row) ?? lines[0];
      for (const line of lines) {
        line.one.setAttribute("aria-pressed", String(line === chosen));
        line.element.classList.toggle("chosen", line === chosen);
      }
      if (!chosen) return void fill(aside, h("p", { class: "small" }, "No row is shown."));
      const { fen, values } = chosen.row;
      const key = `${fen} ${chosen.number} ${values.at(-1)}`;
      if (aside.dataset.key === key) return;
      aside.dataset.key = key;
      fill(
        aside,
        h("h2", {}, `Row ${(chosen.number + 1).toLocaleString("en")}: ${values.at(-1)}`),
        smallBoard(fen),
        h("p", { class: "example-words" }, sideToMove(fen)),
        h(
          "p",
          { class: "example-links" },
          h("a", { href: linkTo({ view: "explore", fen }) }, "Explore"),
          h(
            "a",
            {
              href: href(
                {
                  tab: "attributes",
                  fen,
                  moves: null,
                  at: null,
                  set: state.set === "krkopt" ? null : state.set,
                },
                kept(state),
              ),
            },
            "Its attributes",
          ),
        ),
      );
    }
  }

  // Attributes of a position

  function attributesPart() {
    const ask = asker();
    const find = latest(signal);
    const set = setChooser();
    const place = h("div", { class: "board-place" });
    const board = new Board(place, {
      fen: state.fen ?? START,
      label: "The position",
      mode: "setup",
      onSetup: (fen) => go({ fen, moves: null, at: null, material: null }, { replace: true }),
    });
    const turn = select(
      [
        ["w", "White"],
        ["b", "Black"],
      ],
      "w",
      (side) => {
        const [men] = here.split(" ");
        go({ fen: `${men} ${side} - - 0 1`, moves: null, at: null }, { replace: true });
      },
    );
    const fen = h("input", {
      type: "text",
      class: "fen",
      spellcheck: "false",
      autocomplete: "off",
      onchange: () =>
        fen.value.trim() && go({ fen: fen.value.trim(), moves: null, at: null, material: null }),
    });
    const typed = later((q) => go({ q }, { replace: true }), TYPING, signal);
    const search = h("input", {
      type: "search",
      value: state.q ?? "",
      placeholder: "king, edge, RBoxSize, ...",
      oninput: (event) => typed(event.target.value.trim()),
    });
    const keys = h("div");
    const found = h("p", { class: "small", role: "status" });
    const list = h("ul", { class: "attributes" });
    let here = START;
    let attributes = [];
    const element = h(
      "div",
      { class: "columns" },
      h(
        "div",
        { class: "side" },
        place,
        keys,
        h(
          "details",
          { open: !matchMedia("(max-width: 40rem)").matches },
          h("summary", {}, "To move, and FEN"),
          h("div", { class: "row" }, field("To move", turn), field("FEN", fen)),
        ),
      ),
      h(
        "section",
        { class: "panel", "aria-label": "Attributes" },
        h("div", { class: "row" }, set.element, field("Search", search)),
        h(
          "p",
          { class: "small" },
          "Point at an attribute to highlight on the board what it is about; ",
          "click to keep it. Men can be moved on the board.",
        ),
        found,
        list,
      ),
    );
    return { element, draw, leave: () => board.destroy() };

    async function draw(afresh) {
      set.set(state.set === "krkopt" ? "geometric" : state.set);
      if (document.activeElement !== search) search.value = state.q ?? "";
      const at = state.moves
        ? (await notice.run((options) => position(state, options, find)))?.fen
        : (state.fen ?? START);
      if (!at || signal.aborted) return;
      if (
        at !== here ||
        afresh ||
        board.fen.split(" ").slice(0, 2).join() !== at.split(" ").slice(0, 2).join()
      )
        board.show({ fen: at });
      here = at;
      if (document.activeElement !== fen) fen.value = at;
      turn.value = at.split(" ")[1] === "b" ? "b" : "w";
      const answer = await ask(
        list,
        "/api/data/attributes",
        { fen: at, set: state.set === "krkopt" ? "geometric" : state.set },
        afresh,
      );
      if (signal.aborted) return;
      if (answer) attributes = answer.attributes;
      else if (notice.element.querySelector(".error")) attributes = [];
      drawList();
    }

    function drawList() {
      const words = (state.q ?? "").toLowerCase();
      const shownOnes = attributes.filter(
        (one) => !words || `${one.name} ${one.meaning} ${one.sentence}`.toLowerCase().includes(words),
      );
      const focused = list.contains(document.activeElement) ? document.activeElement.dataset.name : null;
      found.textContent = attributes.length
        ? range({
            offset: 0,
            shown: shownOnes.length,
            found: shownOnes.length,
            all: attributes.length,
            word: "attribute",
          })
        : "";
      fill(
        list,
        shownOnes.map((one) => {
          const pressed = state.attribute === one.name;
          const head = button("", () => go({ attribute: pressed ? null : one.name }, { replace: true }), {
            class: "attribute",
            "aria-pressed": String(pressed),
            "data-name": one.name,
          });
          fill(
            head,
            h("span", { class: "attribute-name" }, h("code", {}, one.name), h("b", {}, one.value)),
            h("span", {}, one.sentence),
            h("span", { class: "small" }, `${capital(one.meaning)}: ${one.low} to ${one.high}`),
          );
          head.addEventListener("pointerenter", () => light(one));
          head.addEventListener("focus", () => light(one));
          head.addEventListener("pointerleave", () => light(held()));
          head.addEventListener("blur", () => light(held()));
          return h("li", {}, head);
        }),
      );
      if (focused) list.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
      const one = focused ? attributes.find(({ name }) => name === focused) : null;
      light(one ?? held());
    }

    function held() {
      return attributes.find((one) => one.name === state.attribute) ?? null;
    }

    function light(one) {
      board.mark(one?.marks ?? []);
      fill(keys, one && legend(one.marks));
    }
  }

  // Distances

  function histogramPart() {
    const ask = asker();
    const endgames = materialChooser();
    const turn = select(
      [
        ["black", "Black"],
        ["white", "White"],
      ],
      state.turn,
      (side) => go({ turn: side, bar: null }),
    );
    const image = h("img", { class: "chart", alt: "", hidden: true });
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
        image,
        list,
      ),
      aside,
    );
    return { element, draw };

    async function draw(afresh) {
      endgames.set(state.material);
      turn.value = state.turn;
      const next = await ask(
        list,
        "/api/data/histogram",
        { material: state.material, turn: state.turn },
        afresh,
      );
      if (signal.aborted) return;
      if (next) {
        answer = next;
        image.src = next.svg;
        image.alt =
          `Positions of ${next.material} by distance from mate, ${nameOf(next.turn)} to move. ` +
          "The table below has the same numbers.";
        image.hidden = false;
      } else if (notice.element.querySelector(".error")) {
        answer = null;
        image.hidden = true;
        fill(list);
        fill(aside);
      }
      if (answer) drawTable();
    }

    function drawTable() {
      const all = answer.rows.reduce((sum, row) => sum + row.positions, 0);
      const most = Math.max(1, ...answer.rows.map((row) => row.positions));
      const chosen = answer.rows.find((row) => row.class === state.bar) ?? answer.rows[0];
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
                const choose = () => go({ bar: row.class }, { replace: true });
                const bar = h("span", { class: "share", "aria-hidden": "true" }, h("span"));
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
                      "data-bar": row.class,
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

  // Confusion

  function confusionPart() {
    const ask = asker();
    const askBoards = latest(signal);
    const endgames = materialChooser();
    const players = playerChooser({
      label: "Tree or learner",
      value: state.who,
      material: state.material,
      other: false,
      filter: (player) => player.tree,
      extra: LEARNERS.map(([name, title]) => ({ name, title })),
      onChange: (who) =>
        go({
          player: who.startsWith("learner=") ? null : who,
          learner: who.startsWith("learner=") ? who.slice(8) : null,
          cell: null,
        }),
    });
    const set = setChooser();
    const share = h("input", {
      type: "number",
      min: 1,
      max: 100,
      step: 1,
      onchange: () => go({ share: share.value, cell: null }, { replace: true }),
    });
    const seed = h("input", {
      type: "number",
      min: 0,
      step: 1,
      onchange: () => go({ seed: seed.value, cell: null }, { replace: true }),
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
      const isLearned = state.who.startsWith("learner=");
      return isLearned
        ? {
            material: state.material,
            learner: state.who.slice(8),
            share: state.share ?? 50,
            set: state.set === "krkopt" ? "geometric" : state.set,
            seed: state.seed ?? 1,
          }
        : { material: state.material, player: state.who };
    }

    async function draw(afresh) {
      endgames.set(state.material);
      players.set(state.who, state.material);
      set.set(state.set === "krkopt" ? "geometric" : state.set);
      if (document.activeElement !== share) share.value = state.share ?? "50";
      if (document.activeElement !== seed) seed.value = state.seed ?? "1";
      learning.hidden = !state.who.startsWith("learner=");
      const next = await ask(box, "/api/data/confusion", query(), afresh);
      if (signal.aborted) return;
      if (next) {
        answer = next;
        text.textContent = next.text;
        drawMatrix();
      } else if (notice.element.querySelector(".error")) {
        answer = null;
        text.textContent = "";
        fill(box);
      }
      await drawCell(Boolean(next));
    }

    function drawMatrix() {
      const { classes, answers, counts } = answer;
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
            answers.map((name) =>
              h("th", { scope: "col", role: "columnheader", class: "steep" }, h("span", {}, name)),
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
              h("th", { scope: "row", role: "rowheader" }, classes[truth]),
              row.map((n, given) => {
                const cell = h(
                  "td",
                  {
                    role: "gridcell",
                    tabindex: "-1",
                    "data-cell": `${truth},${given}`,
                    "aria-selected": "false",
                    class: !n ? "none" : isJudged && classes[truth] !== answers[given] ? "wrong" : "right",
                    title: `${count(n, "row")}: ${classes[truth]}, answered ${answers[given]}`,
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
      const wide = answers.length;
      cells[0]?.setAttribute("tabindex", "0");
      const choose = (cell) => cell?.textContent && go({ cell: cell.dataset.cell }, { replace: true });
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
        h(
          "p",
          { class: "small" },
          "Choose a cell to show boards: click it, or use the arrow keys and Enter.",
        ),
        h("div", { class: "table-scroll" }, grid),
      );
    }

    async function drawCell(afresh) {
      const grid = box.querySelector("table");
      for (const cell of grid?.querySelectorAll("td") ?? []) {
        const isChosen = cell.dataset.cell === state.cell;
        cell.setAttribute("aria-selected", String(isChosen));
      }
      boards.hidden = !state.cell || !answer;
      if (boards.hidden) {
        boards.dataset.key = "";
        return;
      }
      const [truth, given] = state.cell.split(",").map(Number);
      const { classes, answers } = answer;
      const n = answer.counts[truth]?.[given];
      if (n === undefined) {
        boards.hidden = true;
        return;
      }
      const key = JSON.stringify([query(), state.cell]);
      if (boards.dataset.key === key && !afresh) return;
      boards.dataset.key = key;
      fill(
        boards,
        h("h2", {}, `${count(n, "row")}: ${classes[truth]}, answered ${answers[given]}`),
        wrong.element,
      );
      const found = await wrong.run((options) =>
        askBoards("/api/data/confusion/boards", { ...query(), truth, answer: given }, options),
      );
      if (found && boards.dataset.key === key) {
        boards.append(boardList(found.boards, { player: state.player, material: state.material }));
      }
    }
  }

  // Sufficiency

  function sufficiencyPart() {
    const ask = asker();
    const endgames = materialChooser();
    const set = setChooser();
    const positions = select(
      [
        ["canonical", "One of each orbit"],
        ["full", "The whole board"],
      ],
      state.positions ?? "canonical",
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
      endgames.set(state.material);
      set.set(state.set === "krkopt" ? "geometric" : state.set);
      positions.value = state.positions ?? "canonical";
      const next = await ask(
        box,
        "/api/data/sufficiency",
        {
          material: state.material,
          set: state.set === "krkopt" ? "geometric" : state.set,
          positions: state.positions ?? "canonical",
        },
        afresh,
      );
      if (signal.aborted) return;
      if (next) answer = next;
      else if (notice.element.querySelector(".error")) answer = null;
      drawAnswer();
    }

    function drawAnswer() {
      if (!answer) return void fill(box);
      const from = Math.min(whole(state.from), Math.max(0, answer.clashes.length - 1));
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
                      { material: state.material, label: `Clash ${from + i + 1}` },
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
}

function fact(term, value) {
  return h("div", {}, h("dt", {}, term), h("dd", {}, value.toLocaleString("en")));
}

function withDefaults(state) {
  const tab = TABS.some(([key]) => key === state.tab) ? state.tab : "rows";
  const material = state.material ?? "KRvK";
  // krkopt is for rook against the bare king only.
  const set = state.set ?? (tab === "rows" && material === "KRvK" ? "krkopt" : "geometric");
  return {
    ...state,
    tab,
    material,
    set,
    turn: state.turn ?? "black",
    who: state.learner ? `learner=${state.learner}` : (state.player ?? "learner=cart"),
  };
}

/** The state that all tabs share. */
const kept = ({ view, fen, moves, at, player, material, set }) => ({
  view,
  fen,
  moves,
  at,
  player,
  material,
  set,
});

function whole(text) {
  const n = Number(text);
  return Number.isInteger(n) && n > 0 ? n : 0;
}
