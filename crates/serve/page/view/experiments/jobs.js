/** The list of all experiments, the newest first, and of the saved players. */
import { forgetAbout, get, isAbort, post } from "/page/api.js";
import { href } from "/page/address.js";
import { button, fill, h } from "/page/dom.js";
import { count } from "/page/game.js";
import { notices } from "/page/notice.js";
import { jobAddress } from "/page/view/experiments/address.js";
import { confirmation } from "/page/view/experiments/ask.js";
import { began, STATES } from "/page/view/experiments/job.js";

const LOOK_AGAIN = 3000;
/** The most experiments that are compared. */
const MOST_COMPARED = 4;

/**
 * @param {{go: function(Object), signal: AbortSignal, onDeleted: function(string[])}} options onDeleted: gets the ids
 * @returns {{element: HTMLElement, look: function(), mark: function(string|undefined)}} look: reads the list anew; mark:
 *   the job that is shown
 */
export function jobList({ go, signal, onDeleted }) {
  const wrong = notices();
  const list = h("div");
  const asked = h("div");
  const players = h("div", { class: "stack" });
  const place = h("p", { class: "small" });
  const compare = button("Compare", () =>
    go({ view: "experiments", compare: [...picked].join(","), job: null, verb: null }),
  );
  const remove = button("Delete", () =>
    confirmation(asked, {
      question: `Delete ${count(picked.size, "experiment")} and the files?`,
      yes: "Delete",
      onYes: deletePicked,
      back: remove,
    }),
  );
  const why = h("p", { class: "small", role: "status" });
  const actions = h(
    "div",
    { class: "stack", hidden: true },
    h("div", { class: "row" }, compare, remove),
    why,
  );
  const element = h(
    "aside",
    { class: "panel jobs", "aria-label": "Experiments so far" },
    h("h2", {}, "Experiments so far"),
    wrong.element,
    list,
    actions,
    asked,
    players,
    place,
  );
  const picked = new Set();
  let chosen = null;
  let known = [];
  let drawn = "";
  let timer = 0;

  const soon = () => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(look, LOOK_AGAIN);
  };

  async function look() {
    clearTimeout(timer);
    if (document.hidden) return soon();
    try {
      const answer = await get("/api/jobs", {}, { signal });
      known = answer.jobs;
      for (const id of picked) if (!known.some((job) => job.id === id)) picked.delete(id);
      drawList();
      drawPlayers(answer.players);
      fill(place, "The files are in ", h("code", {}, answer.folder), ".");
    } catch (error) {
      if (isAbort(error)) return undefined;
      // The list stays; the shell says that the server is gone.
      if (error.status !== 0) wrong.show(error);
    }
    return soon();
  }

  async function deletePicked() {
    const gone = [];
    for (const id of [...picked]) {
      if (await wrong.run(() => post(`/api/jobs/${id}/forget`, {}, { signal }))) gone.push(id);
    }
    forgetAbout();
    await look();
    onDeleted(gone);
  }

  function drawActions() {
    const jobs = known.filter((job) => picked.has(job.id));
    actions.hidden = jobs.length === 0;
    const isOneKind = new Set(jobs.map((job) => job.verb)).size === 1;
    compare.disabled = !(isOneKind && jobs.length >= 2 && jobs.length <= MOST_COMPARED);
    remove.disabled = jobs.some((job) => job.state === "running");
    why.textContent = !isOneKind
      ? "Only experiments of one kind can be compared."
      : jobs.length < 2
        ? "Choose another one to compare."
        : jobs.length > MOST_COMPARED
          ? `At most ${MOST_COMPARED} are compared.`
          : "";
  }

  function drawList() {
    drawActions();
    const text = JSON.stringify([
      chosen,
      known.map((job) => [job.id, job.name, job.state, Math.round(100 * share(job))]),
    ]);
    if (text === drawn) return;
    drawn = text;
    const active = list.contains(document.activeElement) ? document.activeElement : null;
    const focused = active && [active.dataset.job, active.type];
    fill(
      list,
      known.length
        ? h("ul", { class: "job-list" }, [...known].reverse().map(item))
        : h("p", { class: "small" }, "No experiment has been started."),
    );
    if (!focused) return;
    const same = [...list.querySelectorAll(`[data-job="${CSS.escape(focused[0])}"]`)];
    same.find((one) => one.type === focused[1])?.focus({ preventScroll: true });
  }

  function item(job) {
    return h(
      "li",
      {},
      h("input", {
        type: "checkbox",
        checked: picked.has(job.id),
        "data-job": job.id,
        "aria-label": `Choose ${job.name}`,
        onchange(event) {
          if (event.target.checked) picked.add(job.id);
          else picked.delete(job.id);
          drawActions();
        },
      }),
      h(
        "a",
        {
          href: jobAddress(job),
          "data-job": job.id,
          "aria-current": job.id === chosen ? "page" : null,
        },
        job.name || job.title,
      ),
      h("span", { class: "job-state", "data-state": job.state }, STATES[job.state] ?? job.state),
      job.state === "running"
        ? h("progress", { max: 1, value: share(job) || null, "aria-label": `Progress of ${job.name}` })
        : h("span", { class: "small" }, began(job)),
    );
  }

  function drawPlayers(saved) {
    const text = JSON.stringify(saved);
    if (players.dataset.drawn === text) return;
    players.dataset.drawn = text;
    fill(
      players,
      saved.length > 0 && h("h3", {}, "Saved players"),
      saved.length > 0 &&
        h(
          "ul",
          { class: "job-list" },
          saved.map(({ name, player }) => {
            const gone = button(
              "Delete",
              () =>
                confirmation(asked, {
                  question: `Delete the player ${name}?`,
                  yes: "Delete it",
                  back: gone,
                  async onYes() {
                    await wrong.run(() =>
                      post(`/api/players/${encodeURIComponent(name)}/forget`, {}, { signal }),
                    );
                    forgetAbout();
                    look();
                  },
                }),
              { class: "quiet", "aria-label": `Delete the player ${name}` },
            );
            const play = { view: "arena", white: player, black: "tablebase" };
            return h("li", {}, h("a", { href: href(play, {}) }, name), gone);
          }),
        ),
    );
  }

  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  document.addEventListener("visibilitychange", () => document.hidden || look(), { signal });
  fill(list, h("p", { class: "small" }, "Loading..."));
  return {
    element,
    look,
    mark(id) {
      chosen = id ?? null;
      if (known.length) drawList();
    },
  };
}

/** The share of a job's work that is done, from 0 to 1. */
function share({ progress }) {
  return progress?.total ? progress.done / progress.total : 0;
}
