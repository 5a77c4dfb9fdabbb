// Printing: paper has the board and the address, and no controls.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, close, house, quiet } from "./browser.mjs";

const ROOK = "fen=8/8/8/3k4/8/8/8/K6R+w+-+-+0+1";
const { open } = house();
const PHONE = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };

describe("on paper", () => {
  for (const colorScheme of ["light", "dark"]) {
    test(`a position is black on white, without controls (${colorScheme})`, async () => {
      const page = await open(`view=explore&${ROOK}`, { colorScheme });
      await quiet(page);
      await page.emulateMedia({ media: "print", colorScheme });
      await page.locator(".print-address").waitFor();
      assert.equal(await page.locator(".print-address").innerText(), page.url());
      for (const gone of [".top", ".lookup", "button[aria-label='Undo']", "button:has-text('Print')"]) {
        assert.ok(await page.locator(gone).count(), `${gone} is on the page`);
        assert.equal(await page.locator(gone).first().isVisible(), false, gone);
      }
      assert.ok(await page.locator(".board").first().isVisible());
      assert.ok(await page.locator(".move").first().isVisible());
      const plies = page.locator(".line-moves").first().locator(".ply");
      assert.ok((await plies.count()) > 16);
      assert.ok(await plies.last().isVisible(), "the line is whole");
      assert.equal(await page.getByRole("heading", { name: "Other positions" }).isVisible(), false);
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(ground, "rgb(255, 255, 255)");
      if (process.env.SHOTS) await page.pdf({ path: `${process.env.SHOTS}/${colorScheme}.pdf`, format: "A4" });
      await close(page);
    });
  }
});

test("a stage has its board and its claims on paper, and no rail", async () => {
  const page = await open("view=lesson&material=KRvK");
  await quiet(page, 60000);
  await page.emulateMedia({ media: "print" });
  await page.locator(".print-address").waitFor();
  for (const there of [".board", ".claim", "h1"]) assert.ok(await page.locator(there).first().isVisible(), there);
  assert.equal(await page.locator(".rail").isVisible(), false);
  await close(page);
});

test("the rules of a tree are on paper, whole", async () => {
  const page = await open("view=trees&player=theory&material=KRvK");
  await quiet(page);
  await page.emulateMedia({ media: "print" });
  const rules = page.locator(".rule-says");
  assert.equal(await rules.count(), 25);
  for (const rule of await rules.all()) {
    const [shown, whole] = await rule.evaluate((one) => [one.clientHeight, one.scrollHeight]);
    assert.ok(shown > 0 && shown >= whole, `${shown} of ${whole}`);
  }
  await close(page);
});

test("a task is a worksheet with all its boards", async () => {
  const set = "8/8/8/3k4/8/8/8/K6R+w;8/8/8/3k4/8/8/8/K6Q+w;8/8/8/8/5k2/8/4P3/4K3+w";
  const page = await open(`view=explore&fen=8/8/8/3k4/8/8/8/K6R+w+-+-+0+1&task=White+wins&hide=1&set=${set}`);
  await quiet(page);
  const boards = page.locator(".worksheet .small-board");
  assert.equal(await boards.first().isVisible(), false, "on the screen there is one board");
  await page.emulateMedia({ media: "print" });
  assert.equal(await boards.count(), 3);
  for (const board of await boards.all()) assert.ok(await board.isVisible());
  assert.ok(await page.locator(".task-words").isVisible());
  assert.equal(await page.locator(".board").isVisible(), false);
  await close(page);
});

describe("the button at the foot", () => {
  test("prints, by the keyboard too, and does not show the address on the screen", async () => {
    const page = await open(`view=explore&${ROOK}`, PHONE);
    await quiet(page);
    await page.evaluate(() => {
      window.prints = 0;
      window.print = () => (window.prints += 1);
    });
    const print = page.getByRole("button", { name: "Print this view" });
    await print.tap();
    await print.focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => window.prints), 2);
    assert.equal(await page.locator(".print-address").isVisible(), false);
    await axe(page);
    await close(page);
  });
});
