/** A word that nothing else has, for names in tests. It has no digits, because names with a number may be refused. */
export function newWord(): string {
  return crypto
    .randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)));
}
