/** A phone that no other test asks at the same time, ending in the two digits that script the sandbox; with "78" it pays. */
export function freshPhone(ending = "78"): string {
  return `07${String(Math.floor(Math.random() * 1_000_000)).padStart(6, "0")}${ending}`;
}
