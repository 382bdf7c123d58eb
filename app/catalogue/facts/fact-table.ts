/**
 * The facts of listings, by type of thing. The form, the import file, the product's pages, what search engines read,
 * the copies of what was promised, the filters and the search are made from this table: a new fact is a new entry. It
 * is long, so no screen's script may load it: the server sends what a screen needs.
 */
import { BRANDS } from "./data/brands.ts";
import { CLOTHES } from "./data/clothes.ts";
import { choicesOf, type Fact, type FactChoice } from "./fact.ts";
import { findAuthor, findEdition } from "./find-book-facts.ts";
import { findGigabytes } from "./find-gigabytes.ts";
import { findModels } from "./find-models.ts";
import { findColors } from "./find-names.ts";
import { findLetters, findNumbers } from "./find-sizes.ts";
import { findWheels } from "./find-wheels.ts";

const LETTER_SIZES = "XS; S; M; L; XL; XXL; XXXL";
const PHONE_STORAGE = [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];
const DISKS = [16, 32, 64, 120, 128, 160, 240, 250, 256, 320, 480, 500, 512, 640, 750, 1024, 2048, 4096];

/** Raise it whenever names are read in another way, so that older listings are read again (`continueTypePass`). */
export const READING = 2;

export const FACTS: readonly Fact[] = [
  { id: "brand", label: "Brand", kind: "choice", namesImply: true, isFilter: true, property: "brand", of: BRANDS },
  {
    id: "model",
    label: "Model",
    kind: "choice",
    isFilter: true,
    property: "model",
    of: [
      {
        types: ["calculator"],
        choices: choicesOf(
          `fx-82 = casio 82; fx-85 = casio 85; fx-100; fx-350; fx-570 = casio 570; fx-991 = casio 991; fx-5800P;
          fx-9750; fx-9860; fx-CG50; FC-100V; FC-200V; TI-30; TI-83; TI-84; BA II Plus = ba 2 plus, ba ii, ba2;
          HP 10bII = hp 10b; HP 12C; EL-W506; EL-W531`,
        ),
        find: findModels,
      },
    ],
  },
  {
    id: "size",
    label: "Size",
    kind: "choice",
    needsLabel: true,
    isFilter: true,
    property: "size",
    of: [
      { types: ["shoes"], choices: numbers(35, 48), find: findNumbers(null) },
      {
        types: ["dress", "skirt", "top"],
        choices: [...choicesOf(LETTER_SIZES), ...numbers(6, 24, 2)],
        find: findLetters("uk"),
      },
      {
        types: ["trousers", "shorts"],
        choices: [...choicesOf(LETTER_SIZES), ...numbers(26, 46)],
        find: findLetters("waist|w"),
      },
      { types: CLOTHES, choices: choicesOf(LETTER_SIZES), find: findLetters() },
    ],
  },
  {
    id: "storage",
    label: "Storage",
    kind: "choice",
    unit: "GB",
    isFilter: true,
    property: null,
    of: [
      {
        types: ["phone", "tablet"],
        choices: gigabytes(PHONE_STORAGE),
        find: findGigabytes({ what: "storage", storageFrom: 16, bare: [64, 128, 256, 512] }),
      },
      {
        types: ["laptop", "desktop-computer"],
        choices: gigabytes(DISKS),
        find: findGigabytes({ what: "storage", storageFrom: 64, bare: [128, 256, 512] }),
      },
      {
        types: ["flash-disk", "memory-card", "hard-disk", "ssd"],
        choices: gigabytes([...new Set([...PHONE_STORAGE, ...DISKS])].toSorted((a, b) => a - b)),
        find: findGigabytes({ what: "storage", storageFrom: 0 }),
      },
    ],
  },
  {
    id: "memory",
    label: "Memory",
    kind: "choice",
    unit: "GB",
    isFilter: true,
    property: null,
    of: [
      {
        types: ["phone", "tablet"],
        choices: gigabytes([1, 2, 3, 4, 6, 8, 12, 16, 24]),
        find: findGigabytes({ what: "memory", storageFrom: 16 }),
      },
      {
        types: ["laptop", "desktop-computer", "ram"],
        choices: gigabytes([1, 2, 4, 6, 8, 12, 16, 20, 24, 32, 64]),
        find: findGigabytes({ what: "memory", storageFrom: 32 }),
      },
    ],
  },
  {
    id: "wheel",
    label: "Wheel size",
    kind: "choice",
    needsLabel: true,
    isFilter: true,
    property: null,
    of: [{ types: ["bicycle"], choices: inches([20, 24, 26, 27.5, 29]), find: findWheels }],
  },
  {
    id: "author",
    label: "Author",
    kind: "text",
    isFilter: false,
    property: "author",
    of: [{ types: ["book"], choices: [], find: findAuthor }],
  },
  {
    id: "edition",
    label: "Edition",
    kind: "text",
    needsLabel: true,
    isFilter: false,
    property: "bookEdition",
    of: [{ types: ["book"], choices: [], find: findEdition }],
  },
  {
    id: "color",
    label: "Color",
    kind: "choice",
    isFilter: true,
    property: "color",
    of: [
      {
        types: [
          ...CLOTHES.filter((type) => type !== "lab-coat" && type !== "scrubs"),
          "shoes",
          "bag",
          "phone",
          "tablet",
          "laptop",
          "ear-and-headphones",
        ],
        choices: choicesOf(
          `Black = nyeusi; White = nyeupe; Gray = grey, space gray, space grey; Silver; Gold = rose gold, golden;
          Blue = sky blue, light blue; Navy blue = navy, dark blue; Red = nyekundu; Maroon = burgundy, wine red;
          Green = kijani, olive, jungle green, army green; Yellow; Orange; Pink; Purple = lilac, lavender; Brown = tan;
          Beige = cream, khaki, nude, off white; Multicolor = multi color, multicolored, multicoloured`,
        ),
        find: findColors,
      },
    ],
  },
];

function numbers(from: number, to: number, step = 1): FactChoice[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => String(from + at * step)).map(
    (value) => ({ value, label: value, names: [] }),
  );
}

function gigabytes(amounts: readonly number[]): FactChoice[] {
  return amounts.map((amount) => ({
    value: String(amount),
    label: amount < 1024 ? `${amount} GB` : `${amount / 1024} TB`,
    names: [],
  }));
}

/** Their codes have no point: 27.5 inch is "275". */
function inches(sizes: readonly number[]): FactChoice[] {
  return sizes.map((size) => ({
    value: String(size).replace(".", ""),
    label: `${size} inch`,
    names: [`${size} inches`, `${size} in`],
  }));
}
