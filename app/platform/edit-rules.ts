/**
 * Two people, or two tabs, edit the same thing (docs/product-rules.md, "Forms"). A form carries what it was opened
 * with, field by field. So what only one of them changed is kept from both, and what both changed is asked about.
 */

/** A form's fields as texts; a tick is "on" or "". */
export type FieldTexts = Readonly<Record<string, string>>;

export interface Merged<Field extends string> {
  /**
   * What to save where nothing conflicts: what only one side changed, from that side. A conflict has the form's own
   * text.
   */
  values: Record<Field, string>;
  /** The fields that both sides changed to something else. */
  conflicts: { field: Field; now: string }[];
  /** Whether saving would change nothing. */
  isUnchanged: boolean;
  /** What the form was opened with, for the next attempt: whoever saves again has seen the conflicts. */
  opened: Record<Field, string>;
}

/**
 * Merges a form by field. `opened`: what it was opened with, null where the form doesn't say: then all that differs is
 * the form's change. `units`: fields that count as one, such as rows that follow each other.
 */
export function mergeEdit<Field extends string>(
  { opened, now, mine }: { opened: FieldTexts | null; now: Record<Field, string>; mine: Record<Field, string> },
  units: readonly (readonly Field[])[] = [],
): Merged<Field> {
  const first = { ...now, ...opened };
  const merged: Merged<Field> = { values: { ...mine }, conflicts: [], isUnchanged: true, opened: { ...first } };
  const fields = Object.keys(now) as Field[];
  const single = fields.filter((field) => !units.some((unit) => unit.includes(field))).map((field) => [field]);
  for (const unit of [...single, ...units.map((all) => all.filter((field) => fields.includes(field)))]) {
    const differ = (one: FieldTexts, other: FieldTexts) => unit.filter((field) => !isSame(one[field], other[field]));
    if (differ(mine, first).length === 0) for (const field of unit) merged.values[field] = now[field];
    else if (differ(now, first).length > 0 && differ(mine, now).length > 0) {
      for (const field of differ(mine, now)) merged.conflicts.push({ field, now: now[field] });
      for (const field of unit) merged.opened[field] = now[field];
    }
    if (differ(merged.values, now).length > 0) merged.isUnchanged = false;
  }
  return merged;
}

/** Browsers and servers write line breaks differently, and spaces at the ends aren't kept. */
function isSame(one = "", other = ""): boolean {
  const text = (value: string) => value.replaceAll(/\r\n?/g, "\n").trim();
  return text(one) === text(other);
}

/** The form's field that carries what the form was opened with. */
export const OPENED = "opened";

export function writeOpened(values: FieldTexts): string {
  return JSON.stringify(values);
}

/** Null for a form that doesn't say, or says something else. */
export function readOpened(form: FormData): FieldTexts | null {
  const text = form.get(OPENED);
  try {
    const read: unknown = typeof text === "string" ? JSON.parse(text) : null;
    if (typeof read !== "object" || read === null) return null;
    return Object.fromEntries(
      Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return null;
  }
}

/** The error at each field that was changed on both sides, which shows the other text beside the own one. */
export function conflictErrors<Field extends string>({
  conflicts,
  values,
}: Merged<Field>): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {};
  for (const { field, now } of conflicts) errors[field] = conflictText(quoted(now), quoted(values[field]));
  return errors;
}

/** The same for a field whose texts aren't those that people read. */
export function conflictText(now: string, mine: string): string {
  return `Changed meanwhile to ${now}; you wrote ${mine}. Save again to keep yours, or change it.`;
}

function quoted(text: string): string {
  return text.trim() === "" ? "nothing" : `"${text.trim()}"`;
}

/** For a form that was saved without a change. */
export const UNCHANGED = "Nothing to save: you haven't changed anything.";
