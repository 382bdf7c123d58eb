/** What use leaves on things: scratches, worn edges, creases and stains, drawn over them. */
import { type Chance, chanceOf } from "./chance.ts";
import type { Pixels } from "./pixels.ts";

export interface Wear {
  /** hard: scratches and chips. cloth: creases and a faded patch. paper: bent corners and a stain. */
  kind: "hard" | "cloth" | "paper";
  /** From a quarter, like new, to two. */
  amount: number;
  /** The same things have the same marks in each picture. */
  of: string;
}

interface Spot {
  x: number;
  y: number;
}

const TRIES = 40;

/** A place within the object, as shares of its sides. */
export function opaqueSpot({ data, width, height }: Pixels, chance: Chance): Spot {
  for (let at = 0; at < TRIES; at++) {
    const spot = { x: 0.22 + 0.56 * chance.fraction(), y: 0.2 + 0.56 * chance.fraction() };
    const around = [0, -0.07, 0.07].flatMap((dx) => [0, -0.07, 0.07].map((dy) => [spot.x + dx, spot.y + dy] as const));
    const isWithin = around.every(
      ([x, y]) => (data[(Math.floor(y * height) * width + Math.floor(x * width)) * 4 + 3] ?? 0) > 240,
    );
    if (isWithin) return spot;
  }
  return { x: 0.5, y: 0.5 };
}

/** The marks as SVG of the object's size; the deepest is at `spot`. */
export function wearSvg({ kind, amount, of }: Wear, { width, height }: Pixels, spot: Spot): string {
  const chance = chanceOf(`wear of ${of}`);
  const base = Math.min(width, height);
  const marks = MARKS[kind]({ chance, amount, base, width, height, x: spot.x * width, y: spot.y * height });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">${marks}</g></svg>`;
}

interface Canvas {
  chance: Chance;
  amount: number;
  /** The shorter side in px. */
  base: number;
  width: number;
  height: number;
  /** The spot in px. */
  x: number;
  y: number;
}

const MARKS: Record<Wear["kind"], (canvas: Canvas) => string> = {
  hard({ chance, amount, base, width, height, x, y }) {
    const scratch = (cx: number, cy: number, size: number, opacity: number) => {
      const turn = chance.fraction() * Math.PI;
      const [dx, dy] = [Math.cos(turn) * size, Math.sin(turn) * size];
      const bend = (chance.fraction() - 0.5) * size * 0.4;
      const path = (shift: number) =>
        `M${(cx - dx + shift).toFixed(1)} ${(cy - dy + shift).toFixed(1)}Q${(cx + bend + shift).toFixed(1)} ${(cy - bend + shift).toFixed(1)} ${(cx + dx + shift).toFixed(1)} ${(cy + dy + shift).toFixed(1)}`;
      const thick = Math.max(1, base * 0.0045);
      return `<path d="${path(thick)}" stroke="#1a1210" stroke-width="${thick}" opacity="${opacity * 0.5}"/><path d="${path(0)}" stroke="#ffffff" stroke-width="${thick}" opacity="${opacity}"/>`;
    };
    const few = Math.max(1, Math.round(amount * 4));
    const scratches = Array.from({ length: few }, (_, at) => {
      const size = base * (0.05 + chance.fraction() * 0.08);
      return at === 0
        ? scratch(x, y, size * 1.3, 0.75)
        : scratch(chance.fraction() * width, chance.fraction() * height, size, 0.5);
    });
    const scuffs = Array.from({ length: Math.floor(amount * 2) }, () => {
      const [cx, cy] = [
        chance.fraction() * width,
        chance.fraction() < 0.5 ? height * 0.94 : height * chance.fraction(),
      ];
      return Array.from(
        { length: 7 },
        (_, at) =>
          `<path d="M${(cx + at * base * 0.008).toFixed(1)} ${(cy - at * base * 0.004).toFixed(1)}l${(base * 0.05).toFixed(1)} ${(-base * 0.02).toFixed(1)}" stroke="#fff6ea" stroke-width="${Math.max(1, base * 0.003)}" opacity="0.35"/>`,
      ).join("");
    });
    const dent =
      amount >= 1.5
        ? `<ellipse cx="${x + base * 0.05}" cy="${y + base * 0.05}" rx="${base * 0.06}" ry="${base * 0.04}" fill="#1a1210" opacity="0.22"/>`
        : "";
    return scratches.join("") + scuffs.join("") + dent;
  },
  cloth({ chance, amount, base, width, height, x, y }) {
    const creases = Array.from({ length: Math.round(3 + amount * 3) }, (_, at) => {
      const [cx, cy] = at === 0 ? [x, y] : [chance.fraction() * width, chance.fraction() * height];
      const [dx, dy] = [base * (0.08 + chance.fraction() * 0.14), base * (chance.fraction() - 0.5) * 0.24];
      const path = `M${(cx - dx).toFixed(1)} ${(cy - dy).toFixed(1)}q${dx.toFixed(1)} ${(dy * 0.3).toFixed(1)} ${(dx * 2).toFixed(1)} ${(dy * 2).toFixed(1)}`;
      return `<path d="${path}" stroke="#1a1210" stroke-width="${base * 0.016}" opacity="0.12"/><path d="${path}" stroke="#ffffff" stroke-width="${base * 0.006}" opacity="0.22" transform="translate(0 ${-base * 0.01})"/>`;
    });
    const lint = Array.from({ length: Math.round(amount * 14) }, () => {
      const [cx, cy] = [x + (chance.fraction() - 0.5) * base * 0.3, y + (chance.fraction() - 0.5) * base * 0.3];
      return `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${(base * 0.004).toFixed(1)}" fill="#ffffff" opacity="0.45"/>`;
    });
    const faded = `<ellipse cx="${x}" cy="${y}" rx="${base * 0.17}" ry="${base * 0.12}" fill="#ffffff" opacity="${0.07 * amount}"/>`;
    return creases.join("") + faded + lint.join("");
  },
  paper({ chance, amount, base, width, height, x, y }) {
    const corner = base * (0.07 + 0.05 * amount);
    const bent = `<path d="M${width - corner} 0L${width} ${corner}V0z" fill="#ffffff" opacity="0.5"/><path d="M${width - corner} 0L${width} ${corner}" stroke="#1a1210" stroke-width="${base * 0.006}" opacity="0.4"/>`;
    const edges = Array.from({ length: Math.round(amount * 7) }, () => {
      const along = chance.fraction();
      const [cx, cy] = chance.fraction() < 0.5 ? [along * width, height * 0.985] : [width * 0.985, along * height];
      return `<path d="M${cx.toFixed(1)} ${cy.toFixed(1)}l${(base * 0.03).toFixed(1)} ${(-base * 0.02).toFixed(1)}" stroke="#fbf3e2" stroke-width="${base * 0.011}" opacity="0.75"/>`;
    });
    const crease = `<path d="M${x - base * 0.16} ${y + base * 0.1}L${x + base * 0.18} ${y - base * 0.12}" stroke="#ffffff" stroke-width="${base * 0.006}" opacity="0.6"/><path d="M${x - base * 0.16} ${y + base * 0.108}L${x + base * 0.18} ${y - base * 0.112}" stroke="#1a1210" stroke-width="${base * 0.004}" opacity="0.35"/>`;
    const stain =
      amount >= 1
        ? `<ellipse cx="${x + base * 0.12}" cy="${y + base * 0.16}" rx="${base * 0.13}" ry="${base * 0.12}" stroke="#7a4a1e" stroke-width="${base * 0.014}" opacity="0.26"/>`
        : "";
    return bent + edges.join("") + crease + stain;
  },
};
