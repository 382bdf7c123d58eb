/** A use without another value. What stands in `var(--x, var(--y))` for `--x` must be there itself. */
const USE = /var\(\s*(--[\w-]+)\s*\)/g;
const IN_SHEET = /(?<![\w-])(--[\w-]+)(?=\s*:)/g;
/** A script sets it on an element, by its name or by the start of it: Sonner adds `-top` to `--offset`. */
const IN_SCRIPT = /(["'`])(--[\w-]+)\1/g;

/**
 * The variables that `texts` use and none of them defines. A browser drops each declaration with such a variable
 * without a word: a background is then transparent.
 * @param texts style sheets and scripts of one build
 */
export function findUndefinedVariables(texts: readonly string[]): string[] {
  const all = texts.join("\n");
  const defined = new Set([...all.matchAll(IN_SHEET)].map(([, name]) => name ?? ""));
  const starts = [...all.matchAll(IN_SCRIPT)].map(([, , name]) => name ?? "");
  const isSet = (name: string) => starts.some((start) => name === start || name.startsWith(`${start}-`));
  const used = new Set([...all.matchAll(USE)].map(([, name]) => name ?? ""));
  return [...used].filter((name) => !defined.has(name) && !isSet(name)).toSorted();
}
