import { useState } from "react";
import { type FailedPage, isFailedPage } from "./failed-page.ts";

interface Row {
  id: string;
}

interface MorePages<Page, Shown> {
  /** The rows of all pages, each once. */
  rows: Shown[];
  /** The page loaded last. */
  last: Page;
  isSeveral: boolean;
}

/**
 * The pages of a list that "Show more" has loaded after the `first`. `latest` is the one loaded last, or says that it
 * failed. `nameOf` names a page, so that a reloaded page replaces its old version. By default it is the id of the first
 * row.
 */
export function useMorePages<Page extends object, Shown extends Row>(
  first: Page,
  latest: Page | FailedPage | undefined,
  rowsOf: (page: Page) => Shown[],
  nameOf: (page: Page) => string | undefined = (page) => rowsOf(page)[0]?.id,
): MorePages<Page, Shown> {
  const [more, setMore] = useState<Page[]>([]);
  const [seen, setSeen] = useState(latest);
  const [before, setBefore] = useState(() => rowsOf(first));
  const [pushed, setPushed] = useState<Shown[]>([]);
  const rows = rowsOf(first);
  if (latest !== seen) {
    setSeen(latest);
    if (latest && !isFailedPage(latest)) append(latest);
  }
  if (rows !== before) {
    setBefore(rows);
    if (more.length > 0) setPushed([...pushedOff(before, rows), ...pushed]);
  }
  return {
    rows: rowsOnce([...rows, ...pushed, ...more.flatMap(rowsOf)]),
    last: more.at(-1) ?? first,
    isSeveral: more.length > 0,
  };

  function append(added: Page) {
    const name = nameOf(added);
    setMore(
      more.some((page) => nameOf(page) === name)
        ? more.map((page) => (nameOf(page) === name ? added : page))
        : [...more, added],
    );
  }
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
