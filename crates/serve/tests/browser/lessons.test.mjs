// The index of the lessons, and the rail of a lesson with its steps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, close, house, quiet, state } from "./browser.mjs";
import { click } from "./hand.mjs";

const { open } = house();
const PATIENCE = 60000;
const cards = (page) => page.locator(".lesson-card");
/** The steps of the stage that is open, or of a lesson without stages. */
const steps = (page) => page.locator(".rail .rail-steps").first().getByRole("link");
const step = (page, name) => steps(page).filter({ hasText: name });
const here = (page) => page.locator(".rail [aria-current=step]").allInnerTexts();

test("the lessons are cards in groups, and each leads to its lesson and back", async () => {
  const page = await open("view=lesson");
  await quiet(page);
  assert.deepEqual(await page.locator("#main h2").allInnerTexts(), ["Mates", "Pawns", "Against a pawn", "Rook endings"]);
  assert.equal(await page.locator(".rail").isVisible(), false);
  const all = await cards(page).evaluateAll((found) =>
    found.map((card) => [new URL(card.href).searchParams.get("material"), card.querySelector("b").textContent]));
  assert.equal(all.length, 10);
  assert.equal(await cards(page).locator("svg").count(), all.length, "each has a board");
  assert.match(await cards(page).filter({ hasText: "Mate with the rook" }).innerText(), /0 of 3 stages mastered/);
  for (const [material, title] of [all[1], all.at(-1)]) {
    await cards(page).filter({ hasText: title }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await quiet(page, PATIENCE);
    assert.equal(state(page).material, material);
    await page.getByRole("link", { name: "All lessons" }).click();
    await page.getByRole("heading", { level: 1, name: "Lessons" }).waitFor();
  }
  // Every other endgame is found by typing.
  await page.getByRole("combobox", { name: "Another endgame" }).fill("kqkr");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Queen against rook" }).waitFor();
  await close(page);
});

test("the rail goes through the steps of a stage, and ticks what is solved and mastered", async () => {
  const page = await open("view=lesson&material=KPvK&stage=3", { viewport: { width: 1280, height: 720 } });
  await quiet(page, PATIENCE);
  assert.equal(await page.locator(".rail-stage").count(), 5);
  assert.deepEqual(await steps(page).allInnerTexts(), ["Read", "Try", "Play"]);
  assert.deepEqual(await here(page), ["Read"]);
  await step(page, "Try").focus();
  await page.keyboard.press("Enter");
  await quiet(page, PATIENCE);
  assert.deepEqual([state(page).tab, state(page).n], ["exercises", "3"]);
  assert.deepEqual(await here(page), ["Try"]);
  assert.equal(await page.locator(":focus").innerText(), "Try", "the keyboard stays in the rail");
  await click(page, "b2c3");
  await page.getByText("Kc3 is right.").waitFor();
  assert.match(await step(page, "Try").innerText(), /\u2713\s+solved/);
  await page.getByRole("link", { name: "Go on: play it" }).click();
  await quiet(page, PATIENCE);
  assert.deepEqual([state(page).tab, state(page).stage], ["practice", "3"]);
  assert.deepEqual(await here(page), ["Play"]);
  await page.evaluate(async () => {
    const { recordGame } = await import("/page/mastery.js");
    for (const id of ["a", "b", "c"]) recordGame("KPvK", 3, { id, position: id, good: true, hard: true });
  });
  await page.reload();
  await quiet(page, PATIENCE);
  assert.match(await step(page, "Play").innerText(), /\u2713\s+mastered/);
  assert.match(await page.locator(".rail-stage").nth(2).innerText(), /\u2713/);
  assert.equal(await page.locator(".rail-stages .tick").count(), 3);
  // Another stage opens at its first step, and the whole endgame stands below all of them.
  await page.locator(".rail-stage").nth(1).click();
  await quiet(page, PATIENCE);
  assert.deepEqual([state(page).tab, state(page).stage], [undefined, "2"]);
  await page.locator(".rail").getByRole("link", { name: "Against the mate" }).click();
  await quiet(page, PATIENCE);
  assert.deepEqual([state(page).tab, state(page).side], ["practice", "weak"]);
  assert.deepEqual(await here(page), ["Against the mate"]);
  await axe(page);
  await close(page);
});

test("a lesson without stages has three steps", async () => {
  const page = await open("view=lesson&material=KRPvKR");
  await quiet(page);
  assert.deepEqual(await page.locator(".rail a").allInnerTexts(), ["Read", "Try", "Play"]);
  await step(page, "Try").click();
  await quiet(page);
  assert.equal(state(page).tab, "exercises");
  assert.deepEqual(await here(page), ["Try"]);
  await close(page);
});
