/** How the people of the demo campus look, drawn as SVG on a square of 320. */
import type { PersonName } from "./people.ts";

/** face: lit side. shade: below the chin, nose and ears. lips. */
interface Skin {
  face: string;
  shade: string;
  lips: string;
}

const SKINS = {
  espresso: { face: "#573524", shade: "#42261a", lips: "#93493f" },
  cocoa: { face: "#6b432e", shade: "#533120", lips: "#9f5247" },
  chestnut: { face: "#7a4b31", shade: "#613923", lips: "#a1524a" },
  caramel: { face: "#93603f", shade: "#794b2e", lips: "#b0584f" },
  honey: { face: "#ad7a54", shade: "#925f3c", lips: "#b95f55" },
  wheat: { face: "#c79468", shade: "#ab774b", lips: "#bd645a" },
} as const satisfies Record<string, Skin>;

const INK = "#1d1413";

type Hair =
  | "bald"
  | "fade"
  | "short"
  | "flat-top"
  | "curls"
  | "afro"
  | "puff"
  | "bun"
  | "bob"
  | "braids"
  | "long"
  | "locs"
  | "crop"
  | "hijab"
  | "headwrap"
  | "kofia";

type Clothes = "tee" | "shirt" | "hoodie" | "vneck" | "blouse" | "jacket" | "shuka" | "kitenge" | "blazer";

interface Face {
  skin: keyof typeof SKINS;
  hair: Hair;
  /** Of the hair; of the cloth where one covers it. */
  hairColour?: string;
  clothes: Clothes;
  colour: string;
  background: string;
  mouth?: "smile" | "laugh" | "lips";
  beard?: "stubble" | "goatee" | "full" | "moustache";
  glasses?: "round" | "square";
  earrings?: string;
  lashes?: boolean;
}

const SAND = "#f0d9a8";
const SKY = "#b9d7ec";
const MINT = "#b5dccb";
const BLUSH = "#f2c6b8";
const LILAC = "#d0c4ea";
const BUTTER = "#f4dd8e";
const SAGE = "#c5d6b2";
const CLAY = "#e5b493";
const STONE = "#d8d1c8";

const FACES: Record<PersonName, Face> = {
  buyer: {
    skin: "chestnut",
    hair: "puff",
    clothes: "tee",
    colour: "#e9b949",
    background: SKY,
    mouth: "laugh",
    earrings: "#e7c65f",
    lashes: true,
  },
  seller: {
    skin: "espresso",
    hair: "fade",
    clothes: "hoodie",
    colour: "#2f6f73",
    background: SAND,
    mouth: "smile",
    beard: "goatee",
  },
  pro: {
    skin: "honey",
    hair: "hijab",
    hairColour: "#a8505f",
    clothes: "blouse",
    colour: "#f3e6da",
    background: MINT,
    mouth: "lips",
    lashes: true,
  },
  wholesaler: {
    skin: "cocoa",
    hair: "bob",
    clothes: "blazer",
    colour: "#33415f",
    background: BUTTER,
    mouth: "lips",
    earrings: "#f6f1e6",
    glasses: "square",
    lashes: true,
  },
  admin: {
    skin: "espresso",
    hair: "short",
    clothes: "shirt",
    colour: "#8fb3d9",
    background: STONE,
    mouth: "smile",
    beard: "moustache",
    glasses: "square",
  },
  kevin: { skin: "cocoa", hair: "flat-top", clothes: "tee", colour: "#c4573a", background: SAGE, mouth: "laugh" },
  mercy: {
    skin: "espresso",
    hair: "braids",
    clothes: "blouse",
    colour: "#e08a4a",
    background: LILAC,
    mouth: "smile",
    earrings: "#e7c65f",
    lashes: true,
  },
  collins: {
    skin: "chestnut",
    hair: "short",
    clothes: "vneck",
    colour: "#6d4a7d",
    background: SAND,
    mouth: "smile",
    glasses: "round",
  },
  fatuma: {
    skin: "caramel",
    hair: "hijab",
    hairColour: "#2f6d66",
    clothes: "blouse",
    colour: "#e9dcc3",
    background: BLUSH,
    mouth: "laugh",
    lashes: true,
  },
  samson: {
    skin: "espresso",
    hair: "bald",
    clothes: "shuka",
    colour: "#b8323a",
    background: SKY,
    mouth: "smile",
    beard: "stubble",
  },
  joyce: {
    skin: "cocoa",
    hair: "bun",
    clothes: "vneck",
    colour: "#4f7fa8",
    background: BUTTER,
    mouth: "laugh",
    glasses: "round",
    lashes: true,
  },
  dennis: { skin: "chestnut", hair: "curls", clothes: "jacket", colour: "#4d5d49", background: CLAY, mouth: "smile" },
  riya: {
    skin: "wheat",
    hair: "long",
    hairColour: "#2a1c1a",
    clothes: "blouse",
    colour: "#c95b73",
    background: MINT,
    mouth: "lips",
    earrings: "#e7c65f",
    lashes: true,
  },
  peter: {
    skin: "caramel",
    hair: "fade",
    clothes: "shirt",
    colour: "#f4efe6",
    background: SKY,
    mouth: "laugh",
    beard: "full",
  },
  halima: {
    skin: "honey",
    hair: "hijab",
    hairColour: "#4b4a78",
    clothes: "jacket",
    colour: "#8a6a4f",
    background: SAND,
    mouth: "smile",
    glasses: "round",
    lashes: true,
  },
  esther: {
    skin: "espresso",
    hair: "headwrap",
    hairColour: "#d97a2b",
    clothes: "kitenge",
    colour: "#2f6f8f",
    background: SAGE,
    mouth: "laugh",
    earrings: "#e7c65f",
    lashes: true,
  },
  victor: {
    skin: "cocoa",
    hair: "locs",
    clothes: "tee",
    colour: "#39424e",
    background: LILAC,
    mouth: "smile",
    beard: "goatee",
  },
  lydia: {
    skin: "chestnut",
    hair: "crop",
    clothes: "tee",
    colour: "#5fa08b",
    background: BLUSH,
    mouth: "smile",
    earrings: "#f6f1e6",
    lashes: true,
  },
  ouma: {
    skin: "espresso",
    hair: "flat-top",
    clothes: "jacket",
    colour: "#31507a",
    background: BUTTER,
    mouth: "laugh",
  },
  mwende: {
    skin: "cocoa",
    hair: "afro",
    clothes: "vneck",
    colour: "#a33d4d",
    background: MINT,
    mouth: "smile",
    glasses: "round",
    lashes: true,
  },
  barasa: {
    skin: "espresso",
    hair: "bald",
    clothes: "tee",
    colour: "#e0b04c",
    background: STONE,
    mouth: "laugh",
    beard: "full",
  },
  zawadi: {
    skin: "caramel",
    hair: "braids",
    hairColour: "#3b2118",
    clothes: "kitenge",
    colour: "#c2512f",
    background: SKY,
    mouth: "laugh",
    earrings: "#f6f1e6",
    lashes: true,
  },
  githinji: {
    skin: "chestnut",
    hair: "afro",
    clothes: "hoodie",
    colour: "#5b6fb0",
    background: CLAY,
    mouth: "smile",
    glasses: "square",
  },
  naserian: {
    skin: "espresso",
    hair: "crop",
    clothes: "shuka",
    colour: "#8d2f7d",
    background: SAND,
    mouth: "laugh",
    earrings: "#e4572e",
    lashes: true,
  },
  kinoti: { skin: "cocoa", hair: "fade", clothes: "tee", colour: "#3d8361", background: SAGE, mouth: "smile" },
  shiru: {
    skin: "caramel",
    hair: "locs",
    hairColour: "#4a2a1b",
    clothes: "jacket",
    colour: "#d9843f",
    background: LILAC,
    mouth: "laugh",
    glasses: "round",
    lashes: true,
  },
  ekai: { skin: "espresso", hair: "short", clothes: "vneck", colour: "#cfd6dc", background: BLUSH, mouth: "laugh" },
  bosibori: {
    skin: "cocoa",
    hair: "headwrap",
    hairColour: "#7a3f8f",
    clothes: "tee",
    colour: "#f0c04f",
    background: SKY,
    mouth: "lips",
    lashes: true,
  },
  yusuf: {
    skin: "honey",
    hair: "kofia",
    hairColour: "#f2ede2",
    clothes: "shirt",
    colour: "#e8e2d4",
    background: SAGE,
    mouth: "smile",
    beard: "full",
  },
  cheruiyot: {
    skin: "espresso",
    hair: "fade",
    clothes: "hoodie",
    colour: "#b23a3a",
    background: SAND,
    mouth: "smile",
    beard: "stubble",
  },
  mwakio: {
    skin: "chestnut",
    hair: "bob",
    hairColour: "#3a1f22",
    clothes: "blouse",
    colour: "#6a9bc3",
    background: BUTTER,
    mouth: "lips",
    earrings: "#e7c65f",
    lashes: true,
  },
  achieng: {
    skin: "espresso",
    hair: "afro",
    clothes: "kitenge",
    colour: "#d9a025",
    background: BLUSH,
    mouth: "laugh",
    earrings: "#e7c65f",
    lashes: true,
  },
  simiyu: {
    skin: "cocoa",
    hair: "curls",
    clothes: "shirt",
    colour: "#c5d8c0",
    background: STONE,
    mouth: "smile",
    glasses: "square",
  },
  jamila: {
    skin: "caramel",
    hair: "hijab",
    hairColour: "#d8b36a",
    clothes: "blouse",
    colour: "#5d6d8d",
    background: LILAC,
    mouth: "smile",
    lashes: true,
  },
  wairimu: {
    skin: "honey",
    hair: "bun",
    clothes: "hoodie",
    colour: "#d98aa0",
    background: MINT,
    mouth: "smile",
    lashes: true,
  },
  kiptoo: {
    skin: "espresso",
    hair: "short",
    clothes: "tee",
    colour: "#2f7dae",
    background: CLAY,
    mouth: "laugh",
    beard: "stubble",
  },
  nduku: {
    skin: "chestnut",
    hair: "puff",
    clothes: "jacket",
    colour: "#7a5aa6",
    background: SAND,
    mouth: "smile",
    glasses: "square",
    lashes: true,
  },
  ruto: {
    skin: "cocoa",
    hair: "long",
    hairColour: "#201514",
    clothes: "vneck",
    colour: "#3f9a8d",
    background: BLUSH,
    mouth: "laugh",
    earrings: "#f6f1e6",
    lashes: true,
  },
  hussein: {
    skin: "caramel",
    hair: "kofia",
    hairColour: "#31505a",
    clothes: "vneck",
    colour: "#b9975c",
    background: SKY,
    mouth: "laugh",
    beard: "goatee",
  },
  makena: {
    skin: "chestnut",
    hair: "braids",
    clothes: "blazer",
    colour: "#a3473f",
    background: SAGE,
    mouth: "lips",
    glasses: "round",
    lashes: true,
  },
};

/** The portrait of a person as SVG. */
export function faceSvg(name: PersonName): string {
  const face = FACES[name];
  const skin = SKINS[face.skin];
  const hair = hairOf(face);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320" viewBox="24 22 272 272">
    <rect width="320" height="320" fill="${face.background}"/>
    <circle cx="160" cy="146" r="116" fill="#ffffff" opacity="0.28"/>
    ${hair.behind}${body(face, skin)}${hair.besides}
    ${head(face, skin)}${features(face, skin)}${hair.before}${accessories(face)}
  </svg>`;
}

/** Neck and clothes. */
function body({ clothes, colour, hair }: Face, skin: Skin): string {
  const dark = mix(colour, "#000000", 0.2);
  const light = mix(colour, "#ffffff", 0.22);
  const shoulders = `<path d="M36 320C38 276 70 254 128 242L160 262L192 242C250 254 282 276 284 320Z" fill="${colour}"/>`;
  const neck = `<path d="M134 190h52v46c0 10-12 26-26 26s-26-16-26-26z" fill="${skin.face}"/>
    <path d="M134 200c10 14 42 14 52 0v14c-12 18-40 18-52 0z" fill="${skin.shade}"/>`;
  const collars: Record<Clothes, string> = {
    tee: `${shoulders}${neck}<path d="M126 240q34 40 68 0l6 3q-40 52-80 0z" fill="${dark}"/>`,
    vneck: `${shoulders}${neck}<path d="M134 232L160 276L186 232L198 242L160 298L122 242Z" fill="${dark}"/><path d="M136 236l24 40 24-40-24 22z" fill="${skin.face}"/>`,
    shirt: `${shoulders}${neck}<path d="M160 262v58" stroke="${dark}" stroke-width="3"/><path d="M132 230l-16 20 24 34
      20-22z" fill="${light}"/><path d="M188 230l16 20-24 34-20-22z" fill="${light}"/>
      <circle cx="160" cy="290" r="3.4" fill="${dark}"/>`,
    hoodie: `<path d="M108 250c-8-30 12-50 52-50s60 20 52 50z" fill="${dark}"/>${shoulders}${neck}
      <path d="M122 236q-22 14-12 40q28 18 50-10q22 28 50 10q10-26-12-40q-8 34-38 34t-38-34z" fill="${light}"/>
      <path d="M142 276v30M178 276v30" stroke="#ffffff" stroke-width="4" stroke-linecap="round" opacity="0.8"/>`,
    blouse: `${shoulders}${neck}<path d="M128 240q32 56 64 0l8 4q-40 74-80 0z" fill="${light}"/><path d="M132 236q28 48 56 0q-8 26-28 26t-28-26z" fill="${skin.face}"/>`,
    jacket: `${shoulders}${neck}<path d="M130 238q30 40 60 0l-6 82h-48z" fill="#f4efe6"/><path d="M132 236q28 34 56
      0q-8 26-28 26t-28-26z" fill="${skin.face}"/>
      <path d="M128 238l-22 12 22 70h12z" fill="${dark}"/><path d="M192 238l22 12-22 70h-12z" fill="${dark}"/>`,
    blazer: `${shoulders}${neck}<path d="M130 238l30 60 30-60-6 82h-48z" fill="#f7f3ea"/><path d="M134 236l26 42
      26-42-26 24z" fill="${skin.face}"/>
      <path d="M128 238l-24 14 14 18-8 8 42 42h6z" fill="${dark}"/><path d="M192 238l24 14-14 18 8 8-42 42h-6z"
        fill="${dark}"/>`,
    shuka: `<defs><pattern id="check" width="26" height="26" patternUnits="userSpaceOnUse"
      patternTransform="rotate(12)"><rect width="26" height="26" fill="${colour}"/><path d="M0 6h26M6 0v26"
      stroke="#1d1a3c" stroke-width="5" opacity="0.75"/><path d="M0 18h26M18 0v26" stroke="${light}" stroke-width="2"
      opacity="0.8"/></pattern></defs>
      ${shoulders.replace(colour, dark)}${neck}<path d="M120 246q40 40 80 0l84 74H36q4-50 84-74z" fill="url(#check)"/>
        <path d="M124 244q36 36 72 0l8 6q-44 48-88 0z" fill="${dark}"/>`,
    kitenge: `<defs><pattern id="print" width="34" height="34" patternUnits="userSpaceOnUse"><rect width="34"
      height="34" fill="${colour}"/><circle cx="17" cy="17" r="10" fill="#f5d98a"/><circle cx="17" cy="17" r="5.5"
      fill="#8d2d2d"/><path d="M0 0l7 7M34 0l-7 7M0 34l7-7M34 34l-7-7" stroke="#1d2b3a" stroke-width="4"
      stroke-linecap="round"/></pattern></defs>
      ${shoulders.replace(colour, "url(#print)")}${neck}<path d="M126 240q34 46 68 0l7 3q-41 58-82 0z"
        fill="#1d2b3a"/>`,
  };
  return hair === "hijab" ? `${shoulders}${neck}` : collars[clothes];
}

function head({ hair }: Face, skin: Skin): string {
  const ears =
    hair === "hijab"
      ? ""
      : `<ellipse cx="107" cy="150" rx="11" ry="15" fill="${skin.face}"/><ellipse cx="213" cy="150" rx="11" ry="15"
        fill="${skin.face}"/>
    <path d="M104 145q7 4 4 13M216 145q-7 4-4 13" fill="none" stroke="${skin.shade}" stroke-width="3"
      stroke-linecap="round"/>`;
  return `${ears}<path d="${HEAD}" fill="${skin.face}"/>`;
}

const HEAD = "M108 132C108 94 130 70 160 70C190 70 212 94 212 132V152C212 188 188 216 160 216C132 216 108 188 108 152Z";

function features({ mouth = "smile", beard, lashes }: Face, skin: Skin): string {
  const brows = lashes
    ? `<path d="M124 131q14-9 26-3M196 131q-14-9-26-3" fill="none" stroke="${INK}" stroke-width="4" stroke-linecap="round"/>`
    : `<path d="M122 132q14-8 28-3M198 132q-14-8-28-3" fill="none" stroke="${INK}" stroke-width="6" stroke-linecap="round"/>`;
  const lash = lashes
    ? `<path d="M126 148q9-11 22-3M194 148q-9-11-22-3M127 147l-5-3M193 147l5-3" fill="none" stroke="${INK}" stroke-width="3.4" stroke-linecap="round"/>`
    : "";
  const eyes = [138, 182].map(
    (x) => `<ellipse cx="${x}" cy="149.5" rx="9.4" ry="6.4" fill="#fff7ee"/><circle cx="${x}" cy="149.5" r="6.2"
      fill="${INK}"/>
      <circle cx="${x + 2.2}" cy="147" r="2.1" fill="#ffffff"/>`,
  );
  const cheeks = `<ellipse cx="127" cy="172" rx="11" ry="7" fill="${skin.lips}" opacity="0.28"/><ellipse cx="193" cy="172" rx="11" ry="7" fill="${skin.lips}" opacity="0.28"/>`;
  const nose = `<path d="M150 171q10 8 20 0" fill="none" stroke="${skin.shade}" stroke-width="5" stroke-linecap="round"/>`;
  const mouths = {
    smile: `<path d="M142 189q18 14 36 0" fill="none" stroke="${skin.lips}" stroke-width="5.5" stroke-linecap="round"/>`,
    laugh: `<path d="M138 186h44c0 13-9 20-22 20s-22-7-22-20z" fill="#fffaf2" stroke="${skin.lips}" stroke-width="3.5" stroke-linejoin="round"/>`,
    lips: `<path d="M142 190q9-8 18-3q9-5 18 3q-9 12-18 12t-18-12z" fill="${skin.lips}"/><path d="M143 190q17 5 34 0" fill="none" stroke="${mix(skin.lips, INK, 0.45)}" stroke-width="2.4" stroke-linecap="round"/>`,
  };
  return `${beard ? beards(skin)[beard] : ""}${cheeks}${brows}${eyes.join("")}${lash}${nose}${mouths[mouth]}`;
}

function beards(skin: Skin): Record<NonNullable<Face["beard"]>, string> {
  const hair = mix(INK, skin.face, 0.12);
  const jaw =
    "M108 150C112 172 124 178 136 178C144 178 150 177 160 177C170 177 176 178 184 178C196 178 208 172 212 150V154C212 190 188 219 160 219C132 219 108 190 108 154Z";
  return {
    stubble: `<path d="${jaw}" fill="${hair}" opacity="0.28"/>`,
    full: `<path d="${jaw}" fill="${hair}"/><path d="M136 190q0-10 24-10t24 10q-4 18-24 18t-24-18z" fill="${skin.face}"/>`,
    goatee: `<path d="M138 192c-2-14 6-15 22-15s24 1 22 15c-1 17-8 27-22 27s-21-10-22-27z" fill="${hair}"/><path d="M143 190q0-7 17-7t17 7q-3 14-17 14t-17-14z" fill="${skin.face}"/>`,
    moustache: `<path d="M138 185c4-10 14-10 22-7c8-3 18-3 22 7c-8-3-14-1-22-1s-14-2-22 1z" fill="${hair}"/>`,
  };
}

interface HairLayers {
  /** Behind neck and shoulders. */
  behind: string;
  /** Over the shoulders, behind the face. */
  besides: string;
  /** Over the forehead. */
  before: string;
}

function hairOf({ hair, hairColour: colour = INK }: Face): HairLayers {
  const light = colour === INK ? mix(colour, "#9a7660", 0.34) : mix(colour, "#ffffff", 0.18);
  const tones = { colour, light, dark: mix(colour, "#000000", 0.22) };
  return { behind: "", besides: "", before: "", ...HAIRS[hair](tones) };
}

interface Tones {
  colour: string;
  light: string;
  dark: string;
}

function cap(colour: string, top: number): string {
  return `<path d="M105 142C101 96 122 ${top} 160 ${top}S219 96 215 142C212 142 211 138 210 132C208 116 203 108 194 103C174 97 146 97 126 103C117 108 112 116 110 132C109 138 108 142 105 142Z" fill="${colour}"/>`;
}

/** The edge of curls above (cx, cy). */
function bumps(colour: string, cx: number, cy: number, radius: number, count: number, size: number): string {
  return Array.from({ length: count }, (_, at) => {
    const angle = Math.PI * (1.02 + (0.96 * at) / (count - 1));
    return `<circle cx="${(cx + radius * Math.cos(angle)).toFixed(1)}" cy="${(cy + radius * Math.sin(angle)).toFixed(1)}" r="${size}" fill="${colour}"/>`;
  }).join("");
}

function strands({ colour, light, dark }: Tones, xs: number[], from: number, to: number, width: number): string {
  return xs
    .map((x, at) => {
      const path = `M${x} ${from}V${to + (at % 2) * 10}`;
      return `<path d="${path}" stroke="${dark}" stroke-width="${width + 2}" stroke-linecap="round"/>
        <path d="${path}" stroke="${colour}" stroke-width="${width - 1}" stroke-linecap="round"/>
        <path d="${path}" stroke="${light}" stroke-width="${width / 3}" stroke-dasharray="1 ${width * 0.8}"
          stroke-linecap="round" opacity="0.8"/>`;
    })
    .join("");
}

/** Where the curls above the forehead stand. */
const CURLS = [112, 126, 143, 160, 177, 194, 208];

const HAIRS: Record<Hair, (tones: Tones) => Partial<HairLayers>> = {
  bald: () => ({
    before: `<path d="M132 88q14-10 30-9" fill="none" stroke="#ffffff" stroke-width="6" stroke-linecap="round" opacity="0.16"/>`,
  }),
  fade: ({ colour }) => ({
    before: `<path d="M106 140C103 98 122 66 160 66S217 98 214 140C211 130 211 120 206 112C204 106 200 104 194
      103H126C120 104 116 106 114 112C109 120 109 130 106 140Z" fill="${colour}" opacity="0.55"/>
          <path d="M114 108C116 78 134 60 160 60S204 78 206 108C202 104 198 103 194 103H126C122 103 118 104 114 108Z"
            fill="${colour}"/>`,
  }),
  short: ({ colour }) => ({ before: cap(colour, 58) }),
  crop: ({ colour, light }) => ({
    before: `${cap(colour, 60)}<path d="M128 84q14-14 34-13" fill="none" stroke="${light}" stroke-width="5" stroke-linecap="round" opacity="0.6"/>`,
  }),
  "flat-top": ({ colour }) => ({
    before: `<path d="M106 140C103 120 104 108 110 98H210C216 108 217 120 214 140C211 128 210 118 204 108C200 104 196
      103 192 103H128C124 103 120 104 116 108C110 118 109 128 106 140Z" fill="${colour}" opacity="0.6"/>
          <path d="M112 106L108 58Q108 46 120 45H200Q212 46 212 58L208 106C203 103 198 103 192 103H128C122 103 117 103
            112 106Z" fill="${colour}"/>`,
  }),
  curls: ({ colour, light }) => ({
    before: `${cap(colour, 64)}${CURLS.map((x) => `<circle cx="${x}" cy="${70 + Math.abs(x - 160) ** 2 / 95}" r="14" fill="${colour}"/>`).join("")}
          <path d="M138 62q6-7 14-2M158 58q7-6 14 1M178 66q7-4 11 4M122 74q4-8 12-6" fill="none" stroke="${light}"
            stroke-width="3.4" stroke-linecap="round"/>`,
  }),
  afro: ({ colour }) => ({
    behind: `<circle cx="160" cy="112" r="82" fill="${colour}"/>${bumps(colour, 160, 116, 76, 13, 20)}`,
    besides: "",
    before: `<path d="M106 140C102 100 124 74 160 74S218 100 214 140C210 122 204 110 192 104C172 98 148 98 128 104C116 110 110 122 106 140Z" fill="${colour}"/>`,
  }),
  puff: ({ colour }) => ({
    behind: `<circle cx="160" cy="58" r="34" fill="${colour}"/>${bumps(colour, 160, 58, 31, 9, 11)}`,
    besides: "",
    before: `${cap(colour, 62)}<path d="M122 76Q160 58 198 76" fill="none" stroke="#e0a93f" stroke-width="7" stroke-linecap="round"/>`,
  }),
  bun: ({ colour, light }) => ({
    behind: `<circle cx="160" cy="55" r="27" fill="${colour}"/><path d="M142 50q18-14 36 0M146 60q14-9 28 0" fill="none" stroke="${light}" stroke-width="4" stroke-linecap="round"/>`,
    besides: "",
    before: `${cap(colour, 60)}<path d="M130 98Q140 76 158 68M190 98Q180 76 162 68M112 116Q120 88 140 72M208 116Q200 88 180 72" fill="none" stroke="${light}" stroke-width="3" stroke-linecap="round" opacity="0.7"/>`,
  }),
  bob: ({ colour, light }) => ({
    behind: `<path d="M92 128C86 70 120 44 160 44S234 70 228 128C230 160 232 192 220 214Q206 224 188 212H132Q114 224 100 214C88 192 90 160 92 128Z" fill="${colour}"/>`,
    besides: "",
    before: `<path d="M104 150C98 96 122 58 164 58C206 58 222 96 216 150C214 128 206 114 196 108C176 112 152 106 140 92C134 110 112 120 104 150Z" fill="${colour}"/><path d="M140 66q26-8 46 8" fill="none" stroke="${light}" stroke-width="5" stroke-linecap="round" opacity="0.7"/>`,
  }),
  long: ({ colour, light }) => ({
    behind: `<path d="M90 130C84 70 118 44 160 44S236 70 230 130C232 190 244 240 250 286H70C76 240 88 190 90 130Z" fill="${colour}"/>`,
    besides: "",
    before: `<path d="M104 158C96 96 124 58 160 58S224 96 216 158C214 128 204 106 166 76C160 100 116 112 104 158Z" fill="${colour}"/><path d="M128 80q20-16 40-14" fill="none" stroke="${light}" stroke-width="5" stroke-linecap="round" opacity="0.7"/>`,
  }),
  braids: (tones) => {
    const { colour, light, dark } = tones;
    return {
      behind: `<path d="M92 128C88 74 120 48 160 48S232 74 228 128V236H92Z" fill="${dark}"/>`,
      besides: strands(tones, [91, 102, 113], 120, 268, 12) + strands(tones, [207, 218, 229], 120, 268, 12),
      before: `${cap(colour, 54)}<path d="M160 56V99M143 58Q134 78 133 100M177 58Q186 78 187 100M126 66Q114 86 114 116M194 66Q206 86 206 116" fill="none" stroke="${light}" stroke-width="3" stroke-linecap="round"/>`,
    };
  },
  locs: (tones) => {
    const { colour, light, dark } = tones;
    return {
      behind: `<path d="M90 124C88 76 120 48 160 48S232 76 230 124V214H90Z" fill="${dark}"/>`,
      besides: strands(tones, [94, 108], 112, 210, 16) + strands(tones, [212, 226], 112, 210, 16),
      before: `${cap(colour, 54)}<path d="M112 70Q98 92 100 122M208 70Q222 92 220 122" fill="none" stroke="${colour}"
        stroke-width="15" stroke-linecap="round"/>
          <path d="M146 58Q138 78 138 100M174 58Q182 78 182 100M160 56V99M124 68Q112 88 110 112M196 68Q208 88 210 112"
            fill="none" stroke="${light}" stroke-width="3.4" stroke-linecap="round"/>`,
    };
  },
  hijab: ({ colour, light, dark }) => ({
    behind: `<path d="M84 136C80 72 114 42 160 42S240 72 236 136C238 180 246 220 262 262Q160 330 58 262C74 220 82 180 84 136Z" fill="${dark}"/>`,
    besides: "",
    before: `<path fill-rule="evenodd" d="M90 140C86 80 116 48 160 48S234 80 230 140C230 176 236 210 250 244C232 290
      190 300 160 300S88 290 70 244C84 210 90 176 90 140ZM110 142V154C110 188 132 213 160 213S210 188 210 154V142C210
      108 190 92 160 92S110 108 110 142Z" fill="${colour}"/>
          <path d="M110 142C110 108 130 92 160 92S210 108 210 142" fill="none" stroke="${dark}" stroke-width="5"
            stroke-linecap="round"/>
          <path d="M96 214Q150 262 226 226M84 246Q150 288 240 250" fill="none" stroke="${dark}" stroke-width="5"
            stroke-linecap="round" opacity="0.6"/><path d="M122 66q28-14 56-2" fill="none" stroke="${light}"
            stroke-width="6" stroke-linecap="round" opacity="0.7"/>`,
  }),
  headwrap: ({ colour, light, dark }) => ({
    behind: `<path d="M178 66C192 34 226 34 232 58C236 74 220 88 200 90Z" fill="${dark}"/><path d="M174 68C172 38 196 24 211 36C224 48 212 74 190 86Z" fill="${light}"/>`,
    besides: "",
    before: `<path d="M103 128C98 76 124 42 164 42C206 42 222 80 217 128C204 102 184 94 160 94S116 102 103 128Z"
      fill="${colour}"/>
          <path d="M105 118Q150 72 214 84M110 96Q150 60 206 64" fill="none" stroke="${light}" stroke-width="6"
            stroke-linecap="round"/><path d="M104 126Q150 84 216 104" fill="none" stroke="${dark}" stroke-width="4"
            stroke-linecap="round" opacity="0.7"/>
          <path d="M168 60q16-12 30 2q-10 18-24 14z" fill="${dark}"/>`,
  }),
  kofia: ({ colour }) => ({
    before: `<path d="M106 142C104 128 104 118 108 106H212C216 118 216 128 214 142C211 130 210 122 206 112H114C110 122
      109 130 106 142Z" fill="${INK}" opacity="0.7"/>
          <path d="M106 108L112 58Q114 46 130 45H190Q206 46 208 58L214 108Q160 96 106 108Z" fill="${colour}"/>
          <path d="M109 92Q160 80 211 92M111 74Q160 62 209 74" fill="none" stroke="${mix(colour, "#8a6a2f", 0.5)}"
            stroke-width="3" stroke-dasharray="7 5" stroke-linecap="round"/>`,
  }),
};

function accessories({ glasses, earrings, hair }: Face): string {
  const frames = {
    round: `<circle cx="137" cy="150" r="19" fill="#ffffff" fill-opacity="0.12"/><circle cx="183" cy="150" r="19" fill="#ffffff" fill-opacity="0.12"/><g fill="none" stroke="#2b2320" stroke-width="4"><circle cx="137" cy="150" r="19"/><circle cx="183" cy="150" r="19"/><path d="M156 147q4-4 8 0M118 147l-9-3M202 147l9-3"/></g>`,
    square: `<g fill="#ffffff" fill-opacity="0.12" stroke="#1f2430" stroke-width="4.5" stroke-linejoin="round"><rect x="116" y="134" width="40" height="32" rx="9"/><rect x="164" y="134" width="40" height="32" rx="9"/></g><path d="M156 146q4-4 8 0M116 145l-8-3M204 145l8-3" fill="none" stroke="#1f2430" stroke-width="4.5"/>`,
  };
  const rings =
    earrings && hair !== "hijab"
      ? `<g fill="${earrings}"><circle cx="105" cy="173" r="6"/><circle cx="215" cy="173" r="6"/></g>`
      : "";
  return `${rings}${glasses ? frames[glasses] : ""}`;
}

/** A colour between two `#rrggbb`: `share` 1 is the second. */
function mix(one: string, other: string, share: number): string {
  const channel = (at: number) => {
    const [from, to] = [one, other].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return Math.round((from ?? 0) + ((to ?? 0) - (from ?? 0)) * share)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}
