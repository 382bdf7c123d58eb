/**
 * Highlights the parts of a text that match `pattern`, which has one group. Case doesn't matter. Without a pattern
 * nothing is highlighted.
 */
export function Marked({ text, pattern }: { text: string; pattern?: string }) {
  if (!pattern) return text;
  return text.split(new RegExp(pattern, "giu")).map((part, at) => (at % 2 ? <mark key={at}>{part}</mark> : part));
}
