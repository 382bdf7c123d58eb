/**
 * Pictures as raw bytes. Placing cutouts and shadows takes a few milliseconds here, and much longer with an image
 * library.
 */

/** Raw pixels, row by row: 3 bytes each in a picture, 4 in a cutout. */
export interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Places a cutout on a picture with its upper left corner at (x, y). Parts outside are cropped. */
export function lay(picture: Pixels, cutout: Pixels, x: number, y: number): void {
  const { left, right, top, bottom } = overlap(picture, { x, y, ...cutout });
  for (let row = top; row < bottom; row++) {
    let to = (row * picture.width + left) * 3;
    let from = ((row - y) * cutout.width + left - x) * 4;
    for (let column = left; column < right; column++, to += 3, from += 4) {
      const alpha = byte(cutout, from + 3) / 255;
      if (alpha === 0) continue;
      mix(picture, to, byte(cutout, from), alpha);
      mix(picture, to + 1, byte(cutout, from + 1), alpha);
      mix(picture, to + 2, byte(cutout, from + 2), alpha);
    }
  }
}

function mix(picture: Pixels, at: number, over: number, alpha: number): void {
  const under = byte(picture, at);
  picture.data[at] = under + (over - under) * alpha + 0.5;
}

function byte(pixels: Pixels, at: number): number {
  return pixels.data[at] ?? 0;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function overlap(picture: Pixels, box: Box) {
  return {
    left: Math.max(0, Math.ceil(box.x)),
    right: Math.min(picture.width, Math.floor(box.x + box.width)),
    top: Math.max(0, Math.ceil(box.y)),
    bottom: Math.min(picture.height, Math.floor(box.y + box.height)),
  };
}

/** A coarse, blurred silhouette. Each value (0 to 255) covers `cell` px of the picture. */
export interface Shade {
  values: Float32Array;
  columns: number;
  rows: number;
  cell: number;
}

/**
 * The silhouette of a cutout from row `from` on, scaled to `width` × `height` px and blurred with a deviation of `blur`
 * px.
 */
export function shadeOf(cutout: Pixels, from: number, width: number, height: number, blur: number): Shade {
  const cell = Math.max(1, Math.min(5, blur / 2));
  const margin = Math.ceil((blur * 3) / cell);
  const [inner, deep] = [Math.max(1, Math.round(width / cell)), Math.max(1, Math.round(height / cell))];
  const columns = inner + 2 * margin;
  const rows = deep + 2 * margin;
  const shade: Shade = { values: new Float32Array(columns * rows), columns, rows, cell };
  const share = (inner * deep) / (cutout.width * (cutout.height - from));
  for (let row = from; row < cutout.height; row++) {
    const line = (margin + Math.floor(((row - from) * deep) / (cutout.height - from))) * columns + margin;
    for (let column = 0; column < cutout.width; column++) {
      const at = line + Math.floor((column * inner) / cutout.width);
      shade.values[at] = (shade.values[at] ?? 0) + byte(cutout, (row * cutout.width + column) * 4 + 3) * share;
    }
  }
  blurShade(shade, blur / cell);
  return shade;
}

/** Three passes of a box blur are close to a Gaussian. */
function blurShade({ values, columns, rows }: Shade, deviation: number): void {
  const reach = Math.max(1, Math.round((Math.sqrt(4 * deviation * deviation + 1) - 1) / 2));
  const line = new Float32Array(Math.max(columns, rows));
  for (let pass = 0; pass < 3; pass++) {
    for (let row = 0; row < rows; row++) blurLine(values, row * columns, 1, line.subarray(0, columns), reach);
    for (let column = 0; column < columns; column++) blurLine(values, column, columns, line.subarray(0, rows), reach);
  }
}

/** `line` has the length of the line; what is in it is overwritten. */
function blurLine(values: Float32Array, start: number, step: number, line: Float32Array, reach: number): void {
  const length = line.length;
  for (let at = 0; at < length; at++) line[at] = values[start + at * step] ?? 0;
  const share = 1 / (2 * reach + 1);
  let sum = 0;
  for (let at = 0; at < Math.min(reach, length); at++) sum += line[at] ?? 0;
  for (let at = 0; at < length; at++) {
    if (at + reach < length) sum += line[at + reach] ?? 0;
    if (at > reach) sum -= line[at - reach - 1] ?? 0;
    values[start + at * step] = sum * share;
  }
}

const SHADOW = [0x2a, 0x1a, 0x12] as const;

/** Darkens a picture by a shade centred at (x, y). `strength` 1 would be opaque. */
export function darken(picture: Pixels, shade: Shade, x: number, y: number, strength: number): void {
  const [width, height] = [shade.columns * shade.cell, shade.rows * shade.cell];
  const box = { x: Math.round(x - width / 2), y: Math.round(y - height / 2), width, height };
  const { left, right, top, bottom } = overlap(picture, box);
  const line = new Float32Array(shade.columns);
  for (let row = top; row < bottom; row++) {
    readLine(shade, (row - box.y) / shade.cell - 0.5, line);
    let at = (row * picture.width + left) * 3;
    for (let column = left; column < right; column++, at += 3) {
      const place = Math.max(0, (column - box.x) / shade.cell - 0.5);
      const before = Math.floor(place);
      const here = line[before] ?? 0;
      const alpha = ((here + ((line[before + 1] ?? 0) - here) * (place - before)) / 255) * strength;
      if (alpha < 0.002) continue;
      mix(picture, at, SHADOW[0], alpha);
      mix(picture, at + 1, SHADOW[1], alpha);
      mix(picture, at + 2, SHADOW[2], alpha);
    }
  }
}

/** Reads a line of the shade into `line`, interpolated between two of its rows. */
function readLine({ values, columns, rows }: Shade, y: number, line: Float32Array): void {
  const row = Math.max(0, Math.min(rows - 2, Math.floor(y)));
  const down = Math.max(0, Math.min(1, y - row));
  const [upper, lower] = [row * columns, (row + 1) * columns];
  for (let at = 0; at < columns; at++) {
    const value = values[upper + at] ?? 0;
    line[at] = value + ((values[lower + at] ?? 0) - value) * down;
  }
}

/** The smallest box around the visible pixels of a cutout. */
export function visibleBox({ data, width, height }: Pixels): {
  left: number;
  top: number;
  width: number;
  height: number;
} {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if ((data[(row * width + column) * 4 + 3] ?? 0) < 2) continue;
      left = Math.min(left, column);
      right = Math.max(right, column + 1);
      top = Math.min(top, row);
      bottom = row + 1;
    }
  }
  return { left, top, width: right - left, height: bottom - top };
}

/** A copy of a picture, `width` px wide, 4 bytes a pixel, by sampling. Good enough for an average colour. */
export function thumbnail(picture: Pixels, width: number): Pixels {
  const height = Math.max(1, Math.round((picture.height * width) / picture.width));
  const small = { data: new Uint8Array(width * height * 4).fill(255), width, height };
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const sample =
        (Math.floor(((row + 0.5) * picture.height) / height) * picture.width +
          Math.floor(((column + 0.5) * picture.width) / width)) *
        3;
      small.data.set(picture.data.subarray(sample, sample + 3), (row * width + column) * 4);
    }
  }
  return small;
}

/** The average colour of a picture with 4 bytes a pixel, as `#rrggbb`. */
export function averageColour({ data, width, height }: Pixels): string {
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at++) if (at % 4 < 3) sums[at % 4] = (sums[at % 4] ?? 0) + (data[at] ?? 0);
  return `#${sums
    .map((sum) =>
      Math.round(sum / (width * height))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}
