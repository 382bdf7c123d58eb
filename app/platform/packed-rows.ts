/**
 * Rows on their way to the browser. A page carries them twice, as HTML and as data for the scripts, so the data is one
 * short text of JSON. It names each field once, and compresses to less than half of what the objects take.
 */

type Row = Record<string, unknown>;

/** Texts come first, and row by row as in the HTML: gzip finds a text again only within 32 kB. */
interface Packet {
  count: number;
  /** Fields of texts that differ, and these texts. */
  names: string[];
  texts: string;
  /** Fields with one value in all rows. */
  same: Row;
  /** Fields with few values: a digit for each row, which counts the values that follow. */
  few: Record<string, [digits: string, ...values: unknown[]]>;
  /** Fields with a value for each row. */
  each: Record<string, unknown[]>;
}

const SEPARATOR = "|";
/** The values of `few` are counted with one digit of this base. */
const DIGITS = 36;

/** A field that only some rows have is null in the others. */
export function packRows(rows: readonly object[]): string {
  const packet: Packet = { count: rows.length, names: [], texts: "", same: {}, few: {}, each: {} };
  for (const name of new Set(rows.flatMap((row) => Object.keys(row)))) {
    const values = rows.map((row) => (row as Row)[name] ?? null);
    const distinct = new Map(values.map((value) => [identity(value), value]));
    if (distinct.size === 1) packet.same[name] = values[0];
    else if (distinct.size <= Math.min(DIGITS, rows.length / 2)) packet.few[name] = countValues(values, distinct);
    else if (values.every((value) => typeof value === "string" && !value.includes(SEPARATOR))) packet.names.push(name);
    else packet.each[name] = values;
  }
  packet.texts = rows.flatMap((row) => packet.names.map((name) => (row as Row)[name])).join(SEPARATOR);
  return JSON.stringify(packet);
}

/** The same key for equal values. The zero character marks an object, so that no text has the same key. */
function identity(value: unknown): unknown {
  return typeof value === "object" && value !== null ? `\0${JSON.stringify(value)}` : value;
}

function countValues(values: unknown[], distinct: Map<unknown, unknown>): [string, ...unknown[]] {
  const digits = new Map([...distinct.keys()].map((key, at) => [key, at.toString(DIGITS)]));
  return [values.map((value) => digits.get(identity(value))).join(""), ...distinct.values()];
}

/** The rows of a text from `packRows`. The server unpacks for each page, so the loops are plain. */
export function unpackRows(packed: string): Row[] {
  const { count, same, few, each, names, texts } = JSON.parse(packed) as Packet;
  const [fewFields, eachFields] = [Object.entries(few), Object.entries(each)];
  const split = texts.split(SEPARATOR);
  return Array.from({ length: count }, (_, at) => {
    const row: Row = { ...same };
    for (const [name, field] of fewFields) row[name] = field[1 + Number.parseInt(field[0].charAt(at), DIGITS)];
    for (const [name, values] of eachFields) row[name] = values[at];
    for (const [place, name] of names.entries()) row[name] = split[at * names.length + place];
    return row;
  });
}
