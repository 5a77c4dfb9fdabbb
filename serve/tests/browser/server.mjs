// Starts the real server: the binary that LUCENA names, or that of a release build.

import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const LUCENA = resolve(process.env.LUCENA ?? join(ROOT, "target/release/lucena"));
/** The time limit for the start of the server, in milliseconds. */
const PATIENCE = 20000;

/** Runs a command of the program to its end; fails if that fails. @param {string[]} command */
export function run(command) {
  const { status, stderr } = spawnSync(LUCENA, command, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`lucena ${command.join(" ")}: ${stderr}`);
}

/**
 * A server on a free port, with its own tables.
 * @param {string[]} [more] options of the command
 * @returns {Promise<{address: string, close: () => Promise<void>}>}
 */
export async function serve(more = []) {
  const tables = await mkdtemp(join(tmpdir(), "lucena-page-"));
  const child = spawn(LUCENA, ["serve", "--port", "0", "--tables", tables, ...more], { cwd: ROOT });
  const ended = new Promise((done) => child.once("exit", done));
  const close = async () => {
    child.kill();
    await ended;
    await rm(tables, { recursive: true, force: true });
  };
  try {
    return { address: await addressOf(child), close };
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
