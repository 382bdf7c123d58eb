/** Recognizes a campus by what people call it. */

/** "main" of "Main Campus": what tells a campus from the others. Empty where the name says only that it is one. */
export function shortCampusName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .replaceAll(/(?<![\p{L}\p{N}])(?:the|campus)(?![\p{L}\p{M}\p{N}])/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The campus that is called so, in full or in short: "Main Campus", "main", "the parklands campus"; else null. */
export function campusCalled<Named extends { name: string }>(campuses: readonly Named[], typed: string): Named | null {
  const short = shortCampusName(typed);
  return (short && campuses.find(({ name }) => shortCampusName(name) === short)) || null;
}
