import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, thing } from "./write-type.ts";

const FURNITURE: ItemType[] = [
  thing("table", "Table", "furniture", "meza, dining table, plastic table, wooden table"),
  thing(
    "desk",
    "Study desk",
    "furniture",
    "desk, study table, reading table, computer desk, office desk, reading desk, writing desk",
    {
      parent: "table",
    },
  ),
  thing("laptop-table", "Laptop table", "furniture", "laptop desk, bed table, lap desk, bed desk", { parent: "table" }),
  thing("coffee-table", "Coffee table", "furniture", "centre table, center table", { parent: "table" }),
  thing(
    "chair",
    "Chair",
    "furniture",
    "study chair, plastic chair, wooden chair, kiti, dining chair, reading chair, bean bag",
  ),
  thing("office-chair", "Office chair", "furniture", "swivel chair, gaming chair, ergonomic chair, desk chair", {
    parent: "chair",
  }),
  thing("stool", "Stool", "furniture", "plastic stool, bar stool"),
  thing(
    "bed",
    "Bed",
    "furniture",
    "double decker, double decker bed, bunk bed, metal bed, wooden bed, kitanda, bed frame",
  ),
  thing("mattress", "Mattress", "furniture", "godoro, matress, mattresses, foam mattress", {
    signs: "vitafoam, high density",
  }),
  thing("sofa", "Sofa", "furniture", "couch, seater sofa, sofa set, sofa bed, kochi, # seater"),
  thing("shelf", "Shelf", "furniture", "rack, storage rack, wall shelf, storage shelf, utensil rack", {
    plural: "Shelves",
  }),
  thing("bookshelf", "Bookshelf", "furniture", "book shelf, book rack, book case", {
    plural: "Bookshelves",
    parent: "shelf",
  }),
  thing("shoe-rack", "Shoe rack", "furniture", "shoe stand, shoe shelf", { parent: "shelf" }),
  thing("wardrobe", "Wardrobe", "furniture", "portable wardrobe, closet, kabati ya nguo"),
  thing("cupboard", "Cupboard", "furniture", "kabati, cabinet, chest of drawers, drawer"),
  thing("tv-stand", "TV stand", "furniture", "tv cabinet, tv unit"),
  thing(
    "mirror",
    "Mirror",
    "furniture",
    "wall mirror, full length mirror, dressing mirror, kioo, make-up mirror, makeup mirror, dressing table",
  ),
  thing("carpet", "Carpet", "furniture", "rug, fluffy carpet, zulia, floor mat, door mat, doormat"),
  thing("curtain", "Curtain", "furniture", "sheer, pazia, curtain rod, curtains and sheers"),
  thing("duvet", "Duvet", "furniture", "comforter, duvet set, duvet cover"),
  thing("blanket", "Blanket", "furniture", "fleece blanket, shuka, maasai shuka, blanketi"),
  thing(
    "bedsheets",
    "Bedsheets",
    "furniture",
    "bedsheet, bed sheet, shiti, bed cover, bedcover, beddings, bedding set, mattress cover",
    {
      plural: "Bedsheets",
    },
  ),
  thing("pillow", "Pillow", "furniture", "pillowcase, pillow case, cushion, throw pillow, mto"),
  thing("mosquito-net", "Mosquito net", "furniture", "net, bed net, neti"),
  thing("towel", "Towel", "furniture", "bath towel, taulo"),
  thing(
    "wall-art",
    "Wall art",
    "furniture",
    `wall hanging, wall sticker, wallpaper, poster, poster frame, picture frame, photo frame,
    painting, canvas art, wall frame, framed landscape, wall decor`,
    { plural: "Wall art" },
  ),
  thing("hangers", "Hangers", "furniture", "hanger, clothes hanger, clothes rack, clothes line", { plural: "Hangers" }),
  thing("laundry-basket", "Laundry basket", "furniture", "laundry bag, laundry bin"),
  thing("ironing-board", "Ironing board", "furniture", "iron board, iron table"),
  thing(
    "bedsitter-set",
    "Bedsitter set",
    "furniture",
    "bedsitter starter, bedsitter set, household items, household goods, house items",
  ),
];

const KITCHEN: ItemType[] = [
  thing("cooker", "Cooker", "kitchen", "stove, electric cooker, kerosene stove"),
  thing(
    "gas-cooker",
    "Gas cooker",
    "kitchen",
    `meko, gas meko, gas stove, meko gas, gas burner, burner gas cooker, # burner,
    kg gas cooker, kg meko, table top cooker`,
    { parent: "cooker" },
  ),
  thing(
    "gas-cylinder",
    "Gas cylinder",
    "kitchen",
    `cylinder, kg cylinder, kg gas, gas, mtungi wa gas, kg gas cylinder, gas tank,
    k-gas`,
  ),
  accessory(
    "gas-part",
    "Gas regulator or burner",
    "kitchen",
    "gas regulator, regulator, gas pipe, hose pipe, gas hose, grill and burner",
    {
      plural: "Gas regulators and burners",
      of: ["gas-cooker", "gas-cylinder"],
    },
  ),
  thing(
    "hotplate",
    "Hotplate",
    "kitchen",
    "hot plate, electric coil, coil cooker, cooking coil, induction cooker, electric hotplate",
    {
      parent: "cooker",
    },
  ),
  thing("jiko", "Jiko", "kitchen", "charcoal stove, charcoal jiko, makaa jiko", { parent: "cooker" }),
  thing("oven", "Oven", "kitchen", "air fryer, toaster, sandwich maker, electric oven"),
  thing("microwave", "Microwave", "kitchen", "microwave oven"),
  thing("fridge", "Fridge", "kitchen", "refrigerator, mini fridge, friji, freezer"),
  thing("water-dispenser", "Water dispenser", "kitchen", "dispenser, water pump"),
  thing("kettle", "Kettle", "kitchen", "electric kettle, cordless kettle, tea kettle, birika, heater jug"),
  thing(
    "water-heater",
    "Water heater",
    "kitchen",
    "immersion heater, water coil, coil heater, heater ya maji, heater coil, heater",
  ),
  thing("blender", "Blender", "kitchen", "smoothie blender, juicer, portable blender, grinder"),
  thing("rice-cooker", "Rice cooker", "kitchen"),
  thing("pressure-cooker", "Pressure cooker", "kitchen", "electric pressure cooker"),
  thing("sufuria", "Sufuria", "kitchen", "cooking pot, pot, sufuria set, saucepan, cooking set"),
  thing(
    "frying-pan",
    "Frying pan",
    "kitchen",
    "pan, chapati pan, non stick pan, nonstick pan, kikaango, non-stick frying pan",
  ),
  thing("plates", "Plates", "kitchen", "plate, bowl, sahani, melamine plate, dish", { plural: "Plates and bowls" }),
  thing("mug", "Mug", "kitchen", "cup, kikombe, vikombe, glass set, drinking glass, tumbler"),
  thing("cutlery", "Cutlery", "kitchen", "spoon, fork, kijiko, vijiko, uma, cutlery set", { plural: "Cutlery" }),
  thing("kitchen-knife", "Kitchen knife", "kitchen", "knife, kisu, knife set, kitchen knife set, chopping board", {
    plural: "Kitchen knives",
  }),
  thing("utensils", "Utensils", "kitchen", "utensil, kitchen ware, kitchenware, vyombo, kitchen utensil", {
    plural: "Utensils",
  }),
  thing("thermos", "Thermos", "kitchen", "thermos flask, flask, vacuum flask, chupa ya chai, vacuum bottle", {
    plural: "Thermos flasks",
  }),
  thing("water-bottle", "Water bottle", "kitchen", "drinking bottle, sports bottle, gym bottle"),
  thing("lunch-box", "Lunch box", "kitchen", "lunchbox, food container, hot pot, hotpot"),
  thing(
    "storage-jars",
    "Storage jars",
    "kitchen",
    "storage jar, storage container, spice rack, canister, jar, tin, storage box",
    {
      plural: "Storage jars",
    },
  ),
  thing("bucket", "Bucket", "kitchen", "ndoo, basin, karai, bucket and basin, beseni"),
  thing("jerrican", "Jerrican", "kitchen", "jerry can, jerican, mtungi, water container, water drum"),
  thing("dish-rack", "Dish rack", "kitchen", "dish drainer, dish drying rack"),
  thing("coffee-maker", "Coffee maker", "kitchen", "coffee machine, coffee press, french press"),
  thing("broom", "Broom and mop", "kitchen", "mop, broom, fagio, ufagio, dustbin, dust bin", {
    plural: "Brooms and mops",
  }),
];

const FOOD: ItemType[] = [
  thing("cake", "Cake", "food", "birthday cake, cupcake, keki, black forest cake"),
  thing(
    "snacks",
    "Snacks",
    "food",
    `snack, crisp, samosa, mandazi, doughnut, cookie, popcorn, chevda, bhajia, njugu, groundnut,
    smokie, chapati, biscuit`,
    { plural: "Snacks" },
  ),
  thing("meal", "Meal", "food", "lunch, pilau, biryani, food delivery, home cooked food, packed lunch, chakula"),
  thing("fruit", "Fruit", "food", "avocado, hass avocado, mango, banana, watermelon, fruit salad, matunda, orange", {
    plural: "Fruit",
  }),
  thing("honey", "Honey", "food", "raw honey, pure honey, asali", { plural: "Honey" }),
  thing("spread", "Spread", "food", "peanut butter, jam"),
  thing("drink", "Drink", "food", "juice, fresh juice, smoothie, yoghurt, yogurt, milk, maziwa, tea leaves, coffee"),
  thing(
    "groceries",
    "Groceries",
    "food",
    `cereal, eggs, rice kg, beans, maize flour, unga, cooking oil, vegetable, sukuma wiki,
    tray of eggs, mayai`,
    { plural: "Groceries" },
  ),
];

const ROOMS: ItemType[] = [
  thing(
    "room",
    "Room to rent",
    "rooms",
    `single room, bedsitter, hostel room, hostel single room, rental room, one bedroom, bedroom house,
    studio apartment, hostel space, house to let, rental house, room vacant, bedsitter vacant, keja, chumba,
    hostel vacancy,     roommate, roommate wanted, vacant room, apartment`,
    { plural: "Rooms to rent" },
  ),
];

export const LIVING: ItemType[] = [...FURNITURE, ...KITCHEN, ...FOOD, ...ROOMS];
