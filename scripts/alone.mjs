/**
 * One command at a time prepares the checkout: two that install or build at once would delete each other's files. Plain
 * JavaScript, because the first step of every command needs it, too.
 */
import { mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const LOOK_AGAIN_MS = 300;

/**
 * A link to the number of the process that prepares: it is made at once with what it holds, also where no disk space is
 * left.
 */
const link = join(dirname(fileURLToPath(import.meta.url)), "..", ".cache", "preparing");

/**
 * Does `work` when no other command prepares this checkout. One that was killed stops nobody, because it no longer
 * runs.
 * @template T
 * @param {() => T | Promise<T>} work
 * @param {(line: string) => void} announce is told once if there is somebody to wait for
 * @returns {Promise<T>}
 */
export async function alone(work, announce = console.log) {
  let told = false;
  while (!takeTurn()) {
    const holder = readHolder();
    if (holder !== null && runs(holder)) {
      if (!told) announce(`Process ${holder} is preparing this folder. Waiting for it …`);
      told = true;
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    } else if (holder !== null && holder === readHolder()) rmSync(link, { force: true });
  }
  const leave = () => rmSync(link, { force: true });
  process.once("exit", leave);
  try {
    return await work();
  } finally {
    leave();
    process.off("exit", leave);
  }
}

function takeTurn() {
  mkdirSync(dirname(link), { recursive: true });
  try {
    symlinkSync(String(process.pid), link);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/** The process that prepares; null if there is none any more. */
function readHolder() {
  try {
    return Number(readlinkSync(link));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return null;
  }
}

/** @param {number} pid */
function runs(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It may be another user's.
    return error.code === "EPERM";
  }
}
