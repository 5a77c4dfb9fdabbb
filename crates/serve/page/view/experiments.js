/** Experiments: forms, running jobs, results. */
import { get } from "/page/api.js";
import { tabLinks } from "/page/controls.js";
import { fill, h } from "/page/dom.js";
import { sentence } from "/page/game.js";
import { notices } from "/page/notice.js";
import { comparison } from "/page/view/experiments/compare.js";
import { formAddress, noFields } from "/page/view/experiments/address.js";
import { experimentForm } from "/page/view/experiments/form.js";
import { jobPanel } from "/page/view/experiments/job.js";
import { jobList } from "/page/view/experiments/jobs.js";
import { follow, hear } from "/page/view/experiments/listening.js";

export async function show(main, first, go, signal) {
  let state = first;
  let shown = null; // what the body shows
  let leaveBody = () => {};
  const notice = notices({ again: () => draw() });
  const menuPlace = h("div");
  let menu = null;
  const body = h("div", { class: "stack" });
  const jobs = jobList({ go, signal, onDeleted });
  fill(
    main,
    h("h1", {}, "Experiments"),
    menuPlace,
    notice.element,
    h("div", { class: "with-jobs" }, body, jobs.element),
  );
  let experiments = null;
  jobs.look();
  return {
    ready: draw(),
    update(next) {
      state = next;
      return draw();
    },
    leave: () => leaveBody(),
  };

  async function draw() {
    if (!experiments) {
      const answer = await notice.run((options) => get("/api/experiments", {}, { ...options, signal }));
      if (!answer) return;
      ({ experiments } = answer);
      menu = tabLinks(
        "Experiments",
        experiments.map((one) => [one.verb, one.title]),
      );
    }
    const compared = state.job ? null : state.compare;
    const verb = state.job || compared ? null : state.verb;
    const key = state.job ? `job ${state.job}` : compared ? `compare ${compared}` : verb ? `verb ${verb}` : "";
    // The cards below are already a menu.
    if (!key) fill(menuPlace);
    else if (!menuPlace.firstChild) fill(menuPlace, menu.element);
    menu.set(verb, (one) => formAddress(one));
    jobs.mark(state.job);
    if (key === shown) return;
    shown = key;
    leaveBody();
    leaveBody = () => {};
    notice.clear();
    if (state.job) await drawJob(state.job);
    else if (compared) await drawComparison(compared.split(","));
    else if (verb) await drawForm(experiments.find((one) => one.verb === verb));
    else drawChoice();
  }

  function drawChoice() {
    fill(
      body,
      h(
        "ul",
        { class: "cards" },
        experiments.map((one) =>
          h(
            "li",
            {},
            h(
              "a",
              { class: "card", href: formAddress(one.verb) },
              h("b", {}, one.title),
              h("span", {}, sentence(one.about)),
            ),
          ),
        ),
      ),
    );
  }

  // A form

  function drawForm(experiment) {
    if (!experiment) {
      fill(body, h("p", { class: "notice" }, "There is no such experiment. Choose one above."));
      return undefined;
    }
    const control = new AbortController();
    leaveBody = () => control.abort();
    const empty = noFields(experiment);
    const form = experimentForm(experiment, {
      state,
      go,
      signal: AbortSignal.any([control.signal, signal]),
      onStart(job) {
        hear(job.id);
        jobs.look();
        go({ view: "experiments", job: job.id, verb: null, ...empty });
      },
      onReset() {
        go(empty);
        shown = null;
        draw();
      },
    });
    fill(body, form.element);
    return form.ready;
  }

  // A job

  function onDeleted(ids) {
    if (state.job && ids.includes(state.job)) showChoice();
    else if (state.compare?.split(",").some((id) => ids.includes(id))) showChoice();
  }

  function showChoice() {
    shown = null;
    jobs.look();
    go({ job: null, verb: null, compare: null });
  }

  async function drawJob(id) {
    const control = new AbortController();
    const both = AbortSignal.any([control.signal, signal]);
    leaveBody = () => control.abort();
    const job = await notice.run((options) =>
      get(`/api/jobs/${encodeURIComponent(id)}`, {}, { ...options, signal: both }),
    );
    if (both.aborted) return;
    if (!job) return void fill(body);
    const part = jobPanel({ signal: both, onChanged: jobs.look, onDeleted: showChoice });
    fill(body, part.element);
    part.draw(job);
    if (job.state !== "running") return;
    follow(job.id, {
      signal: both,
      panel: part,
      onNext(next) {
        part.draw(next);
        if (next.state !== "running") jobs.look();
      },
    });
  }

  async function drawComparison(ids) {
    const found = await notice.run((options) =>
      Promise.all(ids.map((id) => get(`/api/jobs/${encodeURIComponent(id)}`, {}, { ...options, signal }))),
    );
    if (signal.aborted || !found) return;
    const verbs = new Set(found.map((job) => job.verb));
    if (verbs.size > 1) {
      fill(body, h("p", { class: "notice" }, "Only experiments of one kind can be compared."));
      return;
    }
    fill(body, comparison(found, experiments.find((one) => verbs.has(one.verb))));
  }
}
