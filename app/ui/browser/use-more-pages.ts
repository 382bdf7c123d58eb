import { useState } from "react";

/**
 * The pages of a list that "Show more" has loaded, the first one in front. `latest` is the one loaded last. `startOf`
 * names a page by its first row, so that a reloaded page replaces its old version.
 */
export function useMorePages<Page>(
  first: Page,
  latest: Page | undefined,
  startOf: (page: Page) => string | undefined,
): Page[] {
  const [more, setMore] = useState<Page[]>([]);
  const [seen, setSeen] = useState(latest);
  if (latest && latest !== seen) {
    setSeen(latest);
    const start = startOf(latest);
    setMore(
      more.some((page) => startOf(page) === start)
        ? more.map((page) => (startOf(page) === start ? latest : page))
        : [...more, latest],
    );
  }
  return [first, ...more];
}

/** The rows of these pages. A row that occurs twice stays where it was first. */
export function rowsOnce<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
