// Links that a teacher hands to a pupil: a position, a set of positions, a lesson.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, close, house, open as openPage, quiet, reload, state } from "./browser.mjs";
import { cell, click, marks, men } from "./hand.mjs";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
const QUEEN = "8/8/8/8/3k4/8/3K4/3Q4 w - - 0 1";
const house_ = house();
const { open } = house_;
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, colorScheme: "dark" };
const main = (page) => page.locator("#main").innerText();

/** Makes a link from a panel and opens it, as a pupil does. */
async function handOver(page, options) {
  await page.getByRole("button", { name: "Make the link" }).click();
  await quiet(page);
  await axe(page);
  await page.getByText(/It works on this machine only, since its address begins with 127\.0\.0\.1/).waitFor();
  const link = await page.getByLabel("The link").inputValue();
  return [await openPage(house_.browser, link, options), link];
}

test("a position with a task: the pupil tries it, then asks for the answers", async () => {
  const page = await open(`view=explore&fen=${ROOK.replaceAll(" ", "+")}`);
  await quiet(page);
  await page.getByText("Hand it to a pupil").click();
  const panel = page.locator("details.panel", { hasText: "Hand it to a pupil" });
  const uncovered = await panel.evaluate((one) => one.scrollHeight - one.clientHeight);
  assert.ok(uncovered <= 0, `${uncovered} pixels of the panel are cut off`);
  await page.getByLabel("Your words to the pupil").fill("Cut the <b>king</b> off.\nWhich move is best?");
  const [pupil] = await handOver(page, PHONE);
  await quiet(pupil);
  assert.match(await main(pupil), /Your task\s+Cut the <b>king<\/b> off\.\s+Which move is best\?/, "shown as text only");
  assert.equal(await men(pupil), "Ka1 Rh1 kd5");
  for (const word of [/mates in/, /Lines of play/, /White wins/]) assert.doesNotMatch(await main(pupil), word);
  await axe(pupil);
  // Neither keys, signs on squares nor arrows tell an answer.
  await pupil.keyboard.press("ArrowRight");
  await pupil.keyboard.press("b");
  assert.equal(state(pupil).line, undefined);
  assert.equal(await marks(pupil), "");
  await cell(pupil, "h1").click();
  assert.equal(await pupil.locator(".aim.known").count(), 0);
  await cell(pupil, "h4").click();
  await quiet(pupil);
  assert.equal(state(pupil).moves, "h1h4");
  assert.doesNotMatch(await main(pupil), /mates in/);
  await pupil.getByRole("button", { name: "Begin again" }).click();
  await quiet(pupil);
  assert.equal(await men(pupil), "Ka1 Rh1 kd5");
  await reload(pupil);
  await pupil.getByRole("button", { name: "Show the answers" }).click();
  await quiet(pupil);
  assert.match(await main(pupil), /White mates in 15/);
  assert.equal(await pupil.evaluate(() => document.documentElement.scrollWidth), 390);
  await axe(pupil);
  await pupil.getByRole("link", { name: "Play it out" }).click();
  await quiet(pupil);
  assert.deepEqual([state(pupil).view, state(pupil).white, state(pupil).task], ["arena", "human", undefined]);
  await close(pupil);
  await close(page);
});

test("several positions are one set with a counter", async () => {
  const page = await open("view=explore");
  await quiet(page);
  await page.getByText("Hand it to a pupil").click();
  await page.getByLabel("Several positions").fill(`${ROOK}\n\nnonsense`);
  await page.getByRole("button", { name: "Make the link" }).click();
  await quiet(page);
  assert.match(await page.getByRole("alert").innerText(), /Line 2: /);
  assert.match(page.errors.pop(), /400/);
  await page.getByLabel("Several positions").fill(`${ROOK}\n${QUEEN}`);
  const [pupil, link] = await handOver(page);
  assert.ok(link.length < 250, link);
  await quiet(pupil);
  assert.match(await main(pupil), /Position 1 of 2/);
  assert.equal(await men(pupil), "Ka1 Rh1 kd5");
  await click(pupil, "h1h4");
  await quiet(pupil);
  await pupil.getByRole("button", { name: "Show the answers" }).click();
  await pupil.getByRole("button", { name: "Next", exact: true }).click();
  await quiet(pupil);
  assert.match(await main(pupil), /Position 2 of 2/);
  assert.equal(await men(pupil), "Kd2 Qd1 kd4");
  assert.doesNotMatch(await main(pupil), /mates in/, "the answers are hidden again");
  assert.equal(await pupil.getByRole("button", { name: "Next", exact: true }).getAttribute("aria-disabled"), "true");
  await pupil.getByRole("button", { name: "Close the task" }).click();
  await quiet(pupil);
  assert.match(await main(pupil), /White mates in/);
  await close(pupil);
  await close(page);
});

test("a lesson with the teacher's words above it", async () => {
  const page = await open("view=lesson&material=KRvK");
  await quiet(page);
  await page.getByText("Hand this lesson to a pupil").click();
  await page.getByLabel("Your words to the pupil").fill("Read the first two stages for Friday.");
  const [pupil] = await handOver(page, PHONE);
  await quiet(pupil);
  assert.equal(state(pupil).view, "lesson");
  assert.equal(await pupil.getByRole("note").innerText(), "Read the first two stages for Friday.");
  await axe(pupil);
  await pupil.locator(".rail").getByRole("link", { name: "Play", exact: true }).click();
  await quiet(pupil);
  assert.equal(await pupil.getByRole("note").innerText(), "Read the first two stages for Friday.");
  await close(pupil);
  await close(page);
});
