/** The navigation: four groups of views, the views of the group that is open, and the addresses at which groups were left. */
import { href, SHARED } from "/page/address.js";
import { fill, h } from "/page/dom.js";
import { icon } from "/page/icons.js";

/** The views by their names: titles in the order of the navigation. */
export const GROUPS = [
  { name: "learn", title: "Learn", views: [["lesson", "Lessons"]] },
  {
    name: "look",
    title: "Look up",
    views: [
      ["explore", "Position"],
      ["why", "Why"],
      ["verdicts", "Rules"],
    ],
  },
  { name: "play", title: "Play", views: [["arena", "Play"]] },
  {
    name: "laboratory",
    title: "Laboratory",
    views: [
      ["trees", "Trees"],
      ["training", "Training"],
      ["experiments", "Experiments"],
      ["data", "Data"],
    ],
  },
];

/** The start page, which belongs to no group. */
export const START_VIEW = "start";

const groupOf = (view) => GROUPS.find(({ views }) => views.some(([name]) => name === view));

/** The title of a view; undefined if there is no such view. @param {string} view */
export function titleOf(view) {
  if (view === START_VIEW) return "Endgames, solved and explained";
  return groupOf(view)?.views.find(([name]) => name === view)[1];
}

const KEY = "lucena.left";

/** The addresses at which groups were left, by their names. Storage may be refused. */
function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** The query of the address at which a group was left; null if it has not been seen. @param {string} group */
export const leftAt = (group) => recall()[group] ?? null;

/** Keeps the address of a view, unless it is a list of what could be opened. @param {Object} state */
export function keepAddress({ view, material }) {
  const group = groupOf(view);
  if (!group || (view === "lesson" && !material)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recall(), [group.name]: location.search }));
  } catch {
    // Storage may be forbidden in a private window.
  }
}

const groups = document.getElementById("groups");
const views = document.getElementById("views");
const links = GROUPS.map(({ name, title, views: [[first]] }) => {
  const link = h("a", { href: `/?view=${first}`, "data-group": name }, icon(name), h("span", {}, title));
  return link;
});
fill(groups, links);

/** Marks the view that is shown, and gives the links the position and the player of the state. @param {Object} state */
export function drawNavigation(state) {
  const shared = Object.fromEntries(SHARED.filter((key) => state[key]).map((key) => [key, state[key]]));
  const to = (view) => href({ view }, { ...shared, view: "" });
  const here = groupOf(state.view);
  for (const [
    i,
    {
      name,
      views: [[first]],
    },
  ] of GROUPS.entries()) {
    links[i].href = to(first);
    if (name === here?.name) links[i].setAttribute("aria-current", "true");
    else links[i].removeAttribute("aria-current");
  }
  const siblings = here && here.views.length > 1 ? here.views : [];
  views.hidden = siblings.length === 0;
  fill(
    views,
    siblings.map(([name, title]) =>
      h(
        "a",
        { href: to(name), "data-view": name, "aria-current": name === state.view ? "page" : null },
        title,
      ),
    ),
  );
}
