/** A phone that no other test uses at the same time, with the two last digits that script the sandbox. "78" pays. */
export function freshPhone(ending = "78"): string {
  return `07${String(Math.floor(Math.random() * 1_000_000)).padStart(6, "0")}${ending}`;
}
