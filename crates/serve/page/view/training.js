/** Training: a learner plays game after game against an opponent, and learns after every one. */
import { get } from "/page/api.js";
import { fill, h } from "/page/dom.js";
import { sentence } from "/page/game.js";
import { notices } from "/page/notice.js";
import { asFields, jobAddress, noFields } from "/page/view/experiments/address.js";
import { experimentForm } from "/page/view/experiments/form.js";
import { began, jobPanel, STATES } from "/page/view/experiments/job.js";
import { follow, hear } from "/page/view/experiments/listening.js";
import { gamePart } from "/page/view/training/game.js";
import { scorePart } from "/page/view/training/score.js";

const VERB = "training";

export async function show(main, first, go, signal) {
  let state = first;
  let experiment = null;
  let form = null;
  let job = null;
  let leaveJob = () => {};
  const notice = notices({ again: () => draw() });
  const about = h("p", {});
  const formPlace = h("div", { class: "stack" });
  const jobPlace = h("div", { class: "stack" });
  const earlier = h("section", { class: "panel", hidden: true });
  const game = gamePart({ go, signal, job: () => job });
  const score = scorePart();
  fill(
    main,
    h("div", { class: "view-head" }, h("h1", {}, "Training"), about),
    notice.element,
    h(
      "div",
      { class: "training-parts" },
      h("div", { class: "training-board" }, game.element),
      h("div", { class: "stack" }, score.figures, score.chart, jobPlace, earlier),
      formPlace,
    ),
  );
  game.update(state);
  return {
    ready: draw(),
    update(next) {
      const isOther = next.job !== state.job;
      state = next;
      game.update(state);
      return isOther ? draw() : undefined;
    },
    leave() {
      leaveJob();
      game.leave();
    },
  };

  async function draw() {
    leaveJob();
    leaveJob = () => {};
    notice.clear();
    const wanted = state.job;
    const found = await notice.run((options) =>
      Promise.all([
        experiment ?? get("/api/experiments", {}, { ...options, signal }).then(ours),
        state.job ? get(`/api/jobs/${encodeURIComponent(state.job)}`, {}, { ...options, signal }) : null,
      ]),
    );
    if (!found || signal.aborted || wanted !== state.job) return;
    [experiment, job] = found;
    fill(about, `${sentence(experiment.about)} ${experiment.makes}`);
    if (job && job.verb !== VERB) {
      job = null;
      notice.show("This job is not a series of games. You find it under Experiments.");
    }
    drawForm();
    drawJob();
    await look();
  }

  function ours({ experiments }) {
    return experiments.find((one) => one.verb === VERB);
  }

  // The settings

  /** The form, with the settings of the job. Those in the address come first, since they are newer. */
  function drawForm() {
    const control = new AbortController();
    const empty = noFields(experiment);
    form?.control.abort();
    form = experimentForm(experiment, {
      state: { ...(job ? asFields(job.fields) : {}), ...state },
      go,
      signal: AbortSignal.any([control.signal, signal]),
      compact: true,
      onStart(started) {
        hear(started.id);
        go({ job: started.id, ...empty });
      },
      onReset() {
        go({ job: null, ...empty });
        if (!job) drawForm();
      },
    });
    form.control = control;
    fill(formPlace, form.element);
  }

  // A series

  function drawJob() {
    game.show(job);
    score.show(job);
    form.lock(job?.state === "running");
    if (!job) return void fill(jobPlace);
    const control = new AbortController();
    const both = AbortSignal.any([control.signal, signal]);
    leaveJob = () => control.abort();
    const panel = jobPanel({ signal: both, isWhole: false, onChanged: look, onDeleted: () => go({ job: null }) });
    fill(jobPlace, panel.element);
    panel.draw(job);
    if (job.state !== "running") return;
    follow(job.id, {
      signal: both,
      panel,
      onNext(next) {
        job = next;
        panel.draw(job);
        game.show(job);
        score.show(job);
        if (job.state === "running") return;
        form.lock(false);
        look();
      },
    });
  }

  /** The series so far, the newest first. */
  async function look() {
    const answer = await get("/api/jobs", {}, { signal }).catch(() => null);
    if (!answer || signal.aborted) return;
    const jobs = answer.jobs.filter(({ verb }) => verb === VERB).reverse();
    earlier.hidden = jobs.length === 0;
    fill(
      earlier,
      h("h2", {}, "Series so far"),
      h(
        "ul",
        { class: "job-list" },
        jobs.map((one) =>
          h(
            "li",
            {},
            h(
              "a",
              {
                href: jobAddress(one),
                "aria-current": one.id === job?.id ? "page" : null,
              },
              one.name,
            ),
            h("span", { class: "job-state", "data-state": one.state }, STATES[one.state] ?? one.state),
            h("span", { class: "small" }, began(one)),
          ),
        ),
      ),
    );
  }
}
