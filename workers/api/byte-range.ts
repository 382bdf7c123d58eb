/** The parts of RFC 9110 that pictures are asked for with: byte ranges (§14) and entity tags (§13). */

/** Both ends belong to it, bytes from the start. */
export interface BytePart {
  from: number;
  to: number;
}

/**
 * The part of `size` bytes that a Range header asks for. Null where the header is to be ignored: another unit, more than one part,
 * or not a range at all, which one that ends before it begins is not either.
 */
export function readRange(header: string, size: number): BytePart | "unsatisfiable" | null {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "")
    return Number(last) === 0 || size === 0
      ? "unsatisfiable"
      : { from: Math.max(0, size - Number(last)), to: size - 1 };
  if (last !== "" && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return "unsatisfiable";
  return { from: Number(first), to: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Whether an If-None-Match header names this tag, one of several or as `*`: whoever asks has it. Weak tags count as strong ones. */
export function namesTag(header: string, httpEtag: string): boolean {
  if (header.trim() === "*") return true;
  return [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === httpEtag.replace(/^W\//, ""));
}
