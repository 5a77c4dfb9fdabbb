/** Trees and strategies: as an ordered list of rules, as a picture, as an outline, and beside another. */
import { about } from "/page/api.js";
import { href } from "/page/address.js";
import { endgameChooser, endgameOf, playerChooser } from "/page/choosers.js";
import { tabLinks, viewHead } from "/page/controls.js";
import { fill, h } from "/page/dom.js";
import { count } from "/page/game.js";
import { namesSwitch } from "/page/names.js";
import { notices } from "/page/notice.js";
import { comparePart } from "./trees/compare.js";
import { outlinePart } from "./trees/outline.js";
import { picturePart } from "./trees/picture.js";
import { rulesPart } from "./trees/rules.js";
import { showSource } from "./trees/source.js";

const TABS = [
  ["rules", "Rules"],
  ["picture", "Picture"],
  ["outline", "Outline"],
];
/** The keys of the address that are about one tree. */
const FRESH = Object.fromEntries(
  ["q", "class", "from", "leaf", "rule", "differ"]
    .concat(["node", "open", "chosen", "show", "boards", "find", "hit"].flatMap((key) => [key, `${key}2`]))
    .map((key) => [key, null]),
);

export async function show(main, first, go, signal) {
  let state = withDefaults(first);
  let known = null; // what /api/about says
  const readable = (player) => player.tree || player.strategy || player.measure;
  const isReadable = (name) => Boolean(known?.players.some((one) => one.name === name && readable(one)));
  const isFor = (name, material) => {
    const endgame = known?.endgames.find((one) => one.material === material);
    // A player made by an experiment is not in the list.
    return !endgame || endgame.players.includes(name) || !known.players.some((one) => one.name === name);
  };
  // This is requested before the choosers are, so that their filters have it.
  about().then(
    (answer) => (known = answer),
    () => {},
  );
  const players = playerChooser({
    label: "Tree, strategy or measure",
    value: state.player,
    material: state.material,
    filter: (player) => readable(player) && isFor(player.name, state.material),
    onChange: async (player) =>
      go({ ...FRESH, player, material: (await endgameOf(player)) ?? state.material }),
  });
  const others = playerChooser({
    label: "Compare with",
    value: state.with ?? "",
    material: state.material,
    none: "Nothing",
    other: false,
    filter: (player) =>
      readable(player) && isFor(player.name, state.material) && player.name !== state.player,
    onChange: (player) => go({ ...FRESH, with: player || null }),
  });
  const endgames = endgameChooser({
    value: state.material,
    filter: (endgame) => endgame.players.some(isReadable),
    onChange: async (material) => {
      await about();
      const player = isFor(state.player, material)
        ? state.player
        : known.players.find((one) => readable(one) && isFor(one.name, material))?.name;
      go({ ...FRESH, material, player, with: null });
    },
  });
  const tabs = tabLinks("View of the tree", TABS);
  const size = h("p", { class: "tree-size", role: "status" });
  const notice = notices({ again: () => draw(true) });
  const body = h("div", { class: "stack" });
  const onSize = (material, what, words) =>
    (size.textContent = `${material || state.material}, ${what}: ${words}.`);
  const onTree = ({ material, leaves, nodes }) =>
    onSize(material, "a tree", `${count(leaves, "leaf", "leaves")}, ${count(nodes, "node")}`);
  const makers = {
    rules: () => rulesPart({ go, signal, notice, onSize }),
    picture: () => picturePart({ go, signal, onSize: onTree }),
    outline: () => outlinePart({ go, signal, onSize: onTree }),
    compare: () => comparePart({ go, signal }),
  };
  const parts = {};

  fill(
    main,
    h(
      "div",
      { class: "trees-head", role: "group", "aria-label": "Tree and view" },
      h("h1", {}, "Trees"),
      endgames.element,
      players.element,
      others.element,
      tabs.element,
    ),
    h("div", { class: "row small trees-size" }, size, namesSwitch()),
    notice.element,
    body,
  );
  return {
    ready: draw(),
    update(next) {
      state = withDefaults(next);
      players.set(state.player, state.material);
      others.set(state.with ?? "", state.material);
      endgames.set(state.material);
      return draw();
    },
    leave() {
      for (const part of Object.values(parts)) part.leave?.();
    },
  };

  async function draw(afresh = false) {
    showSource(main, state, signal);
    tabs.set(state.tab, (tab) => href({ tab }, state));
    // A strategy is a list of rules and a measure a list of terms, without a tree.
    tabs.element.hidden =
      Boolean(state.with) || (state.tab === "rules" && /^(strategy|measure)(:|$)/.test(state.player));
    const name = state.with ? "compare" : state.tab;
    size.hidden = name === "compare";
    parts[name] ??= makers[name]();
    const part = parts[name];
    if (body.firstChild !== part.element) {
      size.textContent = "";
      notice.clear();
      fill(body, part.element);
    }
    await part.draw(state, afresh);
  }
}

function withDefaults(state) {
  return {
    ...state,
    player: state.player ?? "theory",
    material: state.material ?? "KRvK",
    tab: TABS.some(([key]) => key === state.tab) ? state.tab : "rules",
  };
}
