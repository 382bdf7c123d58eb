/** Reads JSON from others. Nothing here throws or trusts a shape. */

export type JsonObject = Record<string, unknown>;

/** The object in `text`, or null for anything else (HTML, an empty body, a list, a bare value). */
export function readJsonObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text or a number as trimmed text of 1 to `max` characters, else null. */
export function readText(value: unknown, max: number): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value).trim();
  return text !== "" && text.length <= max ? text : null;
}
