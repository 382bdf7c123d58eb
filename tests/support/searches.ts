/**
 * What students type into the search box, and what each search must find among the listings of the demo campus and of
 * this file.
 */
import type { ProductStatus } from "#app/catalogue/catalogue-rules.ts";

/** Listings that the demo campus doesn't have: odd spellings, punctuation, Swahili, other scripts, sold products. */
export const MORE_LISTINGS: { name: string; category: string; about?: string; status?: ProductStatus }[] = [
  { name: "Gaming PC, Ryzen 5", category: "electronics", about: "16GB RAM, with a tempered glass case." },
  { name: "2 TVs, Hisense and Vitron, 24 inch", category: "electronics" },
  { name: "PHP and MySQL for beginners", category: "textbooks" },
  { name: "C++ Primer, 5th edition", category: "textbooks" },
  { name: "C# in a Nutshell", category: "textbooks" },
  { name: "Coil mattress 5'x6', 8 inch", category: "furniture" },
  { name: "Mattress 4x6, medium density", category: "furniture" },
  { name: "Viatu vya ngozi, size 42", category: "fashion", about: "Vipya kabisa." },
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
const OTHER_FX_991 = [
  "Casio fx-991ES Plus with its manual",
  "Casio fx-991ES Plus, light scratches",
  "Casio fx-991ES Plus, hardly used",
];
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
  { query: "pc", finds: [["Gaming PC, Ryzen 5"]], not: ["Pilot V5 pens, pack of 12"] },
  { query: "A4", finds: [[NOTEBOOKS, "A4 clipboard for field work"]], not: ["Samsung Galaxy A14, 128 GB"] },
  { query: "i5", finds: [[ELITEBOOK, "Lenovo ThinkPad T480, i5 8th gen"]], not: ["iPhone 11, 64 GB, battery 84%"] },

  // Every word, in any order, in the name, the category and the description.
  { query: "casio calculator", finds: [[...FX_991, FX_82, SHARP]], not: [CASIO_WATCH, "Bic blue biros, box of 50"] },
  { query: "calculator casio", finds: [[...FX_991, FX_82, SHARP]], not: [CASIO_WATCH, "Bic blue biros, box of 50"] },
  {
    query: "charger laptop",
    finds: [["65 W USB-C laptop charger"], ["Original HP blue-pin charger"]],
    not: ["Laptop backpack, 15.6 inch"],
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
      [TEXT_BOOK, "Old high school revision books, free", "Campbell Biology, 10th edition"],
      ["Three-tier bookshelf"],
      ["MacBook Air 2017, 8 GB, 128 GB", ELITEBOOK, NOTEBOOKS],
      ["Pilot V5 pens, pack of 12"],
    ],
    not: [KNIFE],
  },
  {
    query: "phone",
    finds: [
      ["Tecno Spark 20, gravity black", "iPhone 11, 64 GB, battery 84%"],
      ["Phone fast charger + Type-C cable", "Phone screen replacement, labour"],
      HEADPHONES,
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
  { query: "hp840g3", finds: [[ELITEBOOK]], only: true },
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
  { query: "shoes for men", finds: [[MENS_SHOES]] },
  { query: "mens watch", finds: [["Men's dress watch"], ["Ladies watch, Casio"]] },
  {
    query: "battery",
    finds: [["Rechargeable AA batteries, pack of 4", "iPhone 11, 64 GB, battery 84%"], ["Sony portable radio"]],
  },
  { query: "knives", finds: [[KNIFE]], not: ["Non-stick frying pan 24 cm"] },
  { query: "kiatu", finds: [["Viatu vya ngozi, size 42"], [LEATHER_SHOES]] },
  { query: "kitabu", finds: [["Vitabu vya sekondari, seti nzima"], [TEXT_BOOK]] },

  // One mistake in a word.
  { query: "calclator", finds: [[SHARP, FX_82], [SOLD_CALCULATOR]] },
  { query: "calculater", finds: [[SHARP, FX_82], [SOLD_CALCULATOR]] },
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
  {
    query: "casio",
    finds: [[...FX_991, FX_82, CASIO_WATCH], [SHARP], ["Ladies watch, Casio"], OTHER_FX_991],
    only: true,
  },
  { query: "scientific calculator", finds: [[SHARP], [SOLD_CALCULATOR]] },

  // Punctuation, operators of the index, accents, other scripts.
  { query: "C++", finds: [["C++ Primer, 5th edition"]], only: true },
  { query: "c#", finds: [["C# in a Nutshell"]], only: true },
  { query: "cafe", finds: [["Nescafé jar and café mugs"]], not: [KNIFE] },
  { query: "Café", finds: [["Nescafé jar and café mugs"]], not: [KNIFE] },
  { query: "🎧", finds: [["🎧 AirPods, second generation"]], only: true },
  { query: "o'neill", finds: [["O'Neill swim shorts"]], only: true },
  { query: '"50% off"', finds: [['50% off "brand new" duvets']] },
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
    finds: [["Tecno Spark 20, gravity black"], ["Phone fast charger + Type-C cable"]],
    not: ["Sony portable radio", "iPhone 11, 64 GB, battery 84%"],
  },
  { query: "the river and the source", finds: [["The River and the Source – Margaret Ogola"]], only: true },
  { query: "kettle guitar", only: true },
  { query: "submarine", only: true },
  { query: "submarine kettle", only: true },
  { query: `${"very ".repeat(30)}long kettle`, only: true },
];

/** What a student means by a search. */
export interface MeantSearch {
  query: string;
  /** All right answers. They come first, in any order, and everything else after them. */
  right: string[];
  /** What must not come before them, although it has the words. Only for the reader: it isn't right. */
  wrong?: string[];
}

const IDEAPAD = "Lenovo IdeaPad 3, Ryzen 5, gaming-ish";
const THINKPAD = "Lenovo ThinkPad T480, i5 8th gen";
const LATITUDE = "Dell Latitude 7490 with mouse";
const DELL_PARTS = "Dell Latitude E6420 for parts";
const MACBOOK = "MacBook Air 2017, 8 GB, 128 GB";
const HP_STREAM = "HP Stream 11, for notes only";
const LAPTOPS = [ELITEBOOK, THINKPAD, LATITUDE, MACBOOK, HP_STREAM, IDEAPAD, DELL_PARTS];
const OPTIPLEX = "Dell OptiPlex desktop, complete";
const DESKTOPS = [OPTIPLEX, "Gaming PC, Ryzen 5"];
const TECNO = "Tecno Spark 20, gravity black";
const INFINIX = "Infinix Hot 40i, 8+256 GB";
const GALAXY = "Samsung Galaxy A14, 128 GB";
const IPHONE_11 = "iPhone 11, 64 GB, battery 84%";
const IPHONE_12 = "iPhone12 Pro, 128GB";
const REDMI = "Redmi 12, cracked back";
const PHONES = [TECNO, INFINIX, GALAXY, IPHONE_11, IPHONE_12, REDMI];
const TABLETS = ["Samsung Galaxy Tab A8 with cover", "Amazon Fire HD 8, reading tablet"];
const CALCULATORS = [...FX_991, FX_82, SHARP];
const EARBUDS = ["Oraimo FreePods 4, noise cancelling", "Oraimo FreePods Lite", "🎧 AirPods, second generation"];
const ALL_POWER_BANKS = [...POWER_BANKS, "Anker PowerCore 10,000", "Powerbank Itel 10000mAh"];
const LAPTOP_CHARGERS = ["65 W USB-C laptop charger", "Original HP blue-pin charger"];
const PHONE_CHARGER = "Phone fast charger + Type-C cable";
const FLASH_DRIVES = ["SanDisk 64 GB flash drive", "Kingston 32 GB, two pieces"];
const TVS = ["Old TV for PlayStation nights", "2 TVs, Hisense and Vitron, 24 inch"];
const ROUTERS = ["Faiba 4G MiFi router", "TP-Link Archer C20 router"];
const IRONS = ["Philips dry iron", "Ramtons steam iron, new"];
const SPEAKERS = ["Bluetooth speaker, JBL Go style", "Sony SRS-XB party speaker"];
const WATCHES = [CASIO_WATCH, "Quartz watch, brown strap", "Men's dress watch"];
const KEYBOARDS = ["Wireless keyboard and mouse set"];
const ONLY_MATTRESSES = [
  "High-density mattress 3 × 6 × 6",
  "New mattress 4 × 6 × 8, quilted",
  "Coil mattress 5'x6', 8 inch",
  "Mattress 4x6, medium density",
];
const BEDS = ["4 × 6 wooden bed", "3 × 6 metal bed with side table"];
const SOFAS = ["Two-seater sofa, blue", "Small sofa with a story"];
const DESKS = ["Study desk with two drawers", "Compact reading table", "Reading table, wobbly but faithful"];
const CHAIRS = ["Wooden study chair", "Two dining chairs, matching", "Plain wooden chair, free to collect"];
const WARDROBES = ["Two-door wardrobe with mirror", "Narrow wardrobe, rod replaced"];
const DUVETS = ["Hostel duvet 4 × 6 with pillowcases", '50% off "brand new" duvets'];
const KETTLES = [
  "Ramtons cordless kettle 1.7 L",
  "Von electric kettle, new",
  "Kettle with a moody switch",
  "Enamel tea kettle, family size",
];
const GAS = ["6 kg gas cooker (meko), full", "6 kg gas complete, new burner", "Empty 6 kg cylinder"];
const BLENDERS = ["Nunix blender with grinder", "Smoothie blender, barely used"];
const HOTPLATES = ["Single-coil hotplate", "Double hotplate, Ramtons"];
const POTS = ["Sufuria set, 5 pieces with lids", "Big cooking pot for parties"];
const PANS = ["Non-stick frying pan 24 cm", "Chapati pan, cast iron"];
const FLASKS = ["Thermos flask 1 litre", "Vacuum bottle, green"];
const JEANS = ["Straight-fit jeans, waist 32", "Mom jeans, waist 28", "Three pairs of jeans, bundle"];
const DRESSES = ["Blue skater dress", "Olive sundress with straps", "Dinner dress, floor-length on short people"];
const DENIM_JACKETS = [
  "Mitumba denim jacket, grade A",
  "Oversized denim jacket, stone wash",
  "Ladies' cropped denim jacket",
];
const SNEAKERS = [
  "Bata Power sneakers, size 40",
  "Adidas runners, size 41, mitumba",
  "Ladies' sneakers, lilac, size 38",
];
const HANDBAGS = ["Two-tone leather handbag", "Structured tote, brown"];
const BACKPACKS = ["Laptop backpack, 15.6 inch", "Hiking rucksack 40 L"];
const LAB_COATS = ["White lab coat, size M", "Lab coats, new, sizes S to XL", "Lab coat for workshop practice, long"];
const STETHOSCOPES = ["Littmann Classic III stethoscope", "Student stethoscope and BP machine"];
const GOGGLES = ["Chemistry safety goggles", "Safety goggles and nitrile gloves, used kit"];
const PAST_PAPERS = [
  "Past papers: BSc Computer Science, 2017–2025",
  "Past papers: School of Business, years 1–4",
  "Nursing council revision papers",
];
const PENS = ["Bic blue biros, box of 50", "Pilot V5 pens, pack of 12"];
const NOTEBOOKS_ALL = [NOTEBOOKS, "Leather-look journal with elastic", "Free: stack of half-used exercise books"];
const DRAWING_BOARDS = ["A2 drawing board with T-square", "A3 parallel-motion drawing board"];
const BICYCLES = ["Black Mamba turned town bicycle", "Mountain bike, 21 gears"];
const FOOTBALLS = ["Size 5 football, match ball", "Futsal ball, low bounce"];
const DUMBBELLS = ["Adjustable dumbbells, 20 kg pair", "Dumbbells 5 kg, rubber coated"];
const BASKETBALLS = ["Spalding basketball, outdoor", "Molten basketball, indoor"];
const RACKETS = ["Badminton pair with shuttlecocks", "Yonex badminton racket"];
const HAIR_DRYERS = ["Blow dryer 2000 W with comb", "Travel hair dryer"];
const LOTIONS = ["Shea body lotion 400 ml", "Nice & Lovely bundle, three bottles"];
const PRINTING = "Printing, 5 bob a page, delivered to class";
const LAPTOP_REPAIR = "Laptop clean-up and Windows install";
const PHONE_REPAIR = "Phone screen replacement, labour";
const LAUNDRY = "Laundry, wash and fold, per basket";
const GUITARS = ["Electric guitar, beginner", "Electric guitar, worship team retired"];
const CONSOLE = "PlayStation 4 Slim 500 GB, two pads";
const DICTIONARIES = ["Kamusi Kuu ya Kiswahili", "Oxford Advanced Learner's Dictionary"];
const NOVEL_SET_BOOKS = ["Fathers of Nations – Paul B. Vitta", "The Samaritan + Fathers of Nations, pair"];

/** Sellers write models, students type nouns. Written before the search knew what kind of thing a listing is. */
export const MEANT_SEARCHES: MeantSearch[] = [
  // Nouns for things whose names say only the model.
  {
    query: "laptop",
    right: LAPTOPS,
    wrong: ["65 W USB-C laptop charger", "Laptop backpack, 15.6 inch", LAPTOP_REPAIR],
  },
  { query: "laptops", right: LAPTOPS },
  { query: "computer", right: [...LAPTOPS, ...DESKTOPS] },
  { query: "kompyuta", right: LAPTOPS },
  { query: "desktop", right: DESKTOPS },
  { query: "phone", right: PHONES, wrong: [PHONE_CHARGER, PHONE_REPAIR, ...HEADPHONES] },
  { query: "phones", right: PHONES },
  { query: "smartphone", right: PHONES },
  { query: "tablet", right: TABLETS },
  { query: "calculator", right: CALCULATORS, wrong: [SOLD_CALCULATOR] },
  { query: "calculators", right: CALCULATORS },
  { query: "earphones", right: EARBUDS },
  { query: "earbuds", right: EARBUDS },
  { query: "headphones", right: HEADPHONES },
  { query: "powerbank", right: ALL_POWER_BANKS },
  { query: "power bank", right: ALL_POWER_BANKS },
  { query: "flash disk", right: FLASH_DRIVES },
  { query: "flash drive", right: FLASH_DRIVES },
  { query: "television", right: TVS },
  { query: "printer", right: ["HP DeskJet 2710 with Wi-Fi"], wrong: [PRINTING] },
  { query: "speaker", right: SPEAKERS },
  { query: "router", right: ROUTERS },
  { query: "camera", right: ["Canon EOS 1200D with 18–55 mm lens"] },
  { query: "iron box", right: IRONS },
  { query: "watch", right: WATCHES },
  { query: "game console", right: [CONSOLE] },
  { query: "playstation", right: [CONSOLE], wrong: ["Old TV for PlayStation nights", "PS4 controller, DualShock"] },
  { query: "extension cable", right: ["4-way extension cable, 3 metres"] },
  { query: "mattress", right: ONLY_MATTRESSES },
  { query: "bed", right: BEDS, wrong: ["Compact reading table"] },
  { query: "table", right: DESKS, wrong: ["Table tennis bats, pair", "3 × 6 metal bed with side table"] },
  { query: "study table", right: DESKS },
  { query: "chair", right: CHAIRS },
  { query: "couch", right: SOFAS },
  { query: "wardrobe", right: WARDROBES },
  { query: "mirror", right: ["Wall mirror", "Make-up mirror"], wrong: ["Two-door wardrobe with mirror"] },
  { query: "blanket", right: ["Fleece blanket and bedsheets, set"] },
  { query: "electric kettle", right: KETTLES.slice(0, 2) },
  { query: "gas cylinder", right: GAS },
  { query: "cooker", right: [...GAS.slice(0, 2), ...HOTPLATES] },
  { query: "blender", right: BLENDERS },
  { query: "pots", right: POTS, wrong: ["Two house plants, moving-out sale"] },
  { query: "frying pan", right: PANS.slice(0, 1) },
  { query: "water bottle", right: ["Vacuum bottle, green"] },
  { query: "jeans", right: JEANS },
  { query: "trousers", right: JEANS },
  { query: "dress", right: DRESSES, wrong: ["Men's dress watch"] },
  { query: "jacket", right: DENIM_JACKETS },
  { query: "sneakers", right: SNEAKERS },
  {
    query: "bag",
    right: [...HANDBAGS, ...BACKPACKS, "Cabin suitcase with four wheels", "Bag (near campus) AND books OR notes"],
  },
  { query: "handbag", right: HANDBAGS },
  { query: "backpack", right: BACKPACKS },
  { query: "suitcase", right: ["Cabin suitcase with four wheels"] },
  { query: "bicycle", right: BICYCLES },
  { query: "bike", right: BICYCLES },
  { query: "football", right: FOOTBALLS },
  { query: "dumbbells", right: DUMBBELLS },
  { query: "racket", right: ["Tennis racket and three balls", ...RACKETS] },
  { query: "hair dryer", right: HAIR_DRYERS },
  { query: "lipstick", right: ["Matte lipstick, berry red"] },
  { query: "pens", right: PENS },
  { query: "notebook", right: NOTEBOOKS_ALL },
  { query: "drawing board", right: DRAWING_BOARDS },
  { query: "lab coat", right: LAB_COATS, wrong: ["Constitution of Kenya 2010, pocket edition"] },
  { query: "labcoat", right: LAB_COATS },
  { query: "stethoscope", right: STETHOSCOPES },
  { query: "goggles", right: GOGGLES },
  { query: "past papers", right: PAST_PAPERS.slice(0, 2) },
  { query: "dictionary", right: DICTIONARIES },
  {
    query: "novel",
    right: [
      "A Silent Song and Other Stories",
      "Ten novels for the long holiday",
      "The River and the Source – Margaret Ogola",
    ],
  },
  { query: "guitar", right: GUITARS },
  { query: "keyboard", right: KEYBOARDS, wrong: [ELITEBOOK] },
  { query: "cake", right: ["Birthday cakes, 1 kg"] },
  { query: "perfume", right: [] },

  // Models and brands: their own things before what goes with them.
  { query: "macbook", right: [MACBOOK] },
  { query: "thinkpad", right: [THINKPAD], wrong: ["65 W USB-C laptop charger"] },
  { query: "elitebook", right: [ELITEBOOK] },
  { query: "iphone", right: [IPHONE_11, IPHONE_12] },
  { query: "iphone 11", right: [IPHONE_11] },
  { query: "tecno", right: [TECNO] },
  { query: "samsung phone", right: [GALAXY], wrong: ["Samsung Galaxy Tab A8 with cover"] },
  { query: "samsung tablet", right: ["Samsung Galaxy Tab A8 with cover"] },
  { query: "lenovo laptop", right: [THINKPAD, IDEAPAD] },
  { query: "dell laptop", right: [LATITUDE, DELL_PARTS], wrong: [OPTIPLEX] },
  { query: "laptop hp", right: [ELITEBOOK, HP_STREAM] },
  { query: "casio calculator", right: [...FX_991, FX_82], wrong: [CASIO_WATCH] },
  { query: "oraimo earbuds", right: EARBUDS.slice(0, 2) },
  { query: "oraimo powerbank", right: ["Oraimo 20,000 mAh power bank"] },
  { query: "sony headphones", right: ["Sony WH-CH510 wireless headphones"] },
  { query: "ps4", right: ["PS4 controller, DualShock", "PS 4 games, five discs"] },
  { query: "tplink", right: ["TP-Link Archer C20 router"] },
  { query: "tp-link router", right: ["TP-Link Archer C20 router"] },
  { query: "scientific calculator", right: CALCULATORS.slice(3) },
  { query: "laptop i5", right: [ELITEBOOK, THINKPAD], wrong: [OPTIPLEX] },
  { query: "laptop 16gb", right: [THINKPAD] },
  { query: "gaming laptop", right: [IDEAPAD] },

  // Accessories and services, which have the words of their things.
  { query: "laptop charger", right: LAPTOP_CHARGERS, wrong: LAPTOPS },
  { query: "charger for laptop", right: LAPTOP_CHARGERS },
  { query: "hp charger", right: ["Original HP blue-pin charger"] },
  { query: "phone charger", right: [PHONE_CHARGER], wrong: PHONES },
  { query: "charger", right: [...LAPTOP_CHARGERS, PHONE_CHARGER], wrong: PHONES },
  { query: "laptop bag", right: ["Laptop backpack, 15.6 inch"], wrong: LAPTOPS },
  { query: "laptop repair", right: [LAPTOP_REPAIR], wrong: LAPTOPS },
  { query: "phone repair", right: [PHONE_REPAIR], wrong: PHONES },
  { query: "screen repair", right: [PHONE_REPAIR] },
  { query: "printing", right: [PRINTING, "Posters A3, same day"], wrong: ["Printing paper, 80 gsm, one ream"] },
  { query: "printing paper", right: ["Printing paper, 80 gsm, one ream"], wrong: [PRINTING] },
  { query: "haircut", right: ["Haircut at your hostel"] },
  { query: "barber", right: ["Haircut at your hostel"] },
  { query: "laundry", right: [LAUNDRY] },
  {
    query: "tutor",
    right: ["Calculus and statistics tutoring, per hour", "Kiswahili and French conversation, per hour"],
  },
  { query: "photographer", right: ["Graduation photos, one hour", "LinkedIn and CV headshots"] },
  { query: "braiding", right: ["Knotless braids, labour only"], wrong: ["Darling braids, pack of 6, colour 1B"] },
  { query: "tailor", right: ["Alterations: hems, zips, taking in"] },
  { query: "movers", right: ["Hostel moving, pick-up and two people"] },
  { query: "graduation gown", right: ["Graduation cap and gown, hire for a week"] },

  // Swahili and Sheng.
  { query: "simu", right: PHONES },
  { query: "kitanda", right: BEDS },
  { query: "godoro", right: ONLY_MATTRESSES },
  {
    query: "viatu",
    right: [
      "Viatu vya ngozi, size 42",
      LEATHER_SHOES,
      MENS_SHOES,
      "Brown officials, size 44",
      ...SNEAKERS,
      "Red heels, size 39",
      "Safari boots for field trips",
      "Shower slippers, all sizes",
    ],
  },
  { query: "kiti", right: CHAIRS },
  { query: "meza", right: DESKS },
  { query: "meko", right: GAS },
  { query: "sufuria", right: POTS },
  { query: "kamusi", right: ["Kamusi Kuu ya Kiswahili"] },
  { query: "nguo", right: [...DRESSES, ...JEANS, ...DENIM_JACKETS, ...T_SHIRTS] },
  { query: "saa", right: WATCHES },
  { query: "baiskeli", right: BICYCLES },
  { query: "fundi simu", right: [PHONE_REPAIR] },
  { query: "kalamu", right: PENS },
  { query: "mwavuli", right: ["Big umbrella, wind-proof"] },
  { query: "runinga", right: TVS },
  { query: "kioo", right: ["Wall mirror", "Make-up mirror"] },
  { query: "biro", right: ["Bic blue biros, box of 50"] },
  { query: "raba", right: SNEAKERS },
  { query: "charger ya simu", right: [PHONE_CHARGER] },

  // Joined, apart, hyphened, misspelled.
  { query: "lap top", right: LAPTOPS },
  { query: "labtop", right: LAPTOPS },
  { query: "laptp", right: LAPTOPS },
  { query: "wifi router", right: ROUTERS },
  { query: "wi fi", right: ["HP DeskJet 2710 with Wi-Fi", "Faiba 4G MiFi router"] },
  { query: "wi-fi", right: ["HP DeskJet 2710 with Wi-Fi", "Faiba 4G MiFi router"] },
  { query: "wifi printer", right: ["HP DeskJet 2710 with Wi-Fi"] },
  { query: "tshirt", right: T_SHIRTS },
  { query: "tee shirt", right: T_SHIRTS },
  { query: "2000w", right: ["Blow dryer 2000 W with comb"] },
  { query: "calculater", right: CALCULATORS },
  { query: "earpods", right: EARBUDS },
  { query: "ear buds", right: EARBUDS },
  { query: "head phones", right: HEADPHONES },
  { query: "matress", right: ONLY_MATTRESSES },
  { query: "sneekers", right: SNEAKERS },
  { query: "stethescope", right: STETHOSCOPES },
  { query: "guiter", right: GUITARS },
  { query: "note book", right: NOTEBOOKS_ALL },
  { query: "hand bag", right: HANDBAGS },
  { query: "back pack", right: BACKPACKS },
  { query: "blow drier", right: HAIR_DRYERS },

  // With a price, a condition, a campus, a size.
  { query: "laptop under 30000", right: [ELITEBOOK, LATITUDE, HP_STREAM, DELL_PARTS], wrong: [THINKPAD, MACBOOK] },
  { query: "laptop below 10k", right: [HP_STREAM, DELL_PARTS] },
  { query: "simu chini ya 13000", right: [GALAXY, REDMI, IPHONE_12], wrong: [TECNO] },
  {
    query: "shoes size 42",
    right: [LEATHER_SHOES, "Viatu vya ngozi, size 42"],
    wrong: ["Bata Power sneakers, size 40"],
  },
  { query: "new calculator", right: ["Casio fx-991ES Plus, new in box"], wrong: [FX_82] },
  { query: "free chair", right: ["Plain wooden chair, free to collect"] },
  { query: "phone 10000-13000", right: [GALAXY], wrong: [REDMI] },

  // Several words, of which some aren't in any listing.
  { query: "purple laptop", right: LAPTOPS },
  { query: "cheap phone", right: PHONES },
  { query: "nice mattress", right: ONLY_MATTRESSES },
  { query: "second hand fridge", right: [] },
  {
    query: "engineering mathematics book",
    right: ["Engineering Mathematics, 8th edition – K. A. Stroud", "Advanced Engineering Mathematics – Kreyszig"],
  },
  {
    query: "anatomy book",
    right: ["Gray's Anatomy for Students, 4th edition", "Tortora: Principles of Anatomy and Physiology"],
  },
  { query: "set book fathers of nations", right: NOVEL_SET_BOOKS },
  { query: "mattress 4x6", right: ["Mattress 4x6, medium density", "New mattress 4 × 6 × 8, quilted"] },
  { query: "body lotion", right: LOTIONS.slice(0, 1) },
  { query: "basketball", right: BASKETBALLS },
  { query: "duvet", right: DUVETS },
  { query: "thermos", right: FLASKS.slice(0, 1) },
];

const OFFICIALS_44 = "Brown officials, size 44";
const POWER_40 = "Bata Power sneakers, size 40";
const RUNNERS_41 = "Adidas runners, size 41, mitumba";
const LILAC_38 = "Ladies' sneakers, lilac, size 38";

/**
 * Searches that say a size, an amount of memory, a color or an edition, however the listing says it. All must be right.
 */
export const FACT_SEARCHES: MeantSearch[] = [
  { query: "casio 991", right: FX_991, wrong: [FX_82] },
  { query: "calculator fx82", right: [FX_82], wrong: FX_991 },
  { query: "laptop 8gb", right: [ELITEBOOK, MACBOOK] },
  { query: "laptop gb 8", right: [ELITEBOOK, MACBOOK] },
  { query: "laptop ya gb 8", right: [ELITEBOOK, MACBOOK] },
  { query: "laptop 8gb ram", right: [ELITEBOOK, MACBOOK] },
  { query: "laptop 8gb 256", right: [ELITEBOOK] },
  { query: "laptop ya 256", right: [ELITEBOOK] },
  { query: "laptop 256 ssd", right: [ELITEBOOK] },
  { query: "hp laptop 256gb", right: [ELITEBOOK] },
  { query: "macbook 128", right: [MACBOOK] },
  // Only the description says it.
  { query: "laptop 16gb", right: [THINKPAD] },
  { query: "laptop 512gb", right: [THINKPAD] },
  { query: "desktop 500gb", right: [OPTIPLEX] },
  { query: "boots size 43", right: ["Safari boots for field trips"] },
  { query: "dress size 10", right: ["Blue skater dress"] },
  { query: "8/256 phone", right: [INFINIX] },
  { query: "simu 8+256", right: [INFINIX] },
  { query: "infinix 8gb ram", right: [INFINIX] },
  { query: "phone 256", right: [INFINIX] },
  { query: "simu ya 128gb", right: [GALAXY, IPHONE_12] },
  { query: "simu gb 64", right: [IPHONE_11] },
  { query: "samsung 128 gb", right: [GALAXY] },
  { query: "simu nyeusi", right: [TECNO] },
  { query: "flash disk 32gb", right: ["Kingston 32 GB, two pieces"] },
  { query: "shoes 42", right: [LEATHER_SHOES, "Viatu vya ngozi, size 42"] },
  { query: "viatu saizi 42", right: [LEATHER_SHOES, "Viatu vya ngozi, size 42"] },
  { query: "viatu saizi ya 42", right: [LEATHER_SHOES, "Viatu vya ngozi, size 42"] },
  { query: "raba saizi 41", right: [RUNNERS_41] },
  { query: "saizi 41", right: [RUNNERS_41] },
  { query: "adidas size 41", right: [RUNNERS_41] },
  { query: "sneakers no. 40", right: [POWER_40] },
  { query: "shoes number 44", right: [OFFICIALS_44] },
  { query: "viatu brown 44", right: [OFFICIALS_44] },
  { query: "purple sneakers", right: [LILAC_38] },
  { query: "shirt medium", right: ["Three official shirts, size M"] },
  { query: "tshirt saizi l", right: ["Departmental T-shirt, size L"] },
  { query: "jeans size 32", right: ["Straight-fit jeans, waist 32"] },
  { query: "jeans waist 28", right: ["Mom jeans, waist 28"] },
  { query: "campbell biology 10th edition", right: ["Campbell Biology, 10th edition"] },
  { query: "campbell biology tenth edition", right: ["Campbell Biology, 10th edition"] },
  { query: "gray anatomy 4th ed", right: ["Gray's Anatomy for Students, 4th edition"] },
  { query: "mankiw edition 9", right: ["Macroeconomics – Mankiw, 9th edition"] },
];
