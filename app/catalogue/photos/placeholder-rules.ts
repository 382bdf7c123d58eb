/** The placeholder of a photo until it loads: pure rules. */

/** The two heights, as shares from the top, at which a gradient takes its colours. */
const [UPPER, LOWER] = [0.15, 0.85];

/**
 * A photo's upper and lower colour, from its thumbhash, as the few bytes of CSS that paint them; null for anything that
 * isn't a thumbhash. From that format (evanw.github.io/thumbhash) we read only the averages and the first vertical
 * terms, so all 24 photos of a page take less time than one full picture would.
 */
export function placeholderGradient(thumbhash: string): string | null {
  const bytes = bytesOf(thumbhash);
  if (bytes.length < 5) return null;
  const [first, second] = [
    at(bytes, 0) | (at(bytes, 1) << 8) | (at(bytes, 2) << 16),
    at(bytes, 3) | (at(bytes, 4) << 8),
  ];
  const [alpha, landscape] = [first >> 23, second >> 15];
  const columns = Math.max(3, landscape ? (alpha ? 5 : 7) : second & 7);
  const rows = Math.max(3, landscape ? second & 7 : alpha ? 5 : 7);
  const [begin, lightTerms] = [alpha ? 12 : 10, termCount(columns, rows)];
  if (bytes.length * 2 < begin + lightTerms + 2 * COLOUR_TERMS) return null;

  const term = (index: number) => ((at(bytes, (begin + index) >> 1) >> (((begin + index) & 1) << 2)) & 15) / 7.5 - 1;
  // The first row of a channel holds the horizontal terms without the average. The first vertical term follows it.
  const light = { mean: (first & 63) / 63, down: term(columns - 1) * (((first >> 18) & 31) / 31) };
  const yellow = {
    mean: ((first >> 6) & 63) / 31.5 - 1,
    down: term(lightTerms + 2) * (((second >> 3) & 63) / 63) * 1.25,
  };
  const red = {
    mean: ((first >> 12) & 63) / 31.5 - 1,
    down: term(lightTerms + COLOUR_TERMS + 2) * (((second >> 9) & 63) / 63) * 1.25,
  };
  const colour = (height: number) => {
    const [l, p, q] = [light, yellow, red].map(({ mean, down }) => mean + 2 * down * Math.cos(Math.PI * height)) as [
      number,
      number,
      number,
    ];
    const b = l - (2 / 3) * p;
    const r = (3 * l - b + q) / 2;
    return hex([r, r - q, b]);
  };
  return `linear-gradient(${colour(UPPER)},${colour(LOWER)})`;
}

/** The number of terms of each colour channel: a triangle of 3 × 3, without its average. */
const COLOUR_TERMS = 5;

/** The number of terms of the luminance channel: a triangle of `columns` × `rows`, without its average. */
function termCount(columns: number, rows: number): number {
  let count = -1;
  for (let row = 0; row < rows; row += 1) count += Math.ceil((columns * (rows - row)) / rows);
  return count;
}

function bytesOf(base64: string): number[] {
  try {
    return [...atob(base64)].map((character) => character.charCodeAt(0));
  } catch {
    return [];
  }
}

function at(bytes: readonly number[], index: number): number {
  return bytes[index] ?? 0;
}

/** With one digit for each channel, which is fine enough for a placeholder. */
function hex(shares: readonly number[]): string {
  return `#${shares.map((share) => Math.round(15 * Math.min(1, Math.max(0, share))).toString(16)).join("")}`;
}
