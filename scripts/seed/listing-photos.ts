/** The photos of each listing: the cover as from a studio, and others by which a buyer judges its condition. */
import { BACKDROPS, type Backdrop, isSeenFromAbove, type Stage } from "./backdrops.ts";
import { type Chance, chanceOf } from "./chance.ts";
import type { CategoryId, Listing } from "./listings/listing.ts";
import { LOOKS } from "./looks.ts";
import { box } from "./models.ts";
import { PHOTOS } from "./photos.ts";
import type { Placement, Recipe } from "./studio.ts";
import type { Wear } from "./wear.ts";

/** The recipes of a listing's photos, the cover first. */
export function photosOf(listing: Listing, category: CategoryId): Recipe[] {
  const chance = chanceOf(`photos of ${listing.name}`);
  const cover = coverOf(listing, chance);
  return [cover, ...moreOf(cover, { listing, category, chance })];
}

/** No other listing has this picture: of those with the same object each has another look, and stands elsewhere. */
function coverOf({ name, photo }: Listing, chance: Chance): Recipe {
  const base: Recipe = PHOTOS[photo];
  const look = LOOKS.get(name);
  if (!look) return base;
  const [first, ...others] = base.things;
  if (!first) throw new Error(`${photo} shows nothing`);
  // Another model comes in its own colours.
  const kept = !Array.isArray(look) && look.object !== undefined ? { x: first.x, y: first.y, turn: first.turn } : first;
  const things = Array.isArray(look) ? look : [withoutGaps({ ...first, ...BARE, ...kept, ...look }), ...others];
  return { ...base, backdrop: chance.pick(LIGHT_BACKDROPS), things };
}

const BARE = { hue: undefined, saturation: undefined, brightness: undefined };

function withoutGaps<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
}

const LIGHT_BACKDROPS = (Object.keys(BACKDROPS) as Backdrop[]).filter((name) => name !== "dusk");

interface Shoot {
  listing: Listing;
  category: CategoryId;
  chance: Chance;
}

/** Others, from other sides, nearer, and with what belongs to it. */
function moreOf(cover: Recipe, shoot: Shoot): Recipe[] {
  const { listing, category, chance } = shoot;
  const wear = wearOf(listing, category);
  const plain = cover.things.map(({ object, size, hue, saturation, brightness, paint, x, y, mirrored }) =>
    withoutGaps<Placement>({ object, size, hue, saturation, brightness, paint, x, y, mirrored }),
  );
  const places = placesOf(cover.stage, category, chance);
  const shots = [atHome(plain, places[0], { wear, chance })];
  if (category === "services") return shots;
  if (listing.condition !== "new") shots.push(closeUp(plain, places[0], wear));
  if (BOXED.includes(category) && listing.photo !== "basket" && BOXED_CONDITIONS.includes(listing.condition))
    shots.push(withBox(plain, places[1], listing, chance));
  else if (listing.condition === "fair") shots.push(atHome(plain, places[1], { wear, chance, isOtherSide: true }));
  return shots;
}

interface Place {
  stage: Stage;
  backdrop: Backdrop;
}

const BOXED: CategoryId[] = ["electronics", "gadgets", "kitchen", "beauty"];
const BOXED_CONDITIONS: Listing["condition"][] = ["new", "like_new"];

/** Two places where people of this campus photograph such a thing. */
function placesOf(stage: Stage, category: CategoryId, chance: Chance): [Place, Place] {
  const kinds = isSeenFromAbove(stage) ? GROUNDS[category] : stage === "sweep" ? ROOMS[category] : TABLES[category];
  const [one, other = one] = chance.shuffle(kinds);
  const place = ([at, backdrops]: (typeof kinds)[number]): Place => ({ stage: at, backdrop: chance.pick(backdrops) });
  return [place(one ?? ["wood", ["sand"]]), place(other ?? ["wood", ["clay"]])];
}

type Kind = [Stage, Backdrop[]];
const WOOD: Kind = ["wood", ["sand", "clay", "stone"]];
const SHEET: Kind = ["sheet", ["blush", "sky", "lilac", "mint"]];
const CONCRETE: Kind = ["concrete", ["stone", "sand"]];
const GRASS: Kind = ["grass", ["sage"]];
const ROOM: Kind = ["room", ["sand", "clay", "mint"]];
const DESK: Kind = ["desk", ["sand", "clay", "sky"]];
const COUNTER: Kind = ["counter", ["sky", "mint", "butter"]];

function placesIn(standard: Kind[], exceptions: Partial<Record<CategoryId, Kind[]>>): Record<CategoryId, Kind[]> {
  const all: Record<CategoryId, Kind[]> = {
    textbooks: standard,
    electronics: standard,
    stationery: standard,
    "study-materials": standard,
    fashion: standard,
    gadgets: standard,
    furniture: standard,
    kitchen: standard,
    sports: standard,
    beauty: standard,
    services: standard,
    other: standard,
  };
  return { ...all, ...exceptions };
}

const GROUNDS = placesIn([WOOD, SHEET], {
  sports: [GRASS, CONCRETE],
  fashion: [SHEET, WOOD],
  services: [WOOD, CONCRETE],
});
const ROOMS = placesIn([ROOM, DESK], { furniture: [ROOM], kitchen: [COUNTER, ROOM], sports: [ROOM] });
const TABLES = placesIn([DESK, ROOM], { kitchen: [COUNTER, DESK], beauty: [COUNTER, DESK] });

/** As it lies or stands at home, seen from another side. */
function atHome(
  things: Placement[],
  { stage, backdrop }: Place,
  { wear, chance, isOtherSide = false }: { wear: Wear | null; chance: Chance; isOtherSide?: boolean },
): Recipe {
  const lying = isSeenFromAbove(stage);
  const shift = (chance.fraction() - 0.5) * 0.1;
  const placed = things.map((thing): Placement => {
    const turn = lying ? Math.round((chance.fraction() - 0.5) * 44) : 0;
    return {
      ...thing,
      size: Math.min(0.86, thing.size * (isOtherSide ? 0.82 : 1.06)),
      x: (thing.x ?? 0.5) + shift,
      ...(lying ? { turn } : { y: Math.max(thing.y ?? 0.8, 0.84) }),
      // Words would be unreadable.
      ...(things.length === 1 && isOtherSide && !thing.object.startsWith("<") && { mirrored: !thing.mirrored }),
      ...(wear && { wear }),
    };
  });
  return { stage, backdrop, shape: isOtherSide ? "snap" : "tall-snap", things: placed };
}

/** So near that every mark shows. */
function closeUp([thing]: Placement[], { stage, backdrop }: Place, wear: Wear | null): Recipe {
  if (!thing) throw new Error("a photo without a thing");
  const { mirrored: _turned, ...near } = thing;
  const lying = isSeenFromAbove(stage) ? stage : "lay";
  return {
    stage: lying,
    backdrop,
    shape: "snap",
    things: [{ ...near, size: 1.4, isCloseUp: true, ...(wear && { wear }) }],
  };
}

const CARDBOARD = ["#b98a54", "#c49a66", "#a97a48", "#8f9aa8", "#5f7fa8", "#b5584a"];

/** Beside the box that it came in. */
function withBox([thing]: Placement[], { stage, backdrop }: Place, { name }: Listing, chance: Chance): Recipe {
  if (!thing) throw new Error("a photo without a thing");
  const lying = isSeenFromAbove(stage);
  const [short = name] = name.split(/[,–(]/);
  return {
    stage,
    backdrop,
    shape: "snap",
    things: [
      { object: box(short.trim(), chance.pick(CARDBOARD)), size: 0.52, x: 0.34, y: lying ? 0.38 : 0.76 },
      { ...thing, size: Math.min(0.5, thing.size), x: 0.68, y: lying ? 0.62 : 0.88 },
    ],
  };
}

const AMOUNTS: Record<Listing["condition"], number> = { new: 0, like_new: 0.25, good: 1, fair: 2 };
const PAPER: CategoryId[] = ["textbooks", "stationery", "study-materials"];
const HARD_PAPER = ["calculator", "scissors", "goggles", "stethoscope", "microscope", "ruler", "board"];

/** What its condition says about it. Null for what is new, or no thing. */
function wearOf({ name, condition, photo }: Listing, category: CategoryId): Wear | null {
  const amount = AMOUNTS[condition];
  if (amount === 0 || category === "services") return null;
  const isPaper = PAPER.includes(category) && !HARD_PAPER.some((part) => photo.includes(part));
  const isCloth = CLOTH.some((part) => photo.includes(part));
  return { kind: isCloth ? "cloth" : isPaper ? "paper" : "hard", amount, of: name };
}

const CLOTH = [
  "jacket",
  "coat",
  "jeans",
  "shirt",
  "dress",
  "blouse",
  "scarf",
  "socks",
  "backpack",
  "gown",
  "jersey",
  "shorts",
  "gi",
  "duvet",
  "mattress",
  "sofa",
  "bed",
  "teddy",
  "tent",
  "cap",
  "basket",
  "shoes",
  "sneakers",
  "heels",
  "boots",
  "slippers",
  "handbag",
  "purse",
];
