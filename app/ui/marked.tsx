/** Text whose odd parts are marked, as a search's matches are. */
export function Marked({ parts }: { parts: readonly string[] }) {
  return parts.map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}
