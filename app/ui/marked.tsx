/** Text in which what matches `pattern`, one group whatever the case, is marked. Without a pattern nothing is. */
export function Marked({ text, pattern }: { text: string; pattern?: string }) {
  if (!pattern) return text;
  return text.split(new RegExp(pattern, "giu")).map((part, at) => (at % 2 ? <mark key={at}>{part}</mark> : part));
}
