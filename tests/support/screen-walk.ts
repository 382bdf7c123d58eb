/** The walk through every screen of the route table, in a window of any engine. */
import type { Page } from "@playwright/test";
import { findLayoutFaults, unfoldAll } from "#tests/support/layout-faults.ts";
import { addressOf, PEOPLE, type Person, signInAs, type Way, waysOf } from "#tests/support/screens.ts";

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

/** Addresses that lead on: what is looked at is the screen at which they end. */
const LEADS_TO: Record<string, string> = { "/settings": "/profile" };

/** Runs in the page: where it is, and whether it says what it is. */
function readPlace() {
  const heading = [...document.querySelectorAll("h1")].find((each) => each.checkVisibility());
  return { path: location.pathname, hasHeading: heading !== undefined };
}

/**
 * The texts of these screens that can't be read where they stand, on a phone and on a desktop, folded and unfolded. A
 * screen without its heading is one, and so is another screen than the address says.
 */
export async function findFaultsOfWalk(page: Page, window: PageWindow, { person, ways }: Walk): Promise<string[]> {
  await signInAs(page, person);
  await window.become(page);
  const found: string[] = [];
  for (const way of ways) {
    const address = await addressOf(page, way);
    await window.open(address);
    const path = address.replace(/\?.*/, "");
    const place = await window.evaluate(readPlace);
    if (place.path !== (LEADS_TO[path] ?? path)) found.push(`${address} leads to ${place.path}`);
    if (!place.hasHeading) found.push(`${address} has no heading`);
    const look = async (size: string) =>
      found.push(...(await window.evaluate(findLayoutFaults)).map((fault) => `${address} on a ${size}: ${fault}`));
    await look("phone");
    const isUnfolded = await window.atDesktopSize(async () => {
      await look("desktop");
      const isOther = await window.evaluate(unfoldAll);
      if (isOther) await look("desktop, unfolded");
      return isOther;
    });
    if (isUnfolded) await look("phone, unfolded");
  }
  return found;
}
