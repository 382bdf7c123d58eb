/** Repeatable random values: everything random on the demo campus is computed from labels. */
import { createHash } from "node:crypto";

/** A UUID in the format of version 4, computed from `label`. */
export function idOf(label: string): string {
  const hex = createHash("sha256").update(`chuoni campus ${label}`).digest("hex");
  return uuid(hex.slice(0, 8), hex.slice(8, 32));
}

/** A UUID in the format of version 4, from 8 and 24 hex digits. */
export function uuid(first: string, rest: string): string {
  const variant = "89ab"[Number.parseInt(rest.charAt(7), 16) % 4];
  return `${first}-${rest.slice(0, 4)}-4${rest.slice(4, 7)}-${variant}${rest.slice(8, 11)}-${rest.slice(11, 23)}`;
}

export interface Chance {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  pick<T>(among: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
}

/**
 * A sequence of random numbers for each label (mulberry32), so that a change in one place changes nothing elsewhere.
 */
export function chanceOf(label: string): Chance {
  let state = createHash("sha256").update(label).digest().readUInt32LE();
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(fraction() * limit);
  function pick<T>(among: readonly T[]): T {
    const found = among[below(among.length)];
    if (found === undefined) throw new Error(`nothing to pick from for ${label}`);
    return found;
  }
  function shuffle<T>(list: readonly T[]): T[] {
    const keyed = list.map((value) => ({ value, key: fraction() }));
    return keyed.toSorted((one, other) => one.key - other.key).map(({ value }) => value);
  }
  return { fraction, below, pick, shuffle };
}
