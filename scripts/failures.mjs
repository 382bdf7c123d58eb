/**
 * What a machine says when it can't, as sentences for people. Plain JavaScript, because the first step needs it, too.
 */

import { statfsSync } from "node:fs";

/** Less room than a build needs. */
const LITTLE_BYTES = 30 * 1024 ** 2;

const NO_ROOM = "There is no room on the disk. Make 2 GB of room, and run it again: it goes on where it stopped.";

/**
 * Whether nothing more fits. npm may end well though files that it unpacked had no room, and the local database names
 * no cause.
 */
export function isDiskFull() {
  const { bavail, bsize } = statfsSync(import.meta.dirname);
  return bavail * bsize < LITTLE_BYTES;
}

/** How it sounds when the local runtime lost a request: the machine is so busy that a connection ended in between. */
const LOST = /fetch failed|other side closed|ECONNRESET|Network connection lost|database is locked|SQLITE_BUSY/;

/** The system's words, and what to do. SQLite has its own for a full disk. */
const SENTENCES = [
  [/\b(ENOSPC|EDQUOT|EFBIG)\b|no space left|disk is full|SQLITE_FULL/i, NO_ROOM],
  [
    /\b(EACCES|EPERM|EROFS)\b/,
    "Something can't be read or written. Does all of this folder belong to you? Another user may have run it before.",
  ],
  [/\b(EMFILE|ENFILE)\b/, "Too many files are open. Close other programs, and run it again."],
  [LOST, "The machine is very busy. Run it again when it is calmer: it goes on where it stopped."],
];

/**
 * What an output or an error's message means.
 * @param {string} text
 * @returns {string | null} null if it is none of a machine's usual troubles
 */
export function explain(text) {
  const found = SENTENCES.find(([pattern]) => pattern.test(text));
  if (found) return found[1];
  return isDiskFull() ? NO_ROOM : null;
}

/**
 * Whether trying again may help.
 * @param {string} text an error's message
 */
export function isLost(text) {
  return LOST.test(text);
}
