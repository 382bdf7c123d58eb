import { accessSync, constants, mkdtempSync, renameSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The folder of the checkout. */
export const root = resolve(import.meta.dirname, "..");

/** The build for the local environment: the app's worker, its static files and the sandbox. */
export const localBuild = join(root, "build");

/** The build for Cloudflare. */
export const productionBuild = join(root, "build-production");

/** Temporary files that may be deleted at any time. */
export const cache = join(root, ".cache");

/** The data of local D1, KV, R2 and Durable Objects. `CHUONI_STATE` names another folder. */
export function stateFolder(): string {
  return resolve(root, process.env.CHUONI_STATE ?? ".wrangler/state");
}

/** Writes a file that is whole, or as it was before: also where this is interrupted, or the disk is full. */
export function replaceFile(path: string, text: string, mode = 0o644): void {
  const unfinished = `${path}.new`;
  try {
    writeFileSync(unfinished, text, { mode });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Linux keeps files below it in memory. */
const MEMORY_FOLDER = "/dev/shm";

/** What must be free there. A run of all tests needs at most 300 MB. */
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3;

/**
 * Makes a folder for files that nobody reads after the run; it is deleted when the process ends. It is in memory if
 * there is room, because D1 waits for the disk at every write, which takes a third of the tests' time.
 */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(hasRoomInMemory() ? MEMORY_FOLDER : tmpdir(), "chuoni-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MEMORY_NEEDED_BYTES;
  } catch {
    return false;
  }
}
