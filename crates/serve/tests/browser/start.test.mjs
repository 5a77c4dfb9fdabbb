// The start page: its doors, and the way back to where each part of the page was left.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, close, house, quiet, reload, state } from "./browser.mjs";
import { men } from "./hand.mjs";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
const one = house();
const { open } = one;
const door = (page, name) => page.getByRole("region", { name, exact: true });
const group = (page, name) => page.locator("#groups").getByRole("link", { name, exact: true });

describe("the start page", () => {
  test("says what this is and opens three doors, without scrolling", async () => {
    const page = await open("", { viewport: { width: 1280, height: 720 } });
    await quiet(page);
    assert.match(await page.locator(".lead").innerText(), /every position of small chess endgames/);
    assert.deepEqual(await page.locator(".door h2").allInnerTexts(), ["Learn", "Look up", "Laboratory"]);
    for (const place of [...(await page.locator(".door").all()), page.getByLabel("Position (FEN)")]) {
      const { y, height } = await place.boundingBox();
      assert.ok(y >= 0 && y + height <= 720, `${y + height}`);
    }
    assert.equal(await page.locator("#groups [aria-current]").count(), 0, "it belongs to no part");
    await axe(page);
    await close(page);
  });

  test("leads to a lesson, a position and a tree", async () => {
    const page = await open("");
    await quiet(page);
    await door(page, "Learn").getByRole("link", { name: "Start: Mate with the queen" }).click();
    await page.getByRole("heading", { level: 1, name: "Mate with the queen" }).waitFor();
    await page.goBack();
    await page.getByLabel("Position (FEN)").fill(ROOK);
    await page.keyboard.press("Enter");
    await quiet(page);
    assert.equal(state(page).view, "explore");
    assert.equal(await men(page), "Ka1 Rh1 kd5");
    await page.goBack();
    await door(page, "Look up").getByRole("button", { name: "Show" }).click();
    await page.getByRole("heading", { name: "Set up a position" }).waitFor();
    await page.locator(".brand").click();
    await door(page, "Laboratory").getByRole("link", { name: "Look at a tree" }).click();
    await page.getByRole("heading", { level: 1, name: "Trees" }).waitFor();
    await close(page);
  });

  test("goes on with the lesson that was left, at the first stage that is not mastered", async () => {
    const page = await open("view=lesson&material=KRvK");
    await quiet(page, 60000);
    await page.locator(".brand").click();
    const on = door(page, "Learn").getByRole("link", { name: "Go on: Mate with the rook, stage 1" });
    await on.click();
    await quiet(page, 60000);
    assert.deepEqual([state(page).material, state(page).stage], ["KRvK", undefined]);
    await page.evaluate(async () => {
      const { recordGame } = await import("/page/mastery.js");
      for (const id of ["a", "b", "c"]) recordGame("KRvK", 1, { id, position: id, good: true, hard: true });
    });
    await page.locator(".brand").click();
    await page.getByText(/, 1 of them mastered/).waitFor();
    await door(page, "Learn").getByRole("link", { name: "Go on: Mate with the rook, stage 2" }).click();
    await quiet(page, 60000);
    assert.deepEqual([state(page).material, state(page).stage], ["KRvK", "2"]);
    await close(page);
  });
});

describe("the navigation", () => {
  test("has the views of the group that is open, and takes the position along", async () => {
    const page = await open(`view=explore&fen=${ROOK.replaceAll(" ", "+")}&moves=h1h4`);
    await quiet(page);
    const views = page.locator("#views a");
    assert.deepEqual(await views.allInnerTexts(), ["Position", "Why", "Rules"]);
    assert.equal(await group(page, "Look up").getAttribute("aria-current"), "true");
    await views.nth(1).click();
    await quiet(page);
    assert.equal(await page.locator("#views [aria-current=page]").innerText(), "Why");
    assert.equal(state(page).moves, "h1h4");
    await group(page, "Play").click();
    await quiet(page);
    assert.deepEqual([state(page).view, state(page).moves], ["arena", "h1h4"]);
    assert.equal(await page.locator("#views").isVisible(), false, "a group of one view has no links below it");
    await group(page, "Laboratory").click();
    await quiet(page);
    assert.deepEqual(await views.allInnerTexts(), ["Trees", "Training", "Experiments", "Data"]);
    await close(page);
  });

  test("is at the foot of a phone's window, and hides nothing of the page", async () => {
    const page = await open("", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await quiet(page);
    const { y, height } = await page.locator("#groups").boundingBox();
    assert.equal(Math.round(y + height), 740);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const foot = await page.locator(".foot").boundingBox();
    assert.ok(foot.y + foot.height <= y + 1, `${foot.y + foot.height} ${y}`);
    await group(page, "Laboratory").tap();
    await page.getByRole("heading", { level: 1, name: "Trees" }).waitFor();
    await close(page);
  });

  test("keeps where each group was left", async () => {
    const page = await open(`view=why&fen=${ROOK.replaceAll(" ", "+")}&player=theory`);
    await quiet(page);
    const why = page.url();
    await group(page, "Laboratory").click();
    await page.locator("#views").getByRole("link", { name: "Data" }).click();
    await quiet(page);
    const data = page.url();
    for (const [name, address] of [["Look up", why], ["Laboratory", data]]) {
      await page.locator(".brand").click();
      await door(page, name).getByRole("link", { name: "Where you left off" }).click();
      await quiet(page);
      assert.equal(page.url(), address);
    }
    await page.locator(".brand").click();
    await quiet(page);
    await reload(page);
    await close(page);
  });
});
