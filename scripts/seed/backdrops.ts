/**
 * Where the demo campus takes its photos, drawn as SVG: in a studio with a lit wall that curves into a floor and at
 * most one prop, or where people live.
 */
import { chanceOf } from "./chance.ts";

/** wall: lit and unlit. floor: near and far. set: the plinth, arch or disc. */
interface Colours {
  wall: [string, string];
  floor: [string, string];
  set: [string, string];
}

export const BACKDROPS = {
  sand: { wall: ["#fbf1de", "#e9d3ab"], floor: ["#f3e0bd", "#dcc092"], set: ["#fff7e6", "#dcbf8c"] },
  butter: { wall: ["#fdf1c7", "#f0d583"], floor: ["#f8e5a4", "#e2c163"], set: ["#fff8dc", "#e5c468"] },
  blush: { wall: ["#fdeae4", "#f2c8bd"], floor: ["#f9dbd1", "#e6b2a4"], set: ["#fff4f0", "#e9b9ac"] },
  clay: { wall: ["#f6d9c4", "#dd9f7b"], floor: ["#ecc0a2", "#cb8862"], set: ["#fae5d6", "#d1906b"] },
  sage: { wall: ["#eaf1e1", "#bfd1ae"], floor: ["#d8e5c9", "#a6bd92"], set: ["#f6faf0", "#abc196"] },
  mint: { wall: ["#e2f4ee", "#aedbcd"], floor: ["#cbeadf", "#93c8b7"], set: ["#f2fbf8", "#98ccbc"] },
  sky: { wall: ["#e6f1fa", "#b4d2ea"], floor: ["#d2e5f4", "#9cc0dd"], set: ["#f5fafe", "#a3c5e0"] },
  lilac: { wall: ["#f0eafa", "#cdbfe8"], floor: ["#e2d9f4", "#b8a7d9"], set: ["#f9f6fe", "#bfafde"] },
  stone: { wall: ["#f3f0ec", "#d0c9c0"], floor: ["#e5e0d9", "#b9b0a5"], set: ["#fcfbf9", "#c0b7ac"] },
  dusk: { wall: ["#56648c", "#2b3354"], floor: ["#465279", "#222944"], set: ["#6f7eab", "#323b60"] },
} as const satisfies Record<string, Colours>;

export type Backdrop = keyof typeof BACKDROPS;
/**
 * In the studio: sweep: wall into floor. plinth: on a round stand. arch, disc: in front of one. lay: seen from above.
 * At home: room, desk and counter stand before a wall; wood, sheet, concrete and grass are seen from above.
 */
export type Stage =
  | "sweep"
  | "plinth"
  | "arch"
  | "disc"
  | "lay"
  | "room"
  | "desk"
  | "counter"
  | "wood"
  | "sheet"
  | "concrete"
  | "grass";

const FROM_ABOVE: Stage[] = ["lay", "wood", "sheet", "concrete", "grass"];

export function isSeenFromAbove(stage: Stage): boolean {
  return FROM_ABOVE.includes(stage);
}

/** Where the floor begins, as a share of the height. */
const HORIZON = 0.54;
const INK = "#2a1a12";

/** The lit room or table top. It has no edges, so it may be drawn small and enlarged, like the shade. */
export function lightSvg(stage: Stage, backdrop: Backdrop, width: number, height: number, scale: number): string {
  const lit = isSeenFromAbove(stage)
    ? `<rect width="${width}" height="${height}" fill="url(#wall)"/>`
    : room(width, height);
  return svg(backdrop, width, height, scale, `${lit}<rect width="${width}" height="${height}" fill="url(#vignette)"/>`);
}

/** The shadow of the prop, before it is blurred. */
export function shadeSvg(stage: Stage, backdrop: Backdrop, width: number, height: number, scale: number): string {
  return svg(backdrop, width, height, scale, SETS[stage].shade(width, height));
}

/** What has edges: the prop. Empty without one. */
export function setSvg(stage: Stage, backdrop: Backdrop, width: number, height: number): string {
  return svg(backdrop, width, height, 1, SETS[stage].piece(width, height, BACKDROPS[backdrop]));
}

function svg(backdrop: Backdrop, width: number, height: number, scale: number, body: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width * scale)}"
    height="${Math.ceil(height * scale)}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
    <defs>${gradients(BACKDROPS[backdrop])}</defs>${body}</svg>`;
}

function gradients({ wall, floor, set }: Colours): string {
  return `
    <radialGradient id="wall" cx="0.36" cy="0.22" r="0.95"><stop offset="0" stop-color="${wall[0]}"/>
      <stop offset="1" stop-color="${wall[1]}"/></radialGradient>
    <linearGradient id="floor" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${floor[1]}" stop-opacity="0"/>
      <stop offset="0.28" stop-color="${floor[1]}" stop-opacity="0.75"/><stop offset="0.62" stop-color="${floor[0]}"/>
      <stop offset="1" stop-color="${floor[1]}"/></linearGradient>
    <radialGradient id="pool" cx="0.5" cy="0.5" r="0.5"><stop offset="0" stop-color="${wall[0]}" stop-opacity="0.85"/>
      <stop offset="1" stop-color="${wall[0]}" stop-opacity="0"/></radialGradient>
    <linearGradient id="side" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="${set[0]}"/>
      <stop offset="0.35" stop-color="${floor[0]}"/><stop offset="1" stop-color="${set[1]}"/></linearGradient>
    <linearGradient id="top" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${set[0]}"/>
      <stop offset="1" stop-color="${floor[0]}"/></linearGradient>
    <linearGradient id="panel" x1="0" y1="0" x2="0.7" y2="1"><stop offset="0" stop-color="${set[1]}"/>
      <stop offset="1" stop-color="${floor[0]}"/></linearGradient>
    <linearGradient id="boards" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${floor[1]}"/>
      <stop offset="1" stop-color="${set[1]}"/></linearGradient>
    <linearGradient id="paper" x1="0" y1="1" x2="1" y2="0.2"><stop offset="0" stop-color="${floor[1]}"/>
      <stop offset="0.5" stop-color="${floor[0]}"/><stop offset="1" stop-color="${wall[1]}"/></linearGradient>
    <linearGradient id="beam" x1="0" y1="0" x2="0.4" y2="1">
      <stop offset="0" stop-color="${set[0]}" stop-opacity="0.75"/>
      <stop offset="1" stop-color="${set[0]}" stop-opacity="0"/></linearGradient>
    <radialGradient id="vignette" cx="0.46" cy="0.45" r="0.85">
      <stop offset="0.55" stop-color="${INK}" stop-opacity="0"/>
      <stop offset="1" stop-color="${INK}" stop-opacity="0.16"/></radialGradient>`;
}

function room(width: number, height: number): string {
  return `<rect width="${width}" height="${height}" fill="url(#wall)"/>
    <rect y="${height * HORIZON}" width="${width}" height="${height * (1 - HORIZON)}" fill="url(#floor)"/>
    <ellipse cx="${width * 0.46}" cy="${height * 0.82}" rx="${width * 0.52}" ry="${height * 0.13}" fill="url(#pool)"/>`;
}

interface SetPiece {
  /** Its shadow. */
  shade: (width: number, height: number) => string;
  piece: (width: number, height: number, colours: Colours) => string;
}

const SETS: Record<Stage, SetPiece> = {
  sweep: { shade: () => "", piece: () => "" },
  plinth: {
    shade(width, height) {
      const { cx, top, rx, ry, depth } = plinth(width, height);
      return `<ellipse cx="${cx + 30}" cy="${top + depth + 16}" rx="${rx * 1.05}" ry="${ry * 1.15}" fill="${INK}" opacity="0.36"/>`;
    },
    piece(width, height) {
      const { cx, top, rx, ry, depth } = plinth(width, height);
      return `<path d="M${cx - rx} ${top} v${depth} a${rx} ${ry} 0 0 0 ${2 * rx} 0 v${-depth}z" fill="url(#side)"/>
        <ellipse cx="${cx}" cy="${top}" rx="${rx}" ry="${ry}" fill="url(#top)"/>`;
    },
  },
  arch: {
    shade: (width, height) => `<path d="${arch(width, height, 26)}" fill="${INK}" opacity="0.24"/>`,
    piece: (width, height) => `<path d="${arch(width, height, 0)}" fill="url(#panel)"/>`,
  },
  disc: {
    shade: (width, height) => disc(width, height, 24, `fill="${INK}" opacity="0.22"`),
    piece: (width, height) => disc(width, height, 0, `fill="url(#panel)"`),
  },
  lay: {
    shade: (width, height) => `<path d="${paper(width, height, -14)}" fill="${INK}" opacity="0.2"/>`,
    piece: (width, height) => `<path d="${paper(width, height, 0)}" fill="url(#paper)"/>
      <path d="M${-width * 0.1} ${height * 0.12} L${width * 0.24} ${-height * 0.02} L${width * 0.92} ${height}
        L${width * 0.42} ${height}z" fill="url(#beam)" opacity="0.5"/>
      <path d="M${width * 0.38} 0 L${width * 0.58} 0 L${width * 1.16} ${height * 0.86} L${width * 1.06} ${height}z"
        fill="url(#beam)" opacity="0.4"/>`,
  },
  room: {
    shade: (width, height) =>
      `<path d="M0 ${height * 0.62}H${width}V${height * 0.68}H0z" fill="${INK}" opacity="0.3"/>`,
    piece(width, height, { floor, set }) {
      const edge = height * 0.62;
      const boards = [-1.4, -0.9, -0.5, -0.16, 0.16, 0.5, 0.9, 1.4].map(
        (at) =>
          `<path d="M${width * (0.5 + at * 0.42)} ${edge}L${width * (0.5 + at)} ${height}" stroke="${INK}" stroke-width="2" opacity="0.16"/>`,
      );
      return `<rect y="${edge}" width="${width}" height="${height - edge}" fill="url(#boards)"/>${boards.join("")}
        <rect y="${edge - height * 0.035}" width="${width}" height="${height * 0.035}" fill="${set[0]}"/>
        <path d="M0 ${edge}H${width}" stroke="${floor[1]}" stroke-width="3"/>${windowLight(width, height)}`;
    },
  },
  desk: {
    shade: (width, height) =>
      `<path d="M0 ${height * 0.63}H${width}V${height * 0.68}H0z" fill="${INK}" opacity="0.26"/>`,
    piece(width, height) {
      const edge = height * 0.63;
      return `<rect y="${edge}" width="${width}" height="${height - edge}" fill="url(#boards)"/>
        ${grain(width, edge + 6, height, 9)}<path d="M0 ${edge}H${width}" stroke="#ffffff" stroke-width="3"
          opacity="0.4"/>
        ${windowLight(width, height)}`;
    },
  },
  counter: {
    shade: (width, height) => `<path d="M0 ${height * 0.64}H${width}V${height * 0.7}H0z" fill="${INK}" opacity="0.3"/>`,
    piece(width, height, { set }) {
      const [edge, side] = [height * 0.64, width / 5];
      const joints = Array.from({ length: 6 }, (_, at) => {
        const y = edge - at * side * 0.62;
        const offset = (at % 2) * 0.5;
        const upright = Array.from(
          { length: 6 },
          (_unused, tile) => `M${(tile + offset) * side} ${y}V${y - side * 0.62}`,
        ).join("");
        return `M0 ${y}H${width}${upright}`;
      });
      return `<path d="${joints.join("")}" fill="none" stroke="#ffffff" stroke-width="5" opacity="0.65"/>
        <rect y="${edge}" width="${width}" height="${height - edge}" fill="${set[0]}"/><rect y="${edge}"
          width="${width}" height="${height - edge}" fill="url(#floor)" opacity="0.5"/>
        ${speckles("counter", width, edge, height, 120)}<path d="M0 ${edge}H${width}" stroke="#ffffff"
          stroke-width="4" opacity="0.7"/>`;
    },
  },
  wood: {
    shade: () => "",
    piece(width, height, { floor, set }) {
      const depth = height / 5;
      const planks = [0, 1, 2, 3, 4].map((at) => {
        const fill = [floor[0], floor[1], set[1]][(at * 2) % 3];
        return `<rect y="${at * depth}" width="${width}" height="${depth}" fill="${fill}" opacity="0.7"/>
          ${grain(width, at * depth + 8, (at + 1) * depth, 5 + at)}<path d="M0 ${at * depth}H${width}" stroke="${INK}"
            stroke-width="2.5" opacity="0.3"/>`;
      });
      return `${planks.join("")}${windowLight(width, height)}`;
    },
  },
  sheet: {
    shade(width, height) {
      const folds = [0.12, 0.34, 0.62, 0.86].map(
        (at, fold) =>
          `<path d="M${width * (at - 0.16)} ${-20}q${width * 0.16} ${height * 0.4} ${width * (fold % 2 ? 0.02 : 0.2)} ${height * 0.62}t${width * 0.14} ${height * 0.5}" fill="none" stroke="${INK}" stroke-width="${26 + fold * 8}" opacity="0.16"/>`,
      );
      return folds.join("");
    },
    piece: (width, height) =>
      [0.18, 0.42, 0.7]
        .map(
          (at) =>
            `<path d="M${width * (at - 0.15)} -20q${width * 0.16} ${height * 0.4} ${width * 0.13} ${height * 0.62}t${width * 0.14} ${height * 0.5}" fill="none" stroke="#ffffff" stroke-width="9" opacity="0.16"/>`,
        )
        .join("") + windowLight(width, height),
  },
  concrete: {
    shade: () => "",
    piece: (width, height) =>
      `<rect width="${width}" height="${height}" fill="#a9a59d"
        opacity="0.55"/>${speckles("concrete", width, 0, height, 220)}
      <path d="M${width * 0.72} 0l${width * 0.03} ${height * 0.2}-${width * 0.04} ${height * 0.16} ${width * 0.05}
        ${height * 0.24}" fill="none" stroke="${INK}" stroke-width="2" opacity="0.28"/>`,
  },
  grass: {
    shade: () => "",
    piece(width, height) {
      const chance = chanceOf("grass");
      const greens = ["#4e7f35", "#6b9c45", "#86b559", "#3f6c2b", "#9cc46c"];
      const blades = Array.from({ length: 420 }, () => {
        const [x, y] = [chance.fraction() * width, chance.fraction() * (height + 40)];
        const [lean, tall] = [(chance.fraction() - 0.5) * 26, 22 + chance.fraction() * 26];
        return `<path d="M${x.toFixed(0)} ${y.toFixed(0)}q${(lean * 0.2).toFixed(1)} ${(-tall * 0.6).toFixed(1)} ${lean.toFixed(1)} ${(-tall).toFixed(1)}" stroke="${chance.pick(greens)}"/>`;
      });
      return `<rect width="${width}" height="${height}" fill="#5d8d3e"/><g fill="none" stroke-width="4.500" stroke-linecap="round">${blades.join("")}</g>`;
    },
  },
};

/** Lines of wood from `top` to `bottom`. */
function grain(width: number, top: number, bottom: number, count: number): string {
  return Array.from({ length: count }, (_, at) => {
    const y = top + ((bottom - top) * (at + 0.5)) / count;
    const bend = ((at * 37) % 11) - 5;
    return `<path d="M${((at * 53) % 90) - 40} ${y.toFixed(1)}q${width * 0.28} ${bend} ${width * 0.55} ${(bend / 2).toFixed(1)}t${width * 0.4} ${-bend}" fill="none" stroke="${INK}" stroke-width="${1.2 + (at % 3) * 0.6}" opacity="0.13"/>`;
  }).join("");
}

function speckles(label: string, width: number, top: number, bottom: number, count: number): string {
  const chance = chanceOf(label);
  return Array.from({ length: count }, () => {
    const [x, y] = [chance.fraction() * width, top + chance.fraction() * (bottom - top)];
    return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${(0.8 + chance.fraction() * 2).toFixed(1)}" fill="${chance.pick([INK, "#ffffff"])}" opacity="0.2"/>`;
  }).join("");
}

/** The sun through a window with four panes. */
function windowLight(width: number, height: number): string {
  const pane = (x: number, y: number) =>
    `M${width * x} ${height * y}l${width * 0.2} ${-height * 0.05}l${width * 0.1} ${height * 0.24}l${-width * 0.2} ${height * 0.05}z`;
  return `<path d="${pane(0.04, 0.1)}${pane(0.27, 0.045)}${pane(0.15, 0.37)}${pane(0.38, 0.315)}" fill="#fff6dc" opacity="0.2"/>`;
}

function plinth(width: number, height: number) {
  const base = Math.min(width, height);
  return { cx: width / 2, top: height * 0.8 - base * 0.02, rx: base * 0.4, ry: base * 0.075, depth: base * 0.11 };
}

function arch(width: number, height: number, dx: number): string {
  const half = Math.min(width, height) * 0.36;
  const foot = height * 0.745;
  const left = width / 2 - half + dx;
  return `M${left} ${foot} V${foot - half * 1.1} a${half} ${half} 0 0 1 ${2 * half} 0 V${foot}z`;
}

function disc(width: number, height: number, shift: number, paint: string): string {
  return `<circle cx="${width * 0.5 + shift}" cy="${height * 0.47 + shift}" r="${Math.min(width, height) * 0.36}" ${paint}/>`;
}

/** A second sheet across the lower right corner of the table. */
function paper(width: number, height: number, shift: number): string {
  return `M${width * 0.08 + shift} ${height * 1.04} L${width * 1.04} ${height * 0.3 + shift} V${height * 1.04}z`;
}
