// Training: settings, a series that runs and is stopped, a human at the board, and the learner as a player.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, close, house, openTab, quiet, reload, state } from "./browser.mjs";
import { cell, click } from "./hand.mjs";

const { open } = house();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const field = (page, name) => page.getByLabel(name, { exact: true });
const settled = async (page) => {
  await page.waitForTimeout(350);
  await quiet(page);
};
const ended = (page, how) =>
  page.locator(`.heading .job-state[data-state=${how}]`).waitFor({ timeout: 15000 });
const status = (page) => page.locator(".training-board .outcome").innerText();
/** The figures of the score, by name. */
const score = async (page) =>
  Object.fromEntries(await page.locator(".score .facts > div").evaluateAll((facts) =>
    facts.map((fact) => [fact.children[0].textContent, Number(fact.children[1].firstChild.textContent.replace(",", ""))])));
const playedAtLeast = (page, games) =>
  page.waitForFunction(
    (least) => Number(document.querySelector(".score .facts dd")?.textContent.replace(",", "")) >= least,
    games, { timeout: 15000 });

test("sliders and fields say the same, and what does not apply is hidden", async () => {
  const page = await open("view=training");
  await quiet(page);
  for (const [name, value, least, most] of [["α", "0.3", "0", "1"], ["β", "5", "0", "10"], ["λ", "0.8", "0", "1"]]) {
    assert.equal(await field(page, name).inputValue(), value);
    const slider = field(page, `${name}, as a slider`);
    assert.equal(Number(await slider.inputValue()), Number(value));
    assert.deepEqual([await slider.getAttribute("min"), await slider.getAttribute("max")], [least, most]);
  }
  await field(page, "β, as a slider").fill("2.5");
  await settled(page);
  assert.equal(await field(page, "β").inputValue(), "2.5");
  assert.match(await field(page, "Command line").innerText(), /--beta 2\.5/);
  await field(page, "α").fill("0.05");
  await settled(page);
  assert.equal(await field(page, "α, as a slider").inputValue(), "0.05");
  assert.equal(state(page)["f.rate"], "0.05");
  await reload(page);
  // One key is one step.
  await field(page, "λ, as a slider").press("ArrowRight");
  await settled(page);
  assert.equal(await field(page, "λ").inputValue(), "0.801");
  await field(page, "α").fill("2");
  await settled(page);
  assert.match(await page.locator("[data-field=rate] .field-error").innerText(), /from 0 to 1/);
  assert.equal(await button(page, "Start").getAttribute("aria-disabled"), "true");
  await field(page, "α").fill("");
  await page.keyboard.press("Tab");
  await field(page, "Look-ahead").selectOption("2");
  await settled(page);
  // The study has other settings for two plies.
  assert.equal(await field(page, "α").inputValue(), "0.5");
  await field(page, "Learner").selectOption("improved");
  await settled(page);
  assert.equal(await field(page, "β").isVisible(), false);
  assert.equal(await field(page, "Inputs").isVisible(), false);
  assert.equal(await field(page, "α").inputValue(), "0.003");
  // No program was named when the server was started.
  await field(page, "Opponent").selectOption("engine");
  await settled(page);
  assert.match(await page.locator("[data-field=engine] .field-error").innerText(), /No chess program was named/);
  await close(page);
});

test("a series runs, is loaded anew and stopped; the learner is saved and plays", async () => {
  const page = await open("view=training&f.games=9000000", { viewport: { width: 1280, height: 900 } });
  await quiet(page);
  await button(page, "Start").click();
  await playedAtLeast(page, 20);
  assert.ok(state(page).job);
  for (const name of ["α", "β, as a slider", "Learner", "Games"]) {
    assert.equal(await field(page, name).isDisabled(), true, `${name} can be changed while the series runs`);
  }
  assert.equal(await field(page, "Games").inputValue(), "9000000");
  const { Played, Won, Drawn, Lost, Points } = await score(page);
  assert.equal(Won + Drawn + Lost, Played);
  assert.equal(Won + Drawn / 2, Points);
  assert.match(await status(page), /^Game [\d,]+: (the learner has (White|Black)\.|Checkmate|Stalemate|Fifty moves without|No (men|pieces) are left)/);
  assert.equal(await page.locator(".line-chart polyline").count(), 2);
  await axe(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await axe(page, "body", ["color-contrast"]);
  await page.emulateMedia({ colorScheme: "light" });

  // The board stands still if one does not want to see the games.
  await page.getByLabel("Show the games").uncheck();
  const drawn = () => page.locator(".board-picture .men").innerHTML();
  await page.waitForTimeout(500);
  const before = await drawn();
  await page.waitForTimeout(900);
  assert.equal(await drawn(), before);

  await page.reload();
  await playedAtLeast(page, Played + 1);
  const other = await openTab(page.context(), page.url());
  await playedAtLeast(other, Played + 1);
  await button(page, "Save as player").click();
  await field(page, "Name of the player").fill("Judit");
  await page.keyboard.press("Enter");
  await page.getByText("Saved: Judit can be chosen").waitFor();
  await button(page, "Stop").click();
  await Promise.all([ended(page, "stopped"), ended(other, "stopped")]);
  assert.equal(await field(page, "α").isDisabled(), false);
  for (const name of ["learner", "chart.svg", "games.csv"]) {
    await page.getByRole("link", { name, exact: true }).waitFor();
  }
  assert.match(await page.getByLabel("Report").innerText(), /of the points/);
  await page.reload();
  await ended(page, "stopped");
  await reload(page);

  // The saved learner sits in the other views.
  await page.getByRole("link", { name: "Let it play" }).click();
  await page.getByRole("heading", { level: 1, name: "Play" }).waitFor();
  await quiet(page);
  const choices = await page.locator("select option").allTextContents();
  assert.ok(choices.includes("Judit"));
  assert.match(state(page).white, /^trained:/);
  await page.locator("#groups").getByRole("link", { name: "Look up" }).click();
  await page.locator("#views").getByRole("link", { name: "Why" }).click();
  await quiet(page);
  await field(page, "Player").selectOption("Judit");
  await quiet(page);
  assert.match(await page.locator(".reason").innerText(), /^After \S+ it predicts [01]\.\d+, the highest of \d+ moves\./);
  await page.locator(".move").first().click();
  await quiet(page);
  assert.match(await page.locator("#main").innerText(), / instead: /);
  assert.deepEqual(other.errors, []);
  await close(page);
});

test("a human plays game after game", async () => {
  const page = await open("view=training&f.opponent=human&f.beta=1", { viewport: { width: 1280, height: 900 } });
  await quiet(page);
  await button(page, "Start").click();
  await page.getByText("Game 1: your move, with Black.").waitFor();
  // Black is at the bottom.
  const [e1, e8] = await Promise.all(["e1", "e8"].map((square) => cell(page, square).boundingBox()));
  assert.ok(e8.y > e1.y);
  await axe(page);
  await click(page, "e7e5");
  await page.waitForFunction(() =>
    document.querySelector('[data-square="e5"]').ariaLabel.includes("black pawn")
      && document.querySelector(".training-board .outcome").textContent.includes("your move"));
  // In the middle of a game the page is loaded anew.
  await page.reload();
  await page.getByText("Game 1: your move, with Black.").waitFor();
  await quiet(page);
  // By the keyboard.
  await cell(page, "d7").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector('[data-square="d6"]').ariaLabel.includes("black pawn"));
  await page.waitForFunction(() => document.querySelector(".training-board .outcome").textContent.includes("your move"));
  await button(page, "Resign").click();
  await page.getByText("Game 2: your move, with White.").waitFor();
  assert.match(await page.locator(".training-board").innerText(), /Game 1: the learner has won\. You have resigned\./);
  assert.deepEqual(await score(page), { Played: 1, Won: 1, Drawn: 0, Lost: 0, Points: 1 });
  const [white, black] = await Promise.all(["e1", "e8"].map((square) => cell(page, square).boundingBox()));
  assert.ok(white.y > black.y, "White is at the bottom in the second game");
  await click(page, "e2e4");
  await page.waitForFunction(() => document.querySelector(".training-board .outcome").textContent.includes("your move"));
  await button(page, "Stop").click();
  await ended(page, "stopped");
  assert.match(await status(page), /^Game 2 was stopped\.$/);
  assert.equal(await button(page, "Resign").isVisible(), false);
  await close(page);
});

test("series are found again, and form a view of their own", async () => {
  const page = await open("view=training&f.games=3");
  await quiet(page);
  await button(page, "Start").click();
  await ended(page, "done");
  const { job } = state(page);
  await page.goto(page.url().replace(/\?.*/, "?view=training"));
  await quiet(page);
  await page.locator(".job-list a").first().click();
  await ended(page, "done");
  assert.equal(state(page).job, job);
  assert.deepEqual((await score(page)).Played, 3);
  await page.locator("#views").getByRole("link", { name: "Experiments" }).click();
  await quiet(page);
  await page.getByRole("link", { name: /^A series of games/ }).first().click();
  await page.getByRole("heading", { level: 1, name: "Training" }).waitFor();
  await page.goto(page.url().replace(/\?.*/, "?view=training&job=999"));
  await page.getByText("There is no job").waitFor();
  page.errors.length = 0;
  await close(page);
});

test("a human plays on where the usual rules would draw, and begins again after a stop", async () => {
  const start = "4k3/8/8/8/8/8/8/R3K3+w+-+-+98+80";
  const page = await open(`view=training&f.opponent=human&f.colors=white&f.rate=0&f.start=${start}`);
  await quiet(page);
  for (let series = 0; series < 2; series += 1) {
    await button(page, "Start").click();
    for (const moves of ["e8f7", "f7e6"]) {
      await page.getByText("Game 1: your move, with Black.").waitFor();
      await quiet(page);
      await click(page, moves);
      await page.waitForFunction((to) =>
        document.querySelector(`[data-square="${to}"]`).ariaLabel.includes("black king"), moves.slice(2));
    }
    await page.getByText("Game 1: your move, with Black.").waitFor();
    await button(page, "Stop").click();
    await ended(page, "stopped");
  }
  await close(page);
});
