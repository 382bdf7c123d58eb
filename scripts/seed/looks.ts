/** What tells listings of one kind apart: which model it is, and in which colour. By the listing's name. */
import {
  book,
  type BookLook,
  booklet,
  type BookletLook,
  laptop,
  type LaptopLook,
  phone,
  type PhoneLook,
} from "./models.ts";
import type { Placement } from "./studio.ts";

/** Changes of the first thing in the picture, or all things in it. */
export type Look = Partial<Placement> | Placement[];

const LAPTOPS: Record<string, LaptopLook> = {
  "HP EliteBook 840 G3, i5, 8 GB, 256 SSD": {
    lid: "#9aa0a8",
    deck: "#b4b9c0",
    keys: "#2c2f36",
    wall: ["#2d6cdf", "#7fd0f5"],
    brand: "hp",
  },
  "Lenovo ThinkPad T480, i5 8th gen": {
    lid: "#26272b",
    deck: "#303238",
    keys: "#101114",
    wall: ["#3b1f57", "#d3543f"],
    brand: "ThinkPad",
    hasPoint: true,
  },
  "Dell Latitude 7490 with mouse": {
    lid: "#3a3f47",
    deck: "#4a4f58",
    keys: "#191b1f",
    wall: ["#0f5e63", "#8fd6b5"],
    brand: "DELL",
  },
  "MacBook Air 2017, 8 GB, 128 GB": {
    lid: "#c9ccd1",
    deck: "#d6d9dd",
    keys: "#25272b",
    wall: ["#f2a65a", "#7a4fb5"],
    brand: "MacBook Air",
  },
  "HP Stream 11, for notes only": {
    lid: "#2f6fd0",
    deck: "#3d83e8",
    keys: "#f2f4f8",
    wall: ["#cfe7ff", "#3d83e8"],
    brand: "hp stream",
  },
  "Lenovo IdeaPad 3, Ryzen 5, gaming-ish": {
    lid: "#6c7685",
    deck: "#8791a0",
    keys: "#e7eaf0",
    wall: ["#101a3c", "#e0439a"],
    brand: "Lenovo",
  },
  "Dell Latitude E6420 for parts": {
    lid: "#5d6068",
    deck: "#6d7078",
    keys: "#1b1c20",
    wall: ["#000000", "#000000"],
    brand: "DELL",
    isOff: true,
  },
};

const PHONES: Record<string, PhoneLook> = {
  "Infinix Hot 40i, 8+256 GB": { body: "#4aa88f", wall: ["#1c5f7a", "#9ae3c0"], lenses: 2, brand: "Infinix" },
  "Tecno Spark 20, gravity black": { body: "#2a2c33", wall: ["#41295a", "#f0a35e"], lenses: 3, brand: "TECNO" },
  "Samsung Galaxy A14, 128 GB": { body: "#8f2f45", wall: ["#27418f", "#9fb9ff"], lenses: 3, brand: "SAMSUNG" },
  "iPhone 11, 64 GB, battery 84%": { body: "#efe6d8", wall: ["#e4577c", "#f7c873"], lenses: 2, brand: "iPhone" },
  "Redmi 12, cracked back": {
    body: "#7f9fd4",
    wall: ["#124a45", "#7cc4a0"],
    lenses: 3,
    brand: "Redmi",
    isCracked: true,
  },
};

const BOOKS: Record<string, BookLook> = {
  "Fathers of Nations – Paul B. Vitta": {
    title: "Fathers of Nations",
    author: "Paul B. Vitta",
    cover: "#c8562b",
    accent: "#f6c96b",
    ornament: "sun",
  },
  "Bembea ya Maisha – Timothy Arege": {
    title: "Bembea ya Maisha",
    author: "Timothy Arege",
    cover: "#a32638",
    accent: "#f3b9a0",
    ornament: "waves",
  },
  "A Silent Song and Other Stories": {
    title: "A Silent Song and Other Stories",
    author: "Anthology",
    cover: "#2c6e58",
    accent: "#e8d38a",
    ornament: "leaf",
  },
  "Engineering Mathematics, 8th edition – K. A. Stroud": {
    title: "Engineering Mathematics",
    author: "K. A. Stroud",
    cover: "#1f4f8f",
    accent: "#8fc4ef",
    ornament: "rings",
  },
  "Advanced Engineering Mathematics – Kreyszig": {
    title: "Advanced Engineering Mathematics",
    author: "Erwin Kreyszig",
    cover: "#263238",
    accent: "#e0a030",
    ornament: "peaks",
  },
  "Frank Wood's Business Accounting 1": {
    title: "Business Accounting 1",
    author: "Frank Wood",
    cover: "#5a3d8c",
    accent: "#f0c64f",
    ornament: "bars",
  },
  "Tortora: Principles of Anatomy and Physiology": {
    title: "Principles of Anatomy",
    author: "Tortora",
    cover: "#b53a3a",
    accent: "#f7d6c0",
    ornament: "dots",
  },
  "Campbell Biology, 10th edition": {
    title: "Campbell Biology",
    author: "Tenth edition",
    cover: "#3f7f3a",
    accent: "#cde7a0",
    ornament: "leaf",
  },
  "Atkins' Physical Chemistry, 9th edition": {
    title: "Physical Chemistry",
    author: "Atkins",
    cover: "#d77a1d",
    accent: "#fff0c9",
    ornament: "rings",
  },
  "Introduction to Algorithms (CLRS), 3rd edition": {
    title: "Introduction to Algorithms",
    author: "C · L · R · S",
    cover: "#f1efe9",
    accent: "#b3342c",
    ornament: "dots",
    ink: "#27303a",
  },
  "Constitution of Kenya 2010, pocket edition": {
    title: "The Constitution of Kenya",
    author: "2010",
    cover: "#14532d",
    accent: "#e7c65f",
    ornament: "frame",
  },
  "Law of Torts in Kenya – course reader": {
    title: "Law of Torts in Kenya",
    author: "Course reader",
    cover: "#6f1d2a",
    accent: "#d9b98a",
    ornament: "frame",
  },
  "The River and the Source – Margaret Ogola": {
    title: "The River and the Source",
    author: "Margaret Ogola",
    cover: "#2f8f7f",
    accent: "#bfeadf",
    ornament: "waves",
  },
  "Oxford Advanced Learner's Dictionary": {
    title: "Advanced Learner's Dictionary",
    author: "Hardcover",
    cover: "#12305f",
    accent: "#f4f0e4",
    ornament: "bars",
  },
  "Macroeconomics – Mankiw, 9th edition": {
    title: "Macro Economics",
    author: "N. G. Mankiw",
    cover: "#3c78b4",
    accent: "#ffe08a",
    ornament: "peaks",
  },
  "Research Methods – Mugenda & Mugenda": {
    title: "Research Methods",
    author: "Mugenda & Mugenda",
    cover: "#7d4f8f",
    accent: "#f0d6f5",
    ornament: "bars",
  },
  "CPA Section 2 study texts, full set": {
    title: "CPA Section 2",
    author: "Study text",
    cover: "#c23b2e",
    accent: "#ffd7b0",
    ornament: "bars",
  },
};

const BOOKLETS: Record<string, BookletLook> = {
  "Past papers: BSc Computer Science, 2017–2025": {
    title: "Past Papers Computer Science",
    sheet: "#fbfaf6",
    accent: "#2f6fb0",
    binding: "spiral",
  },
  "Past papers: School of Business, years 1–4": {
    title: "Past Papers School of Business",
    sheet: "#fdf7ea",
    accent: "#c06a2c",
    binding: "spiral",
  },
  "Nursing council revision papers": {
    title: "Nursing Council Mock Papers",
    sheet: "#f4fbf6",
    accent: "#3b8f6b",
    binding: "tape",
  },
  "Calculus II summary notes, 60 pages": {
    title: "Calculus II Summary",
    sheet: "#fbfbf2",
    accent: "#6a4fb0",
    binding: "spiral",
  },
  "Land Law revision cards, 120 cards": {
    title: "Land Law 120 cards",
    sheet: "#fff6dd",
    accent: "#8d2f45",
    binding: "cards",
  },
  "Attachment logbook and report template": {
    title: "Attachment Logbook",
    sheet: "#eef4fb",
    accent: "#31507a",
    binding: "tape",
  },
  "Free: stack of half-used exercise books": {
    title: "Exercise Book",
    sheet: "#dfe9f5",
    accent: "#d9a025",
    binding: "tape",
  },
  "Titration practical notes and glassware list": {
    title: "Titration Practicals",
    sheet: "#fdfaf3",
    accent: "#b0447f",
    binding: "spiral",
  },
};

const RED_KETTLE = {
  "#b9b4cc": "#b5483f",
  "#f7f5fb": "#ffc7ba",
  "#d6d1e2": "#e26a58",
  "#a49dbd": "#b5483f",
  "#847c9f": "#7d2a28",
};
const CREAM_KETTLE = {
  "#b9b4cc": "#d8c6a4",
  "#f7f5fb": "#fffaf0",
  "#d6d1e2": "#f0e2c6",
  "#a49dbd": "#cdb78d",
  "#847c9f": "#a48c5f",
};
const BLACK_BANK = { "#fdfdff": "#5b616b", "#dcd7ea": "#3b4049", "#a49bc0": "#20242b", "#7d7599": "#14161a" };
const BLUE_BANK = { "#fdfdff": "#a9d4f5", "#dcd7ea": "#5d9fd8", "#a49bc0": "#2f6ba5", "#7d7599": "#1f4a78" };
const SUN_BANK = { "#fdfdff": "#ffe9a8", "#dcd7ea": "#f0b83f", "#a49bc0": "#b9791c", "#7d7599": "#7d4f12" };
const GREY_CALCULATOR = {
  "#7d86a8": "#c9ced6",
  "#4b5378": "#a7adb8",
  "#2b2c4e": "#7a818d",
  "#ff9d5c": "#6fc3f0",
  "#f0532d": "#2f7fc0",
};
const BROWN_CALCULATOR = {
  "#7d86a8": "#8f8a86",
  "#4b5378": "#4d4a49",
  "#2b2c4e": "#262424",
  "#ff9d5c": "#8fd694",
  "#f0532d": "#3b9a57",
};
const BLUE_CALCULATOR = {
  "#7d86a8": "#8fb0e0",
  "#4b5378": "#426fb5",
  "#2b2c4e": "#234684",
  "#ff9d5c": "#ffd36a",
  "#f0532d": "#e09a1f",
};

function pair(object: string, more: Partial<Placement> = {}): Placement[] {
  return [
    { object, size: 0.54, x: 0.34, y: 0.78, ...more },
    { object, size: 0.54, x: 0.67, y: 0.83, ...more, mirrored: true },
  ];
}

const OTHERS: Record<string, Look> = {
  "The Samaritan + Fathers of Nations, pair": [
    {
      object: book({
        title: "The Samaritan",
        author: "John Lara",
        cover: "#24506b",
        accent: "#e9b45c",
        ornament: "peaks",
      }),
      size: 0.6,
      x: 0.34,
      y: 0.44,
      turn: -9,
    },
    {
      object: book({
        title: "Fathers of Nations",
        author: "Paul B. Vitta",
        cover: "#c8562b",
        accent: "#f6c96b",
        ornament: "sun",
      }),
      size: 0.6,
      x: 0.64,
      y: 0.56,
      turn: 7,
    },
  ],
  "Kigogo na Tumbo Lisiloshiba, pamoja": [
    {
      object: book({ title: "Kigogo", author: "Pauline Kea", cover: "#7a2f1d", accent: "#f0a040", ornament: "sun" }),
      size: 0.6,
      x: 0.36,
      y: 0.46,
      turn: -12,
    },
    {
      object: book({
        title: "Tumbo Lisiloshiba",
        author: "Hadithi",
        cover: "#33691e",
        accent: "#d7e89a",
        ornament: "dots",
      }),
      size: 0.6,
      x: 0.66,
      y: 0.55,
      turn: 10,
    },
  ],
  "Casio fx-82MS, exam-approved": { paint: GREY_CALCULATOR },
  "Casio fx-991ES Plus with its manual": { hue: 24, saturation: 0.8, brightness: 0.95 },
  "Casio fx-991ES Plus, light scratches": { hue: 200, saturation: 0.35, brightness: 0.85, mirrored: true },
  "Casio fx-991ES Plus, hardly used": { hue: 96, saturation: 0.5, brightness: 1.05 },
  "Casio fx-991ES Plus, new in box": { paint: BROWN_CALCULATOR },
  "Sharp scientific calculator EL-W531": { paint: BLUE_CALCULATOR },
  "Von electric kettle, new": { paint: RED_KETTLE, mirrored: true },
  "Kettle with a moody switch": { paint: CREAM_KETTLE },
  "Anker PowerCore 10,000": { paint: BLACK_BANK, size: 0.48 },
  "Solar power bank, field-trip tested": { paint: SUN_BANK },
  "Power bank, slightly dead, free": { paint: BLUE_BANK, saturation: 0.7 },
  "Oversized denim jacket, stone wash": { hue: 185, saturation: 0.5, brightness: 1.15 },
  "Ladies' cropped denim jacket": { hue: 205, saturation: 1.1, brightness: 0.85, size: 0.66 },
  "Camel corduroy coat": { hue: 20, saturation: 0.8, brightness: 0.9, mirrored: true },
  "Mom jeans, waist 28": { brightness: 1.25, saturation: 0.7 },
  "Three pairs of jeans, bundle": [
    { object: "1f456", size: 0.7, x: 0.26, y: 0.46, turn: -8, brightness: 0.75 },
    { object: "1f456", size: 0.7, x: 0.52, y: 0.5, turn: 2 },
    { object: "1f456", size: 0.7, x: 0.76, y: 0.54, turn: 10, brightness: 1.25, saturation: 0.6 },
  ],
  "Dinner dress, floor-length on short people": { hue: 110, saturation: 1.2, brightness: 0.75 },
  "Plain T-shirts, cotton, pack of 3": [
    { object: "1f455", size: 0.52, x: 0.3, y: 0.36, turn: -7, saturation: 0.1, brightness: 1.25 },
    { object: "1f455", size: 0.52, x: 0.66, y: 0.46, turn: 6 },
    { object: "1f455", size: 0.52, x: 0.42, y: 0.68, turn: -2, hue: 210 },
  ],
  "Three official shirts, size M": [
    { object: "1f454", size: 0.5, x: 0.3, y: 0.38, turn: -8, saturation: 0.15, brightness: 1.2 },
    { object: "1f454", size: 0.5, x: 0.68, y: 0.46, turn: 6 },
    { object: "1f454", size: 0.5, x: 0.44, y: 0.68, turn: 2, saturation: 0.1, brightness: 1.1 },
  ],
  "Ladies' sneakers, lilac, size 38": { hue: 265, saturation: 0.9, mirrored: true },
  "Bata Power sneakers, size 40": {},
  "Brown officials, size 44": { hue: 345, brightness: 0.8, mirrored: true },
  "Structured tote, brown": { hue: 330, brightness: 0.75, mirrored: true },
  "Men's dress watch": { hue: 200, saturation: 0.2, brightness: 0.8, mirrored: true },
  "Two dining chairs, matching": pair("1fa91"),
  "Plain wooden chair, free to collect": { hue: 15, saturation: 0.7, brightness: 0.85, mirrored: true },
  "Compact reading table": { hue: 20, brightness: 1.15, size: 0.66 },
  "Reading table, wobbly but faithful": { brightness: 0.75, saturation: 0.75, turn: -2, mirrored: true },
  "New mattress 4 × 6 × 8, quilted": { hue: 60, brightness: 1.05 },
  "Bedsitter starter: bed, mattress, curtain": [
    { object: "1f6cf-fe0f", size: 0.66, x: 0.42, y: 0.8 },
    { object: "mattress", size: 0.42, x: 0.76, y: 0.9, hue: 120 },
  ],
  "3 × 6 metal bed with side table": [
    { object: "1f6cf-fe0f", size: 0.7, x: 0.44, y: 0.82, saturation: 0.25, brightness: 0.85 },
    { object: "1fa91", size: 0.3, x: 0.84, y: 0.88 },
  ],
  "Small sofa with a story": { hue: 150, saturation: 0.7, brightness: 0.9, mirrored: true, size: 0.7 },
  "Narrow wardrobe, rod replaced": { brightness: 0.78, saturation: 0.8, size: 0.78 },
  "Make-up mirror": { hue: 60, brightness: 1.1, size: 0.56 },
  "Fleece blanket and bedsheets, set": { hue: 130, saturation: 0.9 },
  "6 kg gas complete, new burner": { hue: 200, saturation: 0.9 },
  "Empty 6 kg cylinder": { hue: 90, saturation: 0.6, brightness: 0.9, mirrored: true },
  "Double hotplate, Ramtons": pair("hotplate", { size: 0.46 }),
  "Smoothie blender, barely used": { hue: 130, mirrored: true },
  "Big cooking pot for parties": { brightness: 0.9, size: 0.76, mirrored: true },
  "Chapati pan, cast iron": { saturation: 0.7, brightness: 0.85, mirrored: true },
  "Odd plates and forks, free": { hue: 60, turn: 18 },
  "Vacuum bottle, green": { brightness: 0.82, mirrored: true },
  "Thermos flask 1 litre": { hue: 220 },
  "Mountain bike, 21 gears": { hue: 120, mirrored: true },
  "City bicycle, step-through frame": { hue: 230, saturation: 0.8 },
  "Dumbbells 5 kg, rubber coated": { hue: 190, mirrored: true },
  "Yoga mat and 2 kg weights": { hue: 290, size: 0.44 },
  "Crotchet passion twists, 18 inch": { hue: 40, saturation: 1.2 },
  "Knotless braids, labour only": { hue: 300, mirrored: true },
  "Nice & Lovely bundle, three bottles": [
    { object: "1f9f4", size: 0.46, x: 0.28, y: 0.76, hue: 60 },
    { object: "1f9f4", size: 0.5, x: 0.52, y: 0.8 },
    { object: "1f9f4", size: 0.46, x: 0.76, y: 0.84, hue: 220 },
  ],
  "Sunscreen SPF 50, 100 ml": { hue: 190, size: 0.52, mirrored: true },
  "Make-up starter box": [
    { object: "1f484", size: 0.44, x: 0.32, y: 0.8, hue: 330 },
    { object: "1f45d", size: 0.4, x: 0.68, y: 0.82 },
  ],
  "Sample lip glosses, free on collection": [
    { object: "1f484", size: 0.34, x: 0.24, y: 0.72, hue: 30 },
    { object: "1f484", size: 0.34, x: 0.42, y: 0.78, hue: 300 },
    { object: "1f484", size: 0.34, x: 0.6, y: 0.74, hue: 340, brightness: 1.2 },
    { object: "1f484", size: 0.34, x: 0.78, y: 0.8 },
  ],
  "Project binding, hard cover with gold letters": [
    {
      object: book({
        title: "Final Year Project",
        author: "2026",
        cover: "#5b1720",
        accent: "#e7c65f",
        ornament: "frame",
        ink: "#e7c65f",
      }),
      size: 0.56,
      x: 0.36,
      y: 0.8,
      turn: -3,
    },
    {
      object: book({
        title: "Final Year Project",
        author: "2026",
        cover: "#16284a",
        accent: "#e7c65f",
        ornament: "frame",
        ink: "#e7c65f",
      }),
      size: 0.56,
      x: 0.68,
      y: 0.84,
      turn: 4,
    },
  ],
  "Posters A3, same day": [
    { object: "1f5a8-fe0f", size: 0.5, x: 0.34, y: 0.76 },
    { object: "1f5bc-fe0f", size: 0.4, x: 0.74, y: 0.84, turn: 4 },
  ],
  "24-inch HP monitor, Full HD": { hue: 330, mirrored: true, size: 0.62 },
  "Rechargeable torch, aluminium": { saturation: 0.2, brightness: 1.15, mirrored: true },
  "Amazon Fire HD 8, reading tablet": { hue: 120, size: 0.52 },
  "TP-Link Archer C20 router": { brightness: 1.08, mirrored: true, size: 0.5 },
  "Ramtons steam iron, new": { hue: 140, mirrored: true },
  "A3 parallel-motion drawing board": { hue: 330, brightness: 1.1, size: 0.6, mirrored: true },
  "Helix Oxford geometrical set": { hue: 180 },
  "Safety goggles and nitrile gloves, used kit": [
    { object: "1f97d", size: 0.44, x: 0.36, y: 0.74 },
    { object: "1f9e4", size: 0.4, x: 0.7, y: 0.83, hue: 200 },
  ],
  "Student stethoscope and BP machine": { hue: 170, mirrored: true },
  "Wall map of the world, laminated": { hue: 20, saturation: 1.2, size: 0.8 },
  "Hiking rucksack 40 L": { hue: 130, saturation: 0.8 },
  "Oraimo FreePods Lite": { brightness: 1.3, saturation: 0.4 },
  "Studio headphones for producers": { hue: 180, saturation: 0.5, brightness: 0.8, mirrored: true },
  "Sony SRS-XB party speaker": { hue: 150, size: 0.72 },
  "Mechanical keyboard, blue switches": [
    { object: "2328-fe0f", size: 0.74, y: 0.5, turn: 6, hue: 190, brightness: 0.75 },
  ],
  "Futsal ball, low bounce": { hue: 0, brightness: 0.85, size: 0.4 },
  "Molten basketball, indoor": { hue: 345, brightness: 0.85 },
  "Yonex badminton racket": { hue: 200, mirrored: true },
  "Athletics singlet, inter-university": { hue: 210 },
  "Gor Mahia-green training bib set of 10": { hue: 100 },
  "Travel hair dryer": { hue: 210, size: 0.54, mirrored: true },
  "Grooming kit for men": [
    { object: "1fa92", size: 0.46, x: 0.34, y: 0.46 },
    { object: "1f9f4", size: 0.4, x: 0.7, y: 0.58, hue: 200, saturation: 0.6 },
  ],
  "SPSS and Excel help for your project": [
    { object: "1f4ca", size: 0.44, x: 0.36, y: 0.76 },
    { object: "1f4bb", size: 0.42, x: 0.7, y: 0.83 },
  ],
  "Phone screen replacement, labour": [
    { object: "1f9f0", size: 0.42, x: 0.36, y: 0.78 },
    {
      object: phone({ body: "#39404c", wall: ["#39404c", "#8a93a3"], lenses: 2, brand: "", shows: "front" }),
      size: 0.44,
      x: 0.7,
      y: 0.84,
    },
  ],
  "LinkedIn and CV headshots": { hue: 150, mirrored: true, size: 0.5 },
  "Electric guitar, worship team retired": { hue: 200, saturation: 0.9, mirrored: true },
  "Two house plants, moving-out sale": [
    { object: "1fab4", size: 0.56, x: 0.34, y: 0.76 },
    { object: "1f331", size: 0.4, x: 0.7, y: 0.82 },
  ],
  "Laundry, wash and fold, per basket": [
    { object: "1f9fa", size: 0.5, x: 0.4, y: 0.76 },
    { object: "1f455", size: 0.3, x: 0.76, y: 0.84, hue: 200 },
  ],
  "Kingston 32 GB, two pieces": [
    { object: "flash-drive", size: 0.44, x: 0.36, y: 0.42, turn: -30, hue: 200 },
    { object: "flash-drive", size: 0.44, x: 0.64, y: 0.6, turn: -18, hue: 200 },
  ],
  "Python and SQL e-books on flash, with exercises": { hue: 120 },
  "Pilot V5 pens, pack of 12": [0, 1, 2, 3].map((at) => ({
    object: "1f58b-fe0f",
    size: 0.42,
    x: 0.3 + at * 0.14,
    y: 0.38 + at * 0.08,
    hue: at * 80,
  })),
  "Parker Jotter and fountain pen, blue": { hue: 200 },
  "Original HP blue-pin charger": { hue: 200, mirrored: true },
  "Phone fast charger + Type-C cable": { brightness: 1.6, saturation: 0.2, size: 0.5 },
  "Lab coats, new, sizes S to XL": [
    { object: "1f97c", size: 0.58, x: 0.32, y: 0.72 },
    { object: "1f97c", size: 0.62, x: 0.5, y: 0.76 },
    { object: "1f97c", size: 0.66, x: 0.7, y: 0.82 },
  ],
  "Lab coat for workshop practice, long": { saturation: 0.3, brightness: 0.9, mirrored: true, size: 0.8 },
  "Kamusi Kuu ya Kiswahili": { hue: 180, turn: 5 },
  "Kiswahili and French conversation, per hour": { hue: 90, turn: -6, size: 0.62 },
  "Ten novels for the long holiday": { hue: 70, size: 0.62, mirrored: true },
  "Old high school revision books, free": { brightness: 0.8, saturation: 0.6 },
  "Clinical rotation pocket guides, set of 4": { hue: 190, size: 0.42 },
  "Printing paper, 80 gsm, one ream": { saturation: 0.2, brightness: 1.15 },
};

function withDrawing<Given>(looks: Record<string, Given>, draw: (look: Given) => string): [string, Look][] {
  return Object.entries(looks).map(([name, look]) => [name, { object: draw(look), size: 0.78 }]);
}

export const LOOKS = new Map<string, Look>([
  ...withDrawing(LAPTOPS, laptop),
  ...withDrawing(PHONES, phone),
  ...withDrawing(BOOKS, book),
  ...Object.entries(BOOKLETS).map(([name, look]): [string, Look] => [
    name,
    [{ object: booklet(look), size: 0.76, turn: look.binding === "cards" ? 6 : -4 }],
  ]),
  ...Object.entries(OTHERS),
]);
