/** The walk through every screen of the route table, in a window of any engine. */
import type { Page } from "@playwright/test";
import { expect } from "#tests/support/browser.ts";
import { findLayoutFaults, unfoldAll } from "#tests/support/layout-faults.ts";
import { addressOf, PEOPLE, type Person, signInAs, type Way, waysOf } from "#tests/support/screens.ts";

/** In CSS px. */
export const PHONE_SIZE = { width: 390, height: 844 };
export const DESKTOP_SIZE = { width: 1280, height: 800 };

/** What shows pages as on a phone. */
export interface PageWindow {
  /** Logs in as the one who is logged in there, without the form. */
  become(page: Page): Promise<void>;
  /** Shows a page, and waits until it is ready. */
  open(path: string): Promise<void>;
  /** Runs a function in the page, which sees nothing but its arguments. */
  evaluate<A extends unknown[], R>(script: (...args: A) => R, ...args: A): Promise<R>;
  /** Shows the page as on a desktop, while `work` runs. */
  atDesktopSize<T>(work: () => Promise<T>): Promise<T>;
}

interface Walk {
  person: Person;
  /** The place of its first way among those of the person, from 1. */
  from: number;
  ways: Way[];
}

/** The ways of everybody, with at most `length` in each: starting a browser costs as much as one or two of them. */
export function divideWays(length: number): Walk[] {
  return (Object.keys(PEOPLE) as Person[]).flatMap((person) => {
    const ways = waysOf(person);
    const starts = Array.from({ length: Math.ceil(ways.length / length) }, (_, at) => at * length);
    return starts.map((start) => ({ person, from: start + 1, ways: ways.slice(start, start + length) }));
  });
}

/** The texts of these screens that can't be read where they stand, on a phone and on a desktop, folded and unfolded. */
export async function findFaultsOfWalk(page: Page, window: PageWindow, { person, ways }: Walk): Promise<string[]> {
  await signInAs(page, person);
  await window.become(page);
  const found: string[] = [];
  for (const way of ways) {
    const path = await addressOf(page, way);
    await window.open(path);
    // The look would find nothing wrong with the login, either.
    expect(await window.evaluate(() => location.pathname.startsWith("/auth")), path).toBe(path.startsWith("/auth"));
    const look = async (size: string) =>
      found.push(...(await window.evaluate(findLayoutFaults)).map((fault) => `${path} on a ${size}: ${fault}`));
    await look("phone");
    if (await window.evaluate(unfoldAll)) await look("phone, unfolded");
    await window.atDesktopSize(() => look("desktop, unfolded"));
  }
  return found;
}
