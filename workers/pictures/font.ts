/** Reads from a TrueType font how wide its characters are, so that texts are laid out before they are drawn. */

export interface Font {
  /** Whether the font can show this character. */
  has(character: string): boolean;
  /** The width of a text in a font size, both in px. Kerning, which makes texts a little narrower, isn't counted. */
  widthOf(text: string, size: number): number;
}

export function readFont(bytes: ArrayBuffer): Font {
  const view = new DataView(bytes);
  const tables = readTables(view);
  const table = (name: string) => {
    const at = tables.get(name);
    if (at === undefined) throw new Error(`The font has no table ${name}`);
    return at;
  };
  const unitsPerEm = view.getUint16(table("head") + 18);
  const metricsCount = view.getUint16(table("hhea") + 34);
  const glyphs = readGlyphs(view, table("cmap"));
  const advanceOf = (character: string) => {
    const glyph = glyphs.get(character.codePointAt(0) ?? 0) ?? 0;
    return view.getUint16(table("hmtx") + 4 * Math.min(glyph, metricsCount - 1));
  };
  return {
    has: (character) => glyphs.has(character.codePointAt(0) ?? 0),
    widthOf: (text, size) => ([...text].reduce((sum, character) => sum + advanceOf(character), 0) / unitsPerEm) * size,
  };
}

/** Where each table begins. */
function readTables(view: DataView): Map<string, number> {
  const count = view.getUint16(4);
  return new Map(
    Array.from({ length: count }, (_, n) => {
      const at = 12 + 16 * n;
      const name = String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(at + byte)));
      return [name, view.getUint32(at + 8)];
    }),
  );
}

/** Glyph ids by code point, from the first subtable of format 4: the characters that need no surrogate. */
function readGlyphs(view: DataView, cmap: number): Map<number, number> {
  const subtables = Array.from(
    { length: view.getUint16(cmap + 2) },
    (_, n) => cmap + view.getUint32(cmap + 4 + 8 * n + 4),
  );
  const at = subtables.find((subtable) => view.getUint16(subtable) === 4);
  if (at === undefined) throw new Error("The font has no character map of format 4");
  const doubledCount = view.getUint16(at + 6);
  const glyphs = new Map<number, number>();
  for (let segment = 0; segment < doubledCount; segment += 2) {
    const end = view.getUint16(at + 14 + segment);
    const start = view.getUint16(at + 16 + doubledCount + segment);
    const delta = view.getUint16(at + 16 + 2 * doubledCount + segment);
    const offsetAt = at + 16 + 3 * doubledCount + segment;
    const offset = view.getUint16(offsetAt);
    for (let code = start; code <= end && code < 0xffff; code += 1) {
      const glyph = offset === 0 ? code : view.getUint16(offsetAt + offset + 2 * (code - start));
      const id = offset !== 0 && glyph === 0 ? 0 : (glyph + delta) & 0xffff;
      if (id !== 0) glyphs.set(code, id);
    }
  }
  return glyphs;
}
