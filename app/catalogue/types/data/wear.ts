import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, thing } from "./write-type.ts";

const CLOTHES: ItemType[] = [
  thing(
    "jacket",
    "Jacket",
    "fashion",
    "denim jacket, leather jacket, puffer jacket, bomber jacket, windbreaker, blazer, jaketi",
  ),
  thing("coat", "Coat", "fashion", "trench coat, trenchcoat, overcoat, raincoat, corduroy coat, winter coat"),
  thing(
    "trousers",
    "Trousers",
    "fashion",
    `trouser, cargo pant, pants, khaki trouser, official trouser, chinos, khakis,
    sweatpants, joggers, leggings, palazzo pant, tights, suruali, corduroy trouser, cargo trouser`,
    {
      plural: "Trousers",
      signs: "cargos",
    },
  ),
  thing("jeans", "Jeans", "fashion", "denim trouser, baggy jeans, mom jeans, skinny jeans, jean trouser", {
    plural: "Jeans",
    parent: "trousers",
  }),
  thing("shorts", "Shorts", "fashion", "short, running shorts, cargo shorts, jean shorts, jorts, kaptula", {
    plural: "Shorts",
  }),
  thing("t-shirt", "T-shirt", "fashion", "tee shirt, tisho, tishot, tishirt, polo shirt, polo t-shirt, vest"),
  thing("shirt", "Shirt", "fashion", "official shirt, checked shirt, shati, formal shirt, linen shirt"),
  thing("top", "Top", "fashion", "crop top, ladies top, blouse, tank top, bodysuit, peplum blouse, blauzi, camisole"),
  thing("hoodie", "Hoodie", "fashion", "hoody, hooded sweater, sweatshirt"),
  thing("sweater", "Sweater", "fashion", "cardigan, pullover, sweta, turtleneck, turtle neck"),
  thing(
    "dress",
    "Dress",
    "fashion",
    `dinner dress, bodycon dress, sundress, sun dress, maxi dress, skater dress, gown,
    jumpsuit, romper, dera, nguo ya dinner, evening dress`,
  ),
  thing("skirt", "Skirt", "fashion", "mini skirt, pencil skirt, sketi, denim skirt"),
  thing("suit", "Suit", "fashion", "piece suit, official suit, suti, men's suit, pant suit, tuxedo"),
  thing("tracksuit", "Tracksuit", "fashion", "track suit, trackies, jogging suit, two piece"),
  thing("jersey", "Jersey", "fashion", "football jersey, football kit, training bib, bib, singlet, team kit"),
  thing("underwear", "Underwear", "fashion", "boxer, panty, bra, innerwear, lingerie, sports bra", {
    plural: "Underwear",
  }),
  thing("nightwear", "Nightwear", "fashion", "pyjamas, pajamas, nightdress, night dress, onesie, bathrobe", {
    plural: "Nightwear",
  }),
  thing("swimwear", "Swimwear", "fashion", "swimsuit, swimming costume, swim suit, bikini, swimming trunks", {
    plural: "Swimwear",
  }),
  thing("uniform", "Uniform", "fashion", "school uniform, work uniform, apron, overall"),
  thing("baby-clothes", "Baby clothes", "fashion", "kids clothes, baby wear", { plural: "Baby clothes" }),
  thing("clothes", "Clothes", "fashion", "mitumba bale, nguo, outfit", { plural: "Clothes" }),
  thing("kanzu", "Kanzu", "fashion", "kanzus"),
  thing("leso", "Leso", "fashion", "kanga, khanga, kikoi, kitenge, ankara fabric"),
  thing("hijab", "Hijab", "fashion", "buibui, abaya, hijaab, niqab"),
  thing("graduation-gown", "Graduation gown", "fashion", "graduation cap, graduation cap and gown, graduation attire"),
  accessory("socks", "Socks", "fashion", "sock, stocking, soksi", { plural: "Socks" }),
  accessory("cap", "Cap", "fashion", "hat, kofia, marvin, beanie, bucket hat, dad cap, snapback, baseball cap"),
  accessory("scarf", "Scarf", "fashion", "shawl, marvin scarf, pashmina, headscarf", { plural: "Scarves" }),
  accessory("belt", "Belt", "fashion", "leather belt, mshipi"),
  accessory("tie", "Tie", "fashion", "necktie, bow tie"),
  accessory("sunglasses", "Sunglasses", "fashion", "shades, sun glasses, polarised sunglasses", {
    plural: "Sunglasses",
  }),
  accessory(
    "glasses",
    "Glasses",
    "fashion",
    `reading glasses, spectacles, blue light glasses, anti blue light glasses,
    anti glare glasses, photochromic glasses, miwani`,
    { plural: "Glasses" },
  ),
  accessory(
    "jewellery",
    "Jewellery",
    "fashion",
    `jewelry, necklace, bracelet, earring, earing, bangle, anklet, chain,
    ring, necklace and earring set, waist bead, mkufu, beads`,
    { plural: "Jewellery" },
  ),
  accessory("watch", "Watch", "fashion", "wrist watch, casio watch, wristwatch, quartz watch, mens watch, saa", {
    plural: "Watches",
    signs: "casio vintage, g shock",
  }),
];

const SHOES: ItemType[] = [
  thing("shoes", "Shoes", "shoes", "shoe, viatu, kiatu, open shoe, ladies shoe, men's shoe, footwear", {
    plural: "Shoes",
  }),
  thing(
    "sneakers",
    "Sneakers",
    "shoes",
    `sneaker, rubber shoe, rubber, trainer, running shoe, runner, gym shoe, sport shoe,
    sports shoe, canvas shoe, raba`,
    {
      plural: "Sneakers",
      parent: "shoes",
      signs:
        "airforce, air force, jordan #, air jordan, air max, vans, converse, all star, nike dunk, new balance, yeezy",
    },
  ),
  thing(
    "official-shoes",
    "Official shoes",
    "shoes",
    `official shoe, leather shoe, loafer, brogue, oxford shoe, viatu official,
    brown official, viatu za official, black official`,
    { plural: "Official shoes", parent: "shoes" },
  ),
  thing(
    "football-boots",
    "Football boots",
    "shoes",
    "football boot, njumu, soccer boot, football shoe, cleats, soccer cleats",
    {
      plural: "Football boots",
      parent: "shoes",
    },
  ),
  thing("boots", "Boots", "shoes", "boot, safari boot, gumboot, ankle boot, doc martens, chelsea boot, safety boot", {
    plural: "Boots",
    parent: "shoes",
  }),
  thing("heels", "Heels", "shoes", "heel, high heel, block heel, wedges, stiletto", {
    plural: "Heels",
    parent: "shoes",
  }),
  thing("sandals", "Sandals", "shoes", "sandal, maasai sandal, leather sandal, akala", {
    plural: "Sandals",
    parent: "shoes",
  }),
  thing("crocs", "Crocs", "shoes", "croc, yeezy slide", { plural: "Crocs", parent: "shoes" }),
  thing(
    "slippers",
    "Slippers",
    "shoes",
    `slipper, slide, flip flop, shower slipper, bathroom slipper, patipati, sapatu,
    malapa, slip on`,
    { plural: "Slippers", parent: "shoes" },
  ),
  thing("flat-shoes", "Flat shoes", "shoes", "doll shoe, dollshoe, flats, ballet flat, ngoma", {
    plural: "Flat shoes",
    parent: "shoes",
  }),
];

const BAGS: ItemType[] = [
  accessory("bag", "Bag", "bags", "mkoba, mfuko"),
  accessory(
    "backpack",
    "Backpack",
    "bags",
    "school bag, schoolbag, bag pack, rucksack, hiking bag, back pack, book bag",
    {
      parent: "bag",
    },
  ),
  accessory("handbag", "Handbag", "bags", "hand bag, ladies bag, purse, clutch bag, ladies handbag", { parent: "bag" }),
  accessory("tote-bag", "Tote bag", "bags", "tote, shopping bag, canvas bag", { parent: "bag" }),
  accessory(
    "sling-bag",
    "Sling bag",
    "bags",
    "cross body bag, crossbody bag, crossbody, side bag, man bag, waist bag",
    {
      parent: "bag",
    },
  ),
  accessory(
    "suitcase",
    "Suitcase",
    "bags",
    `travelling bag, traveling bag, travel bag, duffel bag, duffle bag,
    trolley bag, luggage bag, gym bag, sanduku`,
    { parent: "bag" },
  ),
  accessory("wallet", "Wallet", "bags", "card holder, mens wallet"),
  accessory("pouch", "Pouch", "bags", "zip pouch, make-up bag, makeup bag, toiletry bag"),
  accessory("kiondo", "Kiondo", "bags", "ciondo, woven basket, sisal basket, kikapu, vyondo"),
];

const BEAUTY: ItemType[] = [
  thing("wig", "Wig", "beauty", "human hair wig, lace wig, frontal wig"),
  thing(
    "braids",
    "Braids",
    "beauty",
    `braid, hair extension, crochet braid, crotchet, passion twist, weave, hairpiece,
    braiding hair, dreadlock, faux loc`,
    { plural: "Braids" },
  ),
  thing("hair-dryer", "Hair dryer", "beauty", "blow dryer, blow dry machine, blowdry, hair drier, blowdryer"),
  thing(
    "hair-straightener",
    "Hair straightener",
    "beauty",
    "flat iron, hair iron, hair curler, curling iron, hot comb",
  ),
  thing(
    "shaver",
    "Shaver",
    "beauty",
    "shaving machine, hair clipper, clipper, trimmer, kinyozi machine, beard trimmer",
  ),
  thing("razor", "Razor", "beauty", "safety razor, razor blade, shaving stick"),
  thing("comb", "Comb", "beauty", "afro comb, hair brush, hairbrush, detangling brush"),
  thing("bonnet", "Bonnet", "beauty", "satin bonnet, silk bonnet, durag"),
  thing(
    "hair-product",
    "Hair product",
    "beauty",
    `shampoo, conditioner, hair food, hair oil, hair gel, edge control, relaxer,
    hair treatment, beard oil`,
  ),
  thing("perfume", "Perfume", "beauty", "cologne, body spray, deodorant, body mist, body splash, oil perfume, marashi"),
  thing(
    "lotion",
    "Lotion",
    "beauty",
    "body lotion, moisturizing lotion, moisturiser, moisturizer, shea butter, body oil, body butter, vaseline",
    {
      signs: "nice and lovely, nice lovely, cerave",
    },
  ),
  thing("sunscreen", "Sunscreen", "beauty", "sun screen, sunblock"),
  thing(
    "skin-care",
    "Skin care",
    "beauty",
    "skincare, serum, face wash, facial cleanser, toner, face cream, vitamin c serum, face mask, skincare set",
    {
      plural: "Skin care",
    },
  ),
  thing("soap", "Soap", "beauty", "bar soap, bathing soap, sabuni, shower gel, body wash"),
  thing(
    "make-up",
    "Make-up",
    "beauty",
    `makeup, make-up kit, makeup kit, foundation, eyeshadow, mascara, eyeliner, lash,
    eyelash, make-up box, make-up starter box, concealer, blusher, cosmetic`,
    { plural: "Make-up" },
  ),
  thing(
    "lip-make-up",
    "Lipstick or lip gloss",
    "beauty",
    "lipstick, lip gloss, lipgloss, lip balm, lip oil, lip liner",
    {
      plural: "Lipsticks and lip glosses",
      parent: "make-up",
    },
  ),
  thing("nails", "Nails", "beauty", "press on nail, press-on, artificial nail, nail polish, nail kit, gel polish", {
    plural: "Nails",
  }),
  thing("grooming-kit", "Grooming kit", "beauty", "grooming set, manicure set, manicure kit, beard kit"),
  thing("sanitary-towels", "Sanitary towels", "beauty", "sanitary pad, sanitary towel, menstrual cup", {
    plural: "Sanitary towels",
  }),
];

export const WEAR: ItemType[] = [...CLOTHES, ...SHOES, ...BAGS, ...BEAUTY];
