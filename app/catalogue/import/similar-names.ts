/** How many names are suggested. */
const SUGGESTED = 3;

/** How many unknown names get suggestions, and how many characters of each are compared. Comparing takes long. */
const NAMES_COMPARED = 20;
const LETTERS_COMPARED = 60;

/**
 * A function that suggests which of `names` was meant. It is for one file: it compares each unknown name once, and
 * suggests nothing after the first 20.
 */
export function suggestNames(names: readonly string[]): (unknown: string) => string[] {
  const found = new Map<string, string[]>();
  return (unknown) => {
    const name = unknown.slice(0, LETTERS_COMPARED);
    const suggested = found.get(name) ?? (found.size < NAMES_COMPARED ? similarNames(name, names) : []);
    if (found.size < NAMES_COMPARED) found.set(name, suggested);
    return suggested;
  };
}

/** The names most like `name`: those that it begins or is part of, or that differ in a few letters. Best first. */
function similarNames(name: string, names: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  return names
    .map((known) => ({ known, away: distance(wanted, known.toLowerCase()) }))
    .filter(({ away }) => away <= Math.max(1, Math.floor(wanted.length / 3)))
    .toSorted((a, b) => a.away - b.away || a.known.localeCompare(b.known))
    .slice(0, SUGGESTED)
    .map(({ known }) => known);
}

/** The number of letters to add, remove or replace. A part of the other name counts as one. */
function distance(a: string, b: string): number {
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
