/**
 * Things drawn as SVG, of which the demo campus sells many: each laptop, phone, book and booklet looks like itself.
 * Their colours, titles and marks are parameters.
 */

export interface LaptopLook {
  lid: string;
  deck: string;
  keys: string;
  wall: [string, string];
  brand: string;
  /** The red point between the keys. */
  hasPoint?: boolean;
  isOff?: boolean;
}

export function laptop({ lid, deck, keys, wall, brand, hasPoint, isOff }: LaptopLook): string {
  const rows = [0, 1, 2, 3].map((row) => {
    const left = 57 - row * 4.4;
    const width = 186 + row * 8.8;
    const [count, y] = [13 - (row % 2), 162 + row * 6.2];
    return Array.from({ length: count }, (_, at) => {
      const cell = width / count;
      return `<rect x="${(left + at * cell + 0.8).toFixed(1)}" y="${y}" width="${(cell - 1.6).toFixed(1)}" height="4.6" rx="1.2"/>`;
    }).join("");
  });
  const screen = isOff
    ? `<rect x="52" y="16" width="196" height="122" rx="3" fill="#15161a"/>`
    : `<rect x="52" y="16" width="196" height="122" rx="3" fill="url(#wall)"/>
      <path d="M52 104q44-34 88-10t108-22v66H52z" fill="#ffffff" opacity="0.16"/><path d="M52 122q60-30
        110-8t86-12v36H52z" fill="#000000" opacity="0.1"/>
      <rect x="52" y="129" width="196" height="9" fill="#0c0e14" opacity="0.55"/><g fill="#ffffff" opacity="0.85">
        <rect x="128" y="131" width="5" height="5" rx="1"/><rect x="138" y="131" width="5" height="5" rx="1"/><rect
        x="148" y="131" width="5" height="5" rx="1"/><rect x="158" y="131" width="5" height="5" rx="1"/></g>
      <rect x="66" y="32" width="84" height="54" rx="4" fill="#ffffff" opacity="0.92"/><g fill="#9aa4b2"><rect x="74"
        y="48" width="56" height="4" rx="2"/><rect x="74" y="58" width="66" height="4" rx="2"/><rect x="74" y="68"
        width="42" height="4" rx="2"/></g><rect x="66" y="32" width="84" height="9" rx="4" fill="#cfd6e0"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 222" font-family="Helvetica, Arial, sans-serif">
    <defs>
    <linearGradient id="wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${wall[0]}"/><stop offset="1"
      stop-color="${wall[1]}"/></linearGradient>
    <linearGradient id="deck" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff" stop-opacity="0.35"/>
      <stop offset="0.55" stop-color="#ffffff" stop-opacity="0"/><stop offset="1" stop-color="#000000"
      stop-opacity="0.25"/></linearGradient>
    <linearGradient id="glare" x1="0" y1="0" x2="0.7" y2="1"><stop offset="0" stop-color="#ffffff"
      stop-opacity="0.28"/><stop offset="0.5" stop-color="#ffffff" stop-opacity="0"/></linearGradient></defs>
    <rect x="41" y="4" width="218" height="150" rx="12" fill="${lid}"/><rect x="41" y="4" width="218" height="150"
      rx="12" fill="url(#deck)"/>
    <rect x="46" y="9" width="208" height="143" rx="8" fill="#121318"/>${screen}<path d="M52 16h120L92 138H52z"
      fill="url(#glare)"/>
    <circle cx="150" cy="12.4" r="1.5" fill="#3d4656"/><text x="150" y="148.5" font-size="7.5" font-weight="700"
      text-anchor="middle" fill="#aab0ba">${brand}</text>
    <rect x="62" y="152" width="176" height="7" rx="3" fill="#22242a"/>
    <path d="M43 157H257L290 206H10Z" fill="${deck}"/><path d="M43 157H257L290 206H10Z" fill="url(#deck)"/>
    <path d="M57 160H243L262 188H38Z" fill="#000000" opacity="0.28"/><g fill="${keys}">${rows.join("")}</g>
    ${hasPoint ? `<circle cx="150" cy="173" r="2.6" fill="#d8352f"/>` : ""}
    <path d="M116 191H184L189 203H111Z" fill="#000000" opacity="0.2"/><path d="M117 192H183L187.600 202H112.400Z"
      fill="#ffffff" opacity="0.14"/>
    <path d="M10 206H290V211Q290 217 283 217H17Q10 217 10 211Z" fill="${deck}"/><path d="M10 206H290V211Q290 217 283
      217H17Q10 217 10 211Z" fill="#000000" opacity="0.34"/><path d="M128 206h44q-2 5-8 5h-28q-6 0-8-5z"
      fill="#000000" opacity="0.3"/>
  </svg>`;
}

export interface PhoneLook {
  body: string;
  wall: [string, string];
  lenses: 1 | 2 | 3;
  brand: string;
  isCracked?: boolean;
  /** Which side lies on top. */
  shows?: "both" | "front" | "back";
}

export function phone({ body, wall, lenses, brand, isCracked, shows = "both" }: PhoneLook): string {
  const crack = `<path d="M20 176l22 14 12-20 18 30 26-12 20 22M42 190l-8 34M72 200l4 40 18 20M98 188l6-26" fill="none" stroke="#ffffff" stroke-width="1.8" opacity="0.85"/><path d="M21 178l22 14M73 202l4 40" fill="none" stroke="#000000" stroke-width="1.4" opacity="0.5"/>`;
  const lens = Array.from({ length: lenses }, (_, at) => {
    const [x, y] = [
      [32, 32],
      [32, 62],
      [58, 47],
    ][at] ?? [32, 32];
    return `<circle cx="${x}" cy="${y}" r="12" fill="#14161b"/><circle cx="${x}" cy="${y}" r="7.500" fill="#2b3550"/><circle cx="${(x ?? 0) - 3}" cy="${(y ?? 0) - 3}" r="2.4" fill="#dfe8ff"/>`;
  }).join("");
  const back = `<rect x="0" y="0" width="132" height="272" rx="22" fill="${body}"/><rect x="0" y="0" width="132"
    height="272" rx="22" fill="url(#sheen)"/><rect x="1.5" y="1.5" width="129" height="269" rx="21" fill="none"
    stroke="#ffffff" stroke-opacity="0.35" stroke-width="2"/>
    <rect x="13" y="13" width="${lenses > 1 ? 64 : 40}" height="${lenses > 1 ? 68 : 40}" rx="18" fill="#000000"
      opacity="0.2"/>${lens}<circle cx="${lenses > 1 ? 62 : 62}" cy="${lenses > 2 ? 24 : 28}" r="4" fill="#fff3cf"/>
    <text x="66" y="232" font-size="13" font-weight="700" text-anchor="middle" fill="#ffffff"
      opacity="0.75">${brand}</text>${isCracked ? crack : ""}`;
  const front = `<rect x="0" y="0" width="132" height="272" rx="22" fill="#1a1b20"/><rect x="5" y="5" width="122"
    height="262" rx="18" fill="url(#wall)"/>
    <path d="M5 190q40-44 70-14t52-30v103q0 18-18 18H23q-18 0-18-18z" fill="#ffffff" opacity="0.18"/><circle cx="66"
      cy="17" r="4" fill="#0d0e12"/>
    <text x="66" y="74" font-size="30" font-weight="700" text-anchor="middle" fill="#ffffff">10:24</text><rect x="44"
      y="86" width="44" height="5" rx="2.5" fill="#ffffff" opacity="0.8"/>
    <g fill="#ffffff" opacity="0.9"><rect x="20" y="222" width="22" height="22" rx="7"/><rect x="55" y="222"
      width="22" height="22" rx="7" opacity="0.75"/><rect x="90" y="222" width="22" height="22" rx="7" opacity="0.6"/>
      </g><rect x="44" y="256" width="44" height="4" rx="2" fill="#ffffff" opacity="0.85"/>
    <path d="M5 23q0-18 18-18h50L30 180 5 220z" fill="url(#glare)"/>`;
  const sides = {
    both: `<g transform="translate(14 24) rotate(-7 66 136)">${back}</g><g transform="translate(112 22) rotate(6 66 136)"><rect x="-5" y="6" width="132" height="272" rx="22" fill="#000000" opacity="0.22"/>${front}</g>`,
    front: `<g transform="translate(64 20)">${front}</g>`,
    back: `<g transform="translate(64 20)">${back}</g>`,
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 260 320" font-family="Helvetica, Arial, sans-serif">
    <defs>
    <linearGradient id="wall" x1="0" y1="0" x2="0.6" y2="1"><stop offset="0" stop-color="${wall[0]}"/><stop offset="1"
      stop-color="${wall[1]}"/></linearGradient>
    <linearGradient id="sheen" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff" stop-opacity="0.4"/>
      <stop offset="0.45" stop-color="#ffffff" stop-opacity="0.02"/><stop offset="1" stop-color="#000000"
      stop-opacity="0.3"/></linearGradient>
    <linearGradient id="glare" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff" stop-opacity="0.4"/>
      <stop offset="0.7" stop-color="#ffffff" stop-opacity="0"/></linearGradient></defs>${sides[shows]}</svg>`;
}

export interface BookLook {
  title: string;
  author: string;
  cover: string;
  /** Of the ornament and the author. */
  accent: string;
  ornament: "rings" | "waves" | "sun" | "bars" | "peaks" | "frame" | "leaf" | "dots";
  ink?: string;
}

const ORNAMENTS: Record<BookLook["ornament"], string> = {
  rings: `<g fill="none" stroke-width="7"><circle cx="150" cy="196" r="22"/><circle cx="150" cy="196" r="42"/><circle cx="150" cy="196" r="62"/></g>`,
  waves: `<g fill="none" stroke-width="7"><path d="M30 176q22-22 44 0t44 0 44 0 44 0M30 200q22-22 44 0t44 0 44 0 44 0M30 224q22-22 44 0t44 0 44 0 44 0"/></g>`,
  sun: `<circle cx="116" cy="206" r="40" stroke="none"/><path d="M28 236q50-30 92-10t86-8v58H28z" stroke="none" opacity="0.55"/>`,
  bars: `<g stroke="none"><rect x="44" y="196" width="20" height="44"/><rect x="74" y="176" width="20" height="64"/><rect x="104" y="186" width="20" height="54"/><rect x="134" y="158" width="20" height="82"/><rect x="164" y="140" width="20" height="100"/></g>`,
  peaks: `<g stroke="none"><path d="M30 240l48-70 34 46 30-56 62 80z"/><path d="M30 240l48-36 40 30 34-20 52 26z" opacity="0.5"/></g>`,
  frame: `<g fill="none" stroke-width="4"><rect x="36" y="22" width="158" height="238" rx="4"/><rect x="43" y="29" width="144" height="224" rx="3" stroke-width="1.500"/></g>`,
  leaf: `<g stroke="none"><path d="M116 240c-50-20-52-66-10-92 44 24 46 70 10 92z"/><path d="M150 240c-20-30-8-56 30-66 8 34-4 58-30 66z" opacity="0.6"/></g>`,
  dots: `<g stroke="none">${[0, 1, 2, 3, 4].map((x) => [0, 1, 2].map((y) => `<circle cx="${48 + x * 34}" cy="${168 + y * 32}" r="${5 + ((x + y) % 3) * 4}"/>`).join("")).join("")}</g>`,
};

export function book({ title, author, cover, accent, ornament, ink = "#ffffff" }: BookLook): string {
  const lines = wrap(title, 13);
  const size = lines.length > 3 || lines.some((line) => line.length > 11) ? 20 : 25;
  const words = lines.map(
    (line, at) =>
      `<text x="116" y="${58 + at * (size + 5)}" font-size="${size}" font-weight="700" text-anchor="middle" fill="${ink}">${escape(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 226 292" font-family="Georgia, 'Liberation Serif',
    'DejaVu Serif', serif"><defs>
    <linearGradient id="light" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff" stop-opacity="0.3"/>
      <stop offset="0.5" stop-color="#ffffff" stop-opacity="0"/><stop offset="1" stop-color="#000000"
      stop-opacity="0.22"/></linearGradient></defs>
    <rect x="14" y="12" width="206" height="276" rx="5" fill="${cover}"/><rect x="14" y="12" width="206" height="276"
      rx="5" fill="#000000" opacity="0.35"/>
    <rect x="14" y="10" width="200" height="272" rx="3" fill="#f4ecd9"/><path d="M16 279h196M16 276h196M211 14v264M208
      14v264" stroke="#c9bb9c" stroke-width="1"/>
    <rect x="8" y="4" width="198" height="270" rx="5" fill="${cover}"/><g fill="${accent}" stroke="${accent}"
      opacity="0.9">${ORNAMENTS[ornament]}</g>
    ${words.join("")}<text x="116" y="${ornament === "frame" ? 240 : 262}" font-size="13" text-anchor="middle"
      fill="${ornament === "frame" ? accent : ink}">${escape(author)}</text>
    <rect x="8" y="4" width="198" height="270" rx="5" fill="url(#light)"/><rect x="8" y="4" width="17" height="270"
      rx="5" fill="#000000" opacity="0.2"/><path d="M26 4v270" stroke="#ffffff" stroke-opacity="0.22"
      stroke-width="2"/>
  </svg>`;
}

export interface BookletLook {
  title: string;
  sheet: string;
  accent: string;
  binding: "spiral" | "tape" | "cards";
}

/** Bound prints, revision cards and exercise books. */
export function booklet({ title, sheet, accent, binding }: BookletLook): string {
  const lines = wrap(title, 15);
  const words = lines.map(
    (line, at) =>
      `<text x="120" y="${76 + at * 25}" font-size="20" font-weight="700" text-anchor="middle" fill="#26303c">${escape(line)}</text>`,
  );
  const top = 96 + lines.length * 25;
  const ruled = Array.from(
    { length: Math.max(0, Math.floor((262 - top) / 16)) },
    (_, at) =>
      `<path d="M48 ${top + at * 16}h${at % 3 === 2 ? 90 : 144}" stroke="#7b8794" stroke-width="4" opacity="0.45"/>`,
  );
  const bound = {
    spiral: Array.from(
      { length: 15 },
      (_, at) =>
        `<circle cx="27" cy="${28 + at * 17}" r="3.4" fill="#3a3f47"/><path d="M27 ${28 + at * 17}q-20-8-20 2" fill="none" stroke="#6d757f" stroke-width="3"/>`,
    ).join(""),
    tape: `<rect x="12" y="8" width="22" height="272" fill="${accent}"/>`,
    cards: `<rect x="8" y="132" width="212" height="16" fill="#b9573f" opacity="0.85"/>`,
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 232 292" font-family="Helvetica, Arial, sans-serif">
    <defs>
    <linearGradient id="light" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff" stop-opacity="0.4"/>
      <stop offset="0.6" stop-color="#ffffff" stop-opacity="0"/><stop offset="1" stop-color="#000000"
      stop-opacity="0.12"/></linearGradient></defs>
    <rect x="20" y="16" width="206" height="272" rx="3" fill="#cfc9bd"/><rect x="16" y="12" width="206" height="272"
      rx="3" fill="#e9e4d9"/>
    <rect x="12" y="8" width="206" height="272" rx="3" fill="${sheet}"/><rect x="12" y="8" width="206" height="40"
      fill="${accent}" opacity="0.92"/>
    ${words.join("")}${ruled.join("")}<rect x="12" y="8" width="206" height="272" rx="3"
      fill="url(#light)"/>${bound[binding]}
  </svg>`;
}

/** A cardboard box with what it held printed on it. */
export function box(words: string, colour: string): string {
  const lines = wrap(words, 14).slice(0, 3);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 200" font-family="Helvetica, Arial, sans-serif">
    <path d="M20 46L120 18 222 46 120 78z" fill="#ead2ab"/><path d="M20 46v110l100 36V78z" fill="${colour}"/><path
      d="M222 46v110l-102 36V78z" fill="${colour}"/><path d="M222 46v110l-102 36V78z" fill="#000000" opacity="0.22"/>
    <path d="M56 36l100 30v24l18-5V60L76 30z" fill="#f6ead0" opacity="0.75"/>
    ${lines.map((line, at) => `<text transform="translate(30 ${86 + at * 22}) skewY(18)" font-size="15" font-weight="700" fill="#ffffff">${escape(line)}</text>`).join("")}
    <path d="M140 156l62-20" stroke="#ffffff" stroke-width="5" opacity="0.6"/></svg>`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.slice(0, 5);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
