/**
 * The shell: the navigation, the state in the address, and the views.
 *
 * A VIEW is a module view/NAME.js, loaded when it is first shown:
 *
 *   export async function show(main, state, go, signal) -> nothing | { update(state), leave(), ready }
 *
 *   main     an empty element that the view fills and owns. Its content begins with one <h1>.
 *   state    the query string as a frozen object of strings: { view, fen, moves, at, player, material, ... };
 *            missing keys are undefined. All state that a bookmark should keep is in here.
 *   go       go(changes, { replace = false }): the only way to change the state. `changes` is merged into the
 *            state; null, undefined and "" remove a key. A new `view` keeps the shared keys and drops the
 *            others. `replace` adds no history entry (for typing, sliders, stepping through a line).
 *   signal   an AbortSignal that fires when the view is left. Pass it to all functions of api.js.
 *   update   called with each new state of the same view (after go, back, forward). A view
 *            without it is left and shown again. Calls may overlap: use latest() of api.js, so that an old
 *            answer never overwrites a newer one.
 *   leave    called when the view is left: board.destroy(), timers.
 *   ready    a promise of the first answers. show itself should not wait for answers: until it has returned
 *            { update }, a change of the state makes the shell show the view again. Errors of ready are shown.
 *
 * Shared keys: fen (start), moves (UCI, separated by commas), at (the number of moves on the board; default
 * all), player, material. The position on the board is `await position(state, options)` of game.js.
 * Every other key belongs to its view: tab, node, leaf, rule, class, ...
 *
 * A link to a state is an ordinary <a href="/?view=why&fen=...">: href(changes, state) of address.js creates
 * it, and the shell opens it without loading the page. Errors thrown by show or update are shown in an error
 * box; an AbortError is dropped.
 *
 * Modules that views share:
 *   address.js   read(), href(changes, state), linkTo(changes), SHARED
 *   api.js       get, post, latest, listen, about, ApiError, isAbort
 *   dom.js       h(tag, attributes, ...children), fill(element, ...children), button(text, onclick,
 *                attributes)
 *   notice.js    notices({ again }) - a bar and an error box with run(work) -, errorBox(error, again),
 *                progressBar()
 *   choosers.js  playerChooser(options), endgameChooser(options), select(choices, value, onChange),
 *                field(label, control, help)
 *   game.js      position(state, options), START, playedMoves(state), count(n, word), capital(text), ...
 *   keys.js      boardKeys(options): keys, wheel and their help for a board
 *   moves.js     moveList(options), moveLine(options)
 *   controls.js  tabLinks(label, tabs), check(text, checked, onChange), copyButton(text)
 *   classes.js   distanceWords(name), answerWords(name, names): the classes of positions in words
 *   scale.js     tint(element, name, names), swatch(name, names), scaleKey(names, words): the colours of classes
 *   names.js     attributeName(figures), namesSwitch(): names of attributes, hidden until they are wanted
 *   examples.js  boardList(boards, options)
 *   pages.js     pager(options), range(options), whole(text) for long lists
 *   share.js     sharePanel(options), showTeacherWords(main, state, signal, { hasPanel }): links for a pupil
 *   timing.js    later(work, milliseconds), wait(milliseconds)
 *   table.js     table(options)
 *   legend.js    legend(marks)
 *   refutation.js refutation(options) - plays the line that punishes a wrong move
 *   mastery.js   what "mastered" means: progressOf(material, stage), recordGame(...), isMastered(...)
 *   lessons.js   LESSONS, lessonOn(material): the endgames that have a lesson
 *   room.js      the room of a king: roomMark(marks), roomWords(marks, goal)
 *   chart.js     lineChart(options), barChart(options)
 *   icons.js     icon(name)
 *   navigation.js the groups of views: drawNavigation(state), titleOf(view), leftAt(group)
 *   solve.js     offerToSolve(element, unsolved, again): an endgame that takes long, loaded by notice.js
 *   winner.js    winnerOf(outcome, turn), winnerClass(winner), winnerLegend(): the colours of who wins
 * The classes for layout are listed at the top of style.css.
 */
import { read, href } from "/page/address.js";
import { about, askWhetherThere, BACK, GONE, isAbort } from "/page/api.js";
import { errorBox } from "/page/notice.js";
import { fill, h } from "/page/dom.js";
import { drawNavigation, keepAddress, START_VIEW, titleOf } from "/page/navigation.js";

const main = document.getElementById("main");
let current = null; // { name, view, control, place }

/** Changes the state. */
function go(changes, { replace = false } = {}) {
  const next = href(changes, read());
  if (next === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", next);
  route(true);
}

function leave() {
  if (!current) return;
  const left = current;
  current = null;
  left.control.abort();
  try {
    left.view?.leave?.();
  } catch (error) {
    console.error(error);
  }
}

async function route(moved = false) {
  const asked = read();
  const name = titleOf(asked.view) ? asked.view : asked.fen ? "explore" : START_VIEW;
  const state = Object.freeze({ ...asked, view: name });
  drawNavigation(state);
  keepAddress(state);
  if (current?.name === name && current.view?.update) return run(() => current.view.update(state), current);
  const again = current?.name === name;
  leave();
  const mine = {
    name,
    view: null,
    control: new AbortController(),
    place: h("div", { class: `view ${name}` }),
  };
  current = mine;
  document.title = `${titleOf(name)} - lucena`;
  fill(main, mine.place);
  mine.place.append(h("p", { class: "small", role: "status" }, "Loading..."));
  await run(async () => {
    const module = await import(`/page/view/${name}.js`);
    if (current !== mine) return;
    fill(mine.place);
    const shown = module.show(mine.place, state, go, mine.control.signal);
    // The focus moves to the heading as soon as the view has drawn it, so that the keyboard starts there.
    if (moved && !again) focusHeading(mine.place);
    const view = await shown;
    if (current !== mine) {
      view?.leave?.();
      return;
    }
    mine.view = view ?? {};
    // The first answers may take long; meanwhile the view is told of state changes.
    const ready = Promise.resolve(mine.view.ready);
    // The state may have moved on while the view was being drawn.
    const now = read();
    if (JSON.stringify({ ...now, view: name }) !== JSON.stringify(state)) route();
    await ready;
  }, mine);
}

async function run(work, mine) {
  try {
    await work();
  } catch (error) {
    if (isAbort(error) || current !== mine) return;
    if (error?.status === 0) return;
    console.error(error);
    mine.place.querySelector(":scope > .error")?.remove();
    mine.place.prepend(
      errorBox(error, () => {
        leave();
        route();
      }),
    );
  }
}

function focusHeading(place) {
  const heading = place.querySelector("h1");
  if (!heading) return main.focus({ preventScroll: true });
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
}

document.addEventListener("click", (event) => {
  if (
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = event.target.closest?.("a[href]");
  if (!link || link.target || link.hasAttribute("download")) return;
  const to = new URL(link.href);
  if (to.origin !== location.origin || to.pathname !== "/" || to.hash) return;
  event.preventDefault();
  if (to.search === location.search) return;
  history.pushState(null, "", to.pathname + to.search);
  route(true);
});
addEventListener("popstate", () => route(true));

// A server that is gone is said once, for all views. What is on the page stays.
const ASK_AGAIN = 2000;
const gone = h(
  "div",
  { class: "gone", role: "alert", hidden: true },
  h(
    "p",
    {},
    h("b", {}, "The server does not answer."),
    " Is lucena serve still running? What you see stays, and the page goes on once the server is back.",
  ),
);
main.before(gone);
let asking = 0;
addEventListener(GONE, () => {
  gone.hidden = false;
  clearInterval(asking);
  asking = setInterval(askWhetherThere, ASK_AGAIN);
});
addEventListener(BACK, () => {
  gone.hidden = true;
  clearInterval(asking);
  // A view that could not be loaded is loaded now.
  if (!current?.view) {
    leave();
    route();
  }
});

about().then(
  (known) => fill(document.getElementById("version"), known.version),
  () => {},
);
route();
