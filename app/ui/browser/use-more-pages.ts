import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { onForget } from "#app/platform/private-storage.ts";
import { type FailedPage, isFailedPage } from "./failed-page.ts";

interface Row {
  id: string;
}

/** What loads the next page. */
interface Loader<Page> {
  state: string;
  data: Page | FailedPage | undefined;
  load(path: string): Promise<void>;
}

interface Reading<Page, Shown> {
  rowsOf: (page: Page) => Shown[];
  /** The address of the page after this one; null at the end. */
  nextOf: (page: Page) => string | null;
  /** Names a page, so that a reloaded page replaces its old version. By default it is the id of the first row. */
  nameOf?: (page: Page) => string | undefined;
}

interface MorePages<Shown> {
  /** The rows of all pages, each once. */
  rows: Shown[];
  /** The address of the next page; null at the end. */
  nextPath: string | null;
  isSeveral: boolean;
}

/** The pages after the first that "Show more" has loaded, by the entry in the browser's history that showed them. */
const remembered = new Map<string, readonly unknown[]>();
const REMEMBERED_MAX = 20;

onForget(() => remembered.clear());

/**
 * A list whose pages after the `first` are loaded by "Show more". Back finds them at once, and loads them again one
 * after the other, because they may have changed, often by what was done with the row that somebody comes back from.
 * What can't be loaded again goes, and "Show more" asks for it.
 */
export function useMorePages<Page extends object, Shown extends Row>(
  first: Page,
  loader: Loader<Page>,
  { rowsOf, nextOf, nameOf = (page) => rowsOf(page)[0]?.id }: Reading<Page, Shown>,
): MorePages<Shown> {
  const { key } = useLocation();
  const { state, load, data: latest } = loader;
  const rows = rowsOf(first);
  // The first pages of `more` are `fresh`. The others are from before Back.
  const [{ more, fresh }, setPages] = useState(() => ({
    more: nextOf(first) === null ? [] : ((remembered.get(key) ?? []) as readonly Page[]),
    fresh: 0,
  }));
  const [seen, setSeen] = useState(latest);
  const [before, setBefore] = useState(rows);
  const [pushed, setPushed] = useState<Shown[]>([]);
  if (latest !== seen) {
    setSeen(latest);
    if (latest && !isFailedPage(latest)) {
      const isLast = nextOf(latest) === null;
      setPages(withPage({ more, fresh }, latest, { nameOf, isLast }));
    } else if (latest) setPages({ more: more.slice(0, fresh), fresh });
  }
  if (rows !== before) {
    setBefore(rows);
    if (more.length > 0) setPushed([...pushedOff(before, rows), ...pushed]);
  }

  const stalePath = fresh < more.length ? nextOf(more[fresh - 1] ?? first) : null;
  useEffect(() => {
    if (stalePath !== null && state === "idle") void load(stalePath);
  }, [stalePath, state, load]);
  useEffect(() => remember(key, more), [key, more]);

  return {
    rows: rowsOnce([...rows, ...pushed, ...more.flatMap(rowsOf)]),
    nextPath: nextOf(more.at(-1) ?? first),
    isSeveral: more.length > 0,
  };
}

interface Pages<Page> {
  more: readonly Page[];
  fresh: number;
}

interface Added<Page> {
  nameOf: (page: Page) => string | undefined;
  /** No page comes after it. */
  isLast: boolean;
}

/** The pages after one was loaded: again, in the place of an old one, or at the end. */
export function withPage<Page>(
  { more, fresh }: Pages<Page>,
  added: Page,
  { nameOf, isLast }: Added<Page>,
): Pages<Page> {
  const known = more.slice(0, fresh).findIndex((page) => nameOf(page) === nameOf(added));
  const at = known === -1 ? fresh : known;
  const after = isLast ? [] : more.slice(at + 1);
  return { more: [...more.slice(0, at), added, ...after], fresh: Math.max(fresh, at + 1) };
}

function remember(key: string, more: readonly unknown[]): void {
  remembered.delete(key);
  if (more.length > 0) remembered.set(key, more);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
}

/**
 * The rows that new ones have pushed off a reloaded page. The page after it was loaded before, and doesn't have them.
 */
export function pushedOff<Shown extends Row>(before: Shown[], now: Shown[]): Shown[] {
  const end = now.at(-1)?.id;
  const at = before.findIndex(({ id }) => id === end);
  return at === -1 ? [] : before.slice(at + 1);
}

/** A row that occurs twice stays where it was first, as it is there: the first page is the newest. */
export function rowsOnce<Shown extends Row>(rows: Shown[]): Shown[] {
  const seen = new Set<string>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}
