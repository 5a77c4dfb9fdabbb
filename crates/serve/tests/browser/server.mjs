// Starts the real server: the binary that LUCENA names, or that of a release build.

import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const LUCENA = resolve(process.env.LUCENA ?? join(ROOT, "target/release/lucena"));
/** The time limit for the start of the server, in milliseconds. */
const PATIENCE = 20000;

/** Runs a command of the program to its end; fails if that fails. @param {string[]} command */
export function run(command) {
  const { status, stderr } = spawnSync(LUCENA, command, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`lucena ${command.join(" ")}: ${stderr}`);
}

/**
 * A server with its own folders of tables and of results.
 * @param {{port?: number, folder?: string, more?: string[]}} [options] port: default any that is free; folder: of an
 *   earlier server, which `close` leaves there; more: options of the command
 * @returns {Promise<{address: string, folder: string, stop: () => Promise, close: () => Promise<void>}>} stop: ends it
 *   and leaves its folder
 */
export async function serve({ port = 0, folder: earlier, more = [] } = {}) {
  const folder = earlier ?? (await mkdtemp(join(tmpdir(), "lucena-page-")));
  const folders = ["--tables", join(folder, "tables"), "--results", join(folder, "results")];
  const child = spawn(LUCENA, ["serve", "--port", String(port), ...folders, ...more], { cwd: ROOT });
  const ended = new Promise((done) => child.once("exit", done));
  const stop = () => {
    child.kill();
    return ended;
  };
  const close = async () => {
    await stop();
    if (!earlier) await rm(folder, { recursive: true, force: true });
  };
  try {
    return { address: await addressOf(child), folder, stop, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function addressOf(child) {
  return new Promise((found, failed) => {
    let said = "";
    const give = (what) => failed(new Error(`${LUCENA} ${what}: ${said}`));
    const timer = setTimeout(() => give("does not start"), PATIENCE);
    const hear = (text) => {
      said += text;
      const address = /Open (http:\/\/[^/\s]+)/.exec(said)?.[1];
      if (!address) return;
      clearTimeout(timer);
      found(address);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", failed);
    child.once("exit", () => give("has ended"));
  });
}
