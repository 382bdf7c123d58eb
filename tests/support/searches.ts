/**
 * What students type into the search box, and what each search must find among the listings of the demo campus and of
 * this file.
 */
import type { ProductStatus } from "#app/catalogue/catalogue-rules.ts";

/** Listings that the demo campus doesn't have: odd spellings, punctuation, Swahili, other scripts, sold products. */
export const MORE_LISTINGS: { name: string; category: string; description?: string; status?: ProductStatus }[] = [
  { name: "Gaming PC, Ryzen 5", category: "electronics", description: "16GB RAM, with a tempered glass case." },
  { name: "2 TVs, Hisense and Vitron, 24 inch", category: "electronics" },
  { name: "PHP and MySQL for beginners", category: "textbooks" },
  { name: "C++ Primer, 5th edition", category: "textbooks" },
  { name: "C# in a Nutshell", category: "textbooks" },
  { name: "Coil mattress 5'x6', 8 inch", category: "furniture" },
  { name: "Mattress 4x6, medium density", category: "furniture" },
  { name: "Viatu vya ngozi, size 42", category: "fashion", description: "Vipya kabisa." },
  { name: "Vitabu vya sekondari, seti nzima", category: "Vitabu" },
  { name: "Text book: Principles of Marketing", category: "other" },
  { name: "Powerbank Itel 10000mAh", category: "gadgets" },
  { name: "iPhone12 Pro, 128GB", category: "electronics" },
  { name: "PS 4 games, five discs", category: "gadgets" },
  { name: "Nescafé jar and café mugs", category: "kitchen" },
  { name: "🎧 AirPods, second generation", category: "gadgets" },
  { name: "O'Neill swim shorts", category: "sports" },
  { name: '50% off "brand new" duvets', category: "furniture" },
  { name: "Bag (near campus) AND books OR notes", category: "other" },
  { name: "Rechargeable AA batteries, pack of 4", category: "gadgets" },
  { name: "Men's official shoes, brown", category: "fashion" },
  { name: "Ladies watch, Casio", category: "gadgets", status: "sold" },
  { name: "Scientific calculator, cracked", category: "stationery", status: "sold" },
];

export interface RealSearch {
  query: string;
  /** Names that must be found. All names of one group come before those of the next. */
  finds?: string[][];
  /** Names that must not be found. */
  not?: string[];
  /** Finds nothing else. */
  only?: true;
}

const ELITEBOOK = "HP EliteBook 840 G3, i5, 8 GB, 256 SSD";
const FX_991 = ["Casio fx-991ES Plus", "Casio fx-991ES Plus, new in box"];
const FX_82 = "Casio fx-82MS, exam-approved";
const SHARP = "Sharp scientific calculator EL-W531";
const CASIO_WATCH = "Casio digital-analogue watch";
const SOLD_CALCULATOR = "Scientific calculator, cracked";
const TEXT_BOOK = "Text book: Principles of Marketing";
const NOTEBOOKS = "A4 hardcover notebooks, 4-quire, set of 3";
const A_FEW_TEXTBOOKS = ["Campbell Biology, 10th edition", "Kamusi Kuu ya Kiswahili", "C++ Primer, 5th edition"];
const MATTRESSES = [
  "High-density mattress 3 × 6 × 6",
  "New mattress 4 × 6 × 8, quilted",
  "Bedsitter starter: bed, mattress, curtain",
];
const HEADPHONES = ["Sony WH-CH510 wireless headphones", "Studio headphones for producers"];
const POWER_BANKS = ["Oraimo 20,000 mAh power bank", "Solar power bank, field-trip tested"];
const T_SHIRTS = ["Plain T-shirts, cotton, pack of 3", "Departmental T-shirt, size L"];
const KNIFE = "Kitchen knife set with board";
const LEATHER_SHOES = "Bata leather shoes, size 42";
const MENS_SHOES = "Men's official shoes, brown";

export const REAL_SEARCHES: RealSearch[] = [
  // Words of one or two letters: whole words, then the beginnings of words, anywhere in the name.
  { query: "tv", finds: [["Old TV for PlayStation nights", "2 TVs, Hisense and Vitron, 24 inch"]], only: true },
  { query: "TVs", finds: [["Old TV for PlayStation nights", "2 TVs, Hisense and Vitron, 24 inch"]], only: true },
  {
    query: "hp",
    finds: [
      ["24-inch HP monitor, Full HD", ELITEBOOK, "HP DeskJet 2710 with Wi-Fi", "Original HP blue-pin charger"],
      ["65 W USB-C laptop charger"],
    ],
    not: ["PHP and MySQL for beginners", SHARP],
  },
  { query: "pc", finds: [["Gaming PC, Ryzen 5"]], not: ["Pilot V5 pens, pack of 12"], only: true },
  { query: "A4", finds: [[NOTEBOOKS, "A4 clipboard for field work"]], not: ["Samsung Galaxy A14, 128 GB"] },
  { query: "i5", finds: [[ELITEBOOK, "Lenovo ThinkPad T480, i5 8th gen"]], not: ["iPhone 11, 64 GB, battery 84%"] },

  // Every word, in any order, in the name, the category and the description.
  { query: "casio calculator", finds: [[...FX_991, FX_82, SHARP]], not: [CASIO_WATCH, "Bic blue biros, box of 50"] },
  { query: "calculator casio", finds: [[...FX_991, FX_82, SHARP]], not: [CASIO_WATCH, "Bic blue biros, box of 50"] },
  {
    query: "charger laptop",
    finds: [["65 W USB-C laptop charger"], ["Original HP blue-pin charger"]],
    not: ["Phone fast charger + Type-C cable", "Laptop backpack, 15.6 inch"],
  },
  { query: "laptop charger", finds: [["65 W USB-C laptop charger"], ["Original HP blue-pin charger"]] },
  { query: "hp laptop", finds: [[ELITEBOOK, "HP Stream 11, for notes only"]], not: ["Dell Latitude E6420 for parts"] },
  {
    query: "electronics hp",
    finds: [[ELITEBOOK, "24-inch HP monitor, Full HD"]],
    not: ["Original HP blue-pin charger", "Sony portable radio"],
  },
  { query: "fashion size 42", finds: [[LEATHER_SHOES, "Viatu vya ngozi, size 42"]], not: ["Brown officials, size 44"] },
  {
    query: "oraimo power bank",
    finds: [["Oraimo 20,000 mAh power bank"]],
    not: ["Anker PowerCore 10,000", "Oraimo FreePods Lite"],
  },
  { query: "past papers business", finds: [["Past papers: School of Business, years 1–4"]], only: true },
  { query: "dell mouse", finds: [["Dell Latitude 7490 with mouse"], ["Dell OptiPlex desktop, complete"]] },

  // Categories by name.
  { query: "textbooks", finds: [[TEXT_BOOK], A_FEW_TEXTBOOKS], not: [NOTEBOOKS, ELITEBOOK] },
  { query: "textbook", finds: [[TEXT_BOOK], A_FEW_TEXTBOOKS], not: [NOTEBOOKS, ELITEBOOK] },
  { query: "text book", finds: [[TEXT_BOOK], A_FEW_TEXTBOOKS], not: [NOTEBOOKS, ELITEBOOK] },
  { query: "text books", finds: [[TEXT_BOOK], A_FEW_TEXTBOOKS], not: [NOTEBOOKS, ELITEBOOK] },
  { query: "furniture", finds: [["Two-seater sofa, blue", "Wall mirror"]], not: [KNIFE] },
  { query: "study materials", finds: [["White lab coat, size M", "Organic chemistry model kit"]], not: [KNIFE] },

  // Parts of words, after whole words and beginnings; descriptions last.
  {
    query: "book",
    finds: [
      [TEXT_BOOK, "Old high school revision books, free"],
      ["Three-tier bookshelf"],
      ["MacBook Air 2017, 8 GB, 128 GB", ELITEBOOK, NOTEBOOKS],
      ["Campbell Biology, 10th edition"],
      ["Pilot V5 pens, pack of 12"],
    ],
    not: [KNIFE],
  },
  {
    query: "phone",
    finds: [
      ["Phone fast charger + Type-C cable", "Phone screen replacement, labour"],
      ["iPhone 11, 64 GB, battery 84%", ...HEADPHONES],
      ["Camel corduroy coat"],
    ],
    not: ["Sony portable radio"],
  },
  { query: "ball", finds: [["Size 5 football, match ball"], ["Mikasa volleyball", "Spalding basketball, outdoor"]] },

  // Written together, apart, or with a hyphen.
  { query: "fx 991", finds: [FX_991], not: [FX_82] },
  { query: "fx-991", finds: [FX_991], not: [FX_82] },
  { query: "fx991", finds: [FX_991], not: [FX_82] },
  { query: "840 g3", finds: [[ELITEBOOK]], only: true },
  { query: "840g3", finds: [[ELITEBOOK]], only: true },
  { query: "8gb", finds: [[ELITEBOOK, "MacBook Air 2017, 8 GB, 128 GB"]], not: ["Kingston 32 GB, two pieces"] },
  {
    query: "128 gb",
    finds: [["Samsung Galaxy A14, 128 GB", "iPhone12 Pro, 128GB"]],
    not: ["SanDisk 64 GB flash drive"],
  },
  { query: "ps4", finds: [["PS4 controller, DualShock"], ["PS 4 games, five discs"]], not: ["Anker PowerCore 10,000"] },
  { query: "ps 4", finds: [["PS 4 games, five discs"], ["PS4 controller, DualShock"]] },
  { query: "mac book", finds: [["MacBook Air 2017, 8 GB, 128 GB"]], not: ["Three-tier bookshelf"] },
  { query: "power bank", finds: [POWER_BANKS, ["Powerbank Itel 10000mAh"], ["Power bank, slightly dead, free"]] },
  { query: "powerbanks", finds: [["Powerbank Itel 10000mAh"], POWER_BANKS, ["Power bank, slightly dead, free"]] },
  { query: "tshirt", finds: [T_SHIRTS], not: ["Three official shirts, size M"] },
  { query: "t-shirts", finds: [T_SHIRTS], not: ["Three official shirts, size M"] },
  {
    query: "mattress 4x6",
    finds: [["Mattress 4x6, medium density", "New mattress 4 × 6 × 8, quilted"]],
    not: MATTRESSES.slice(0, 1),
  },
  { query: "5 x 6", finds: [["Coil mattress 5'x6', 8 inch"]], not: ["4 × 6 wooden bed"] },

  // Singular and plural.
  { query: "shoe", finds: [[LEATHER_SHOES, MENS_SHOES]], not: ["Blue skater dress"] },
  { query: "shoes", finds: [[LEATHER_SHOES, MENS_SHOES]], not: ["Blue skater dress"] },
  { query: "shoes for men", finds: [[MENS_SHOES]], not: [LEATHER_SHOES] },
  { query: "mens watch", finds: [["Men's dress watch"]], not: ["Ladies watch, Casio"] },
  {
    query: "battery",
    finds: [["Rechargeable AA batteries, pack of 4", "iPhone 11, 64 GB, battery 84%"], ["Sony portable radio"]],
  },
  { query: "knives", finds: [[KNIFE]], not: ["Non-stick frying pan 24 cm"] },
  { query: "kiatu", finds: [["Viatu vya ngozi, size 42"]], only: true },
  { query: "kitabu", finds: [["Vitabu vya sekondari, seti nzima"]], not: [TEXT_BOOK] },

  // One mistake in a word.
  { query: "calclator", finds: [[SHARP], [SOLD_CALCULATOR]], only: true },
  { query: "calculater", finds: [[SHARP], [SOLD_CALCULATOR]], only: true },
  { query: "mattres", finds: [[...MATTRESSES, "Mattress 4x6, medium density"]] },
  { query: "matress", finds: [[...MATTRESSES, "Mattress 4x6, medium density"]] },
  { query: "headphnes sony", finds: [["Sony WH-CH510 wireless headphones"]], only: true },
  { query: "stethescope", finds: [["Littmann Classic III stethoscope", "Student stethoscope and BP machine"]] },
  {
    query: "bicylce",
    finds: [["Black Mamba turned town bicycle"], ["City bicycle, step-through frame"]],
    not: ["Skateboard, complete"],
  },
  { query: "samsung galxy", finds: [["Samsung Galaxy A14, 128 GB", "Samsung Galaxy Tab A8 with cover"]], only: true },

  // What can be bought comes before what is sold.
  { query: "casio", finds: [[...FX_991, FX_82, CASIO_WATCH], [SHARP], ["Ladies watch, Casio"]], only: true },
  { query: "scientific calculator", finds: [[SHARP], [SOLD_CALCULATOR]] },

  // Punctuation, operators of the index, accents, other scripts.
  { query: "C++", finds: [["C++ Primer, 5th edition"]], only: true },
  { query: "c#", finds: [["C# in a Nutshell"]], only: true },
  { query: "cafe", finds: [["Nescafé jar and café mugs"]], not: [KNIFE] },
  { query: "Café", finds: [["Nescafé jar and café mugs"]], not: [KNIFE] },
  { query: "🎧", finds: [["🎧 AirPods, second generation"]], only: true },
  { query: "o'neill", finds: [["O'Neill swim shorts"]], only: true },
  { query: '"brand new"', finds: [['50% off "brand new" duvets']] },
  { query: "books OR notes", finds: [["Bag (near campus) AND books OR notes"]], not: [TEXT_BOOK] },
  { query: "NEAR(campus books, 5)", not: [TEXT_BOOK, NOTEBOOKS] },
  { query: "-sofa", finds: [["Two-seater sofa, blue", "Small sofa with a story"]], only: true },
  { query: "sof*", finds: [["Two-seater sofa, blue", "Small sofa with a story"]] },
  { query: "name:sofa", only: true },
  { query: '" OR 1=1 --', not: [KNIFE] },
  { query: "%%%", only: true },

  // Sentences, and things that nobody sells.
  {
    query: "cheap phone under 15000",
    finds: [["Phone fast charger + Type-C cable"], ["iPhone 11, 64 GB, battery 84%"]],
    not: ["Sony portable radio"],
  },
  { query: "the river and the source", finds: [["The River and the Source – Margaret Ogola"]], only: true },
  { query: "kettle guitar", only: true },
  { query: "submarine", only: true },
  { query: "submarine kettle", only: true },
  { query: `${"very ".repeat(30)}long kettle`, only: true },
];
