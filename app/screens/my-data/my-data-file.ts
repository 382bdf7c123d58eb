/** The file with what we hold of a person. */

const ABOUT =
  "Everything that Chuoni holds about you, table by table. Amounts are in KES. Times are in UTC. A photo's address is /files/{key}/{width}.{format}, with the values of `image`, and a document's is /documents/{id}. Quiet hours are in minutes after midnight in Kenya.";

/** The names of what holds a time, in ms since 1970. Quiet hours are no such time. */
const TIME = /^(?!quietUntil$).*(?:At|Until|Since|Date)$|^(?:at|since|until)$/;

/** As JSON that a person can read: times in words, and no empty tables. */
export function writeMyData(tables: Record<string, readonly unknown[]>, origin: string, now: number): string {
  const full = Object.entries(tables).filter(([, rows]) => rows.length > 0);
  return JSON.stringify(
    { about: ABOUT, site: origin, madeAt: now, ...Object.fromEntries(full) },
    (name, value: unknown) => (TIME.test(name) && typeof value === "number" ? new Date(value).toISOString() : value),
    2,
  );
}
