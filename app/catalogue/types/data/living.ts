import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, inCategory, thing } from "./write-type.ts";

const FURNITURE = inCategory("furniture", [
  thing("table", "Table", "meza, dining table, plastic table, wooden table"),
  thing(
    "desk",
    "Study desk",
    "desk, study table, reading table, computer desk, office desk, reading desk, writing desk",
    { parent: "table" },
  ),
  thing("laptop-table", "Laptop table", "laptop desk, bed table, lap desk, bed desk", { parent: "table" }),
  thing("coffee-table", "Coffee table", "centre table, center table", { parent: "table" }),
  thing("chair", "Chair", "study chair, plastic chair, wooden chair, kiti, dining chair, reading chair, bean bag"),
  thing("office-chair", "Office chair", "swivel chair, gaming chair, ergonomic chair, desk chair", { parent: "chair" }),
  thing("stool", "Stool", "plastic stool, bar stool"),
  thing("bed", "Bed", "double decker, double decker bed, bunk bed, metal bed, wooden bed, kitanda, bed frame"),
  thing("mattress", "Mattress", "godoro, matress, mattresses, foam mattress", { signs: "vitafoam, high density" }),
  thing("sofa", "Sofa", "couch, seater sofa, sofa set, sofa bed, kochi, # seater"),
  thing("shelf", "Shelf", "rack, storage rack, wall shelf, storage shelf, utensil rack", { plural: "Shelves" }),
  thing("bookshelf", "Bookshelf", "book shelf, book rack, book case", { plural: "Bookshelves", parent: "shelf" }),
  thing("shoe-rack", "Shoe rack", "shoe stand, shoe shelf", { parent: "shelf" }),
  thing("wardrobe", "Wardrobe", "portable wardrobe, closet, kabati ya nguo"),
  thing("cupboard", "Cupboard", "kabati, cabinet, chest of drawers, drawer"),
  thing("tv-stand", "TV stand", "tv cabinet, tv unit"),
  thing(
    "mirror",
    "Mirror",
    "wall mirror, full length mirror, dressing mirror, kioo, make-up mirror, makeup mirror, dressing table",
  ),
  thing("carpet", "Carpet", "rug, fluffy carpet, zulia, floor mat, door mat, doormat"),
  thing("curtain", "Curtain", "sheer, pazia, curtain rod, curtains and sheers"),
  thing("duvet", "Duvet", "comforter, duvet set, duvet cover"),
  thing("blanket", "Blanket", "fleece blanket, shuka, maasai shuka, blanketi"),
  thing(
    "bedsheets",
    "Bedsheets",
    "bedsheet, bed sheet, shiti, bed cover, bedcover, beddings, bedding set, mattress cover",
    { plural: "Bedsheets" },
  ),
  thing("pillow", "Pillow", "pillowcase, pillow case, cushion, throw pillow, mto"),
  thing("mosquito-net", "Mosquito net", "net, bed net, neti"),
  thing("towel", "Towel", "bath towel, taulo"),
  thing(
    "wall-art",
    "Wall art",
    `wall hanging, wall sticker, wallpaper, poster, poster frame, picture frame, photo frame,
    painting, canvas art, wall frame, framed landscape, wall decor`,
    { plural: "Wall art" },
  ),
  thing("hangers", "Hangers", "hanger, clothes hanger, clothes rack, clothes line", { plural: "Hangers" }),
  thing("laundry-basket", "Laundry basket", "laundry bag, laundry bin"),
  thing("ironing-board", "Ironing board", "iron board, iron table"),
  thing(
    "bedsitter-set",
    "Bedsitter set",
    "bedsitter starter, bedsitter set, household items, household goods, house items",
  ),
]);

const KITCHEN = inCategory("kitchen", [
  thing("cooker", "Cooker", "stove, electric cooker, kerosene stove"),
  thing(
    "gas-cooker",
    "Gas cooker",
    `meko, gas meko, gas stove, meko gas, gas burner, burner gas cooker, # burner,
    kg gas cooker, kg meko, table top cooker`,
    { parent: "cooker" },
  ),
  thing(
    "gas-cylinder",
    "Gas cylinder",
    `cylinder, kg cylinder, kg gas, gas, mtungi wa gas, kg gas cylinder, gas tank,
    k-gas`,
  ),
  accessory(
    "gas-part",
    "Gas regulator or burner",
    "gas regulator, regulator, gas pipe, hose pipe, gas hose, grill and burner",
    { plural: "Gas regulators and burners", of: ["gas-cooker", "gas-cylinder"] },
  ),
  thing(
    "hotplate",
    "Hotplate",
    "hot plate, electric coil, coil cooker, cooking coil, induction cooker, electric hotplate",
    { parent: "cooker" },
  ),
  thing("jiko", "Jiko", "charcoal stove, charcoal jiko, makaa jiko", { parent: "cooker" }),
  thing("oven", "Oven", "air fryer, toaster, sandwich maker, electric oven"),
  thing("microwave", "Microwave", "microwave oven"),
  thing("fridge", "Fridge", "refrigerator, mini fridge, friji, freezer"),
  thing("water-dispenser", "Water dispenser", "dispenser, water pump"),
  thing("kettle", "Kettle", "electric kettle, cordless kettle, tea kettle, birika, heater jug"),
  thing(
    "water-heater",
    "Water heater",
    "immersion heater, water coil, coil heater, heater ya maji, heater coil, heater",
  ),
  thing("blender", "Blender", "smoothie blender, juicer, portable blender, grinder"),
  thing("rice-cooker", "Rice cooker"),
  thing("pressure-cooker", "Pressure cooker", "electric pressure cooker"),
  thing("sufuria", "Sufuria", "cooking pot, pot, sufuria set, saucepan, cooking set"),
  thing("frying-pan", "Frying pan", "pan, chapati pan, non stick pan, nonstick pan, kikaango, non-stick frying pan"),
  thing("plates", "Plates", "plate, bowl, sahani, melamine plate, dish", { plural: "Plates and bowls" }),
  thing("mug", "Mug", "cup, kikombe, vikombe, glass set, drinking glass, tumbler"),
  thing("cutlery", "Cutlery", "spoon, fork, kijiko, vijiko, uma, cutlery set", { plural: "Cutlery" }),
  thing("kitchen-knife", "Kitchen knife", "knife, kisu, knife set, kitchen knife set, chopping board", {
    plural: "Kitchen knives",
  }),
  thing("utensils", "Utensils", "utensil, kitchen ware, kitchenware, vyombo, kitchen utensil", { plural: "Utensils" }),
  thing("thermos", "Thermos", "thermos flask, flask, vacuum flask, chupa ya chai, vacuum bottle", {
    plural: "Thermos flasks",
  }),
  thing("water-bottle", "Water bottle", "drinking bottle, sports bottle, gym bottle"),
  thing("lunch-box", "Lunch box", "lunchbox, food container, hot pot, hotpot"),
  thing("storage-jars", "Storage jars", "storage jar, storage container, spice rack, canister, jar, tin, storage box", {
    plural: "Storage jars",
  }),
  thing("bucket", "Bucket", "ndoo, basin, karai, bucket and basin, beseni"),
  thing("jerrican", "Jerrican", "jerry can, jerican, mtungi, water container, water drum"),
  thing("dish-rack", "Dish rack", "dish drainer, dish drying rack"),
  thing("coffee-maker", "Coffee maker", "coffee machine, coffee press, french press"),
  thing("broom", "Broom and mop", "mop, broom, fagio, ufagio, dustbin, dust bin", { plural: "Brooms and mops" }),
]);

const FOOD = inCategory("food", [
  thing("cake", "Cake", "birthday cake, cupcake, keki, black forest cake"),
  thing(
    "snacks",
    "Snacks",
    `snack, crisp, samosa, mandazi, doughnut, cookie, popcorn, chevda, bhajia, njugu, groundnut,
    smokie, chapati, biscuit`,
    { plural: "Snacks" },
  ),
  thing("meal", "Meal", "lunch, pilau, biryani, food delivery, home cooked food, packed lunch, chakula"),
  thing("fruit", "Fruit", "avocado, hass avocado, mango, banana, watermelon, fruit salad, matunda, orange", {
    plural: "Fruit",
  }),
  thing("honey", "Honey", "raw honey, pure honey, asali", { plural: "Honey" }),
  thing("spread", "Spread", "peanut butter, jam"),
  thing("drink", "Drink", "juice, fresh juice, smoothie, yoghurt, yogurt, milk, maziwa, tea leaves, coffee"),
  thing(
    "groceries",
    "Groceries",
    `cereal, eggs, rice kg, beans, maize flour, unga, cooking oil, vegetable, sukuma wiki,
    tray of eggs, mayai`,
    { plural: "Groceries" },
  ),
]);

const ROOMS = inCategory("rooms", [
  thing(
    "room",
    "Room to rent",
    `single room, bedsitter, hostel room, hostel single room, rental room, one bedroom, bedroom house,
    studio apartment, hostel space, house to let, rental house, room vacant, bedsitter vacant, keja, chumba,
    hostel vacancy,     roommate, roommate wanted, vacant room, apartment`,
    { plural: "Rooms to rent" },
  ),
]);

export const LIVING: ItemType[] = [...FURNITURE, ...KITCHEN, ...FOOD, ...ROOMS];
