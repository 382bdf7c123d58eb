import { useState } from "react";
import { type FailedPage, isFailedPage } from "./failed-page.ts";

/**
 * The pages of a list that "Show more" has loaded, the first one in front. `latest` is the one loaded last, or says that
 * it failed. `startOf` names a page by its first row, so that a reloaded page replaces its old version.
 */
export function useMorePages<Page extends object>(
  first: Page,
  latest: Page | FailedPage | undefined,
  startOf: (page: Page) => string | undefined,
): Page[] {
  const [more, setMore] = useState<Page[]>([]);
  const [seen, setSeen] = useState(latest);
  if (latest !== seen) {
    setSeen(latest);
    if (latest && !isFailedPage(latest)) append(latest);
  }
  return [first, ...more];

  function append(added: Page) {
    const start = startOf(added);
    setMore(
      more.some((page) => startOf(page) === start)
        ? more.map((page) => (startOf(page) === start ? added : page))
        : [...more, added],
    );
  }
}

/** The rows of these pages. A row that occurs twice stays where it was first. */
export function rowsOnce<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
