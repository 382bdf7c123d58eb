/** The text with a capital at its start, as a sentence or a name of ours begins. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
