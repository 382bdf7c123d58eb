import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, inCategory, thing } from "./write-type.ts";

const CLOTHES = inCategory("fashion", [
  thing("jacket", "Jacket", "denim jacket, leather jacket, puffer jacket, bomber jacket, windbreaker, blazer, jaketi"),
  thing("coat", "Coat", "trench coat, trenchcoat, overcoat, raincoat, corduroy coat, winter coat"),
  thing(
    "trousers",
    "Trousers",
    `trouser, cargo pant, pants, khaki trouser, official trouser, chinos, khakis,
    sweatpants, joggers, leggings, palazzo pant, tights, suruali, corduroy trouser, cargo trouser`,
    { plural: "Trousers", signs: "cargos" },
  ),
  thing("jeans", "Jeans", "denim trouser, baggy jeans, mom jeans, skinny jeans, jean trouser", {
    plural: "Jeans",
    parent: "trousers",
  }),
  thing("shorts", "Shorts", "short, running shorts, cargo shorts, jean shorts, jorts, kaptula", { plural: "Shorts" }),
  thing("t-shirt", "T-shirt", "tee shirt, tisho, tishot, tishirt, polo shirt, polo t-shirt, vest"),
  thing("shirt", "Shirt", "official shirt, checked shirt, shati, formal shirt, linen shirt"),
  thing("top", "Top", "crop top, ladies top, blouse, tank top, bodysuit, peplum blouse, blauzi, camisole"),
  thing("hoodie", "Hoodie", "hoody, hooded sweater, sweatshirt"),
  thing("sweater", "Sweater", "cardigan, pullover, sweta, turtleneck, turtle neck"),
  thing(
    "dress",
    "Dress",
    `dinner dress, bodycon dress, sundress, sun dress, maxi dress, skater dress, gown,
    jumpsuit, romper, dera, nguo ya dinner, evening dress`,
  ),
  thing("skirt", "Skirt", "mini skirt, pencil skirt, sketi, denim skirt"),
  thing("suit", "Suit", "piece suit, official suit, suti, men's suit, pant suit, tuxedo"),
  thing("tracksuit", "Tracksuit", "track suit, trackies, jogging suit, two piece"),
  thing("jersey", "Jersey", "football jersey, football kit, training bib, bib, singlet, team kit"),
  thing("underwear", "Underwear", "boxer, panty, bra, innerwear, lingerie, sports bra", { plural: "Underwear" }),
  thing("nightwear", "Nightwear", "pyjamas, pajamas, nightdress, night dress, onesie, bathrobe", {
    plural: "Nightwear",
  }),
  thing("swimwear", "Swimwear", "swimsuit, swimming costume, swim suit, bikini, swimming trunks", {
    plural: "Swimwear",
  }),
  thing("uniform", "Uniform", "school uniform, work uniform, apron, overall"),
  thing("baby-clothes", "Baby clothes", "kids clothes, baby wear", { plural: "Baby clothes" }),
  thing("clothes", "Clothes", "mitumba bale, nguo, outfit", { plural: "Clothes" }),
  thing("kanzu", "Kanzu", "kanzus"),
  thing("leso", "Leso", "kanga, khanga, kikoi, kitenge, ankara fabric"),
  thing("hijab", "Hijab", "buibui, abaya, hijaab, niqab"),
  thing("graduation-gown", "Graduation gown", "graduation cap, graduation cap and gown, graduation attire"),
  accessory("socks", "Socks", "sock, stocking, soksi", { plural: "Socks" }),
  accessory("cap", "Cap", "hat, kofia, marvin, beanie, bucket hat, dad cap, snapback, baseball cap"),
  accessory("scarf", "Scarf", "shawl, marvin scarf, pashmina, headscarf", { plural: "Scarves" }),
  accessory("belt", "Belt", "leather belt, mshipi"),
  accessory("tie", "Tie", "necktie, bow tie"),
  accessory("sunglasses", "Sunglasses", "shades, sun glasses, polarised sunglasses", { plural: "Sunglasses" }),
  accessory(
    "glasses",
    "Glasses",
    `reading glasses, spectacles, blue light glasses, anti blue light glasses,
    anti glare glasses, photochromic glasses, miwani`,
    { plural: "Glasses" },
  ),
  accessory(
    "jewellery",
    "Jewellery",
    `jewelry, necklace, bracelet, earring, earing, bangle, anklet, chain,
    ring, necklace and earring set, waist bead, mkufu, beads`,
    { plural: "Jewellery" },
  ),
  accessory("watch", "Watch", "wrist watch, casio watch, wristwatch, quartz watch, mens watch, saa", {
    plural: "Watches",
    signs: "casio vintage, g shock",
  }),
]);

const SHOES = inCategory("shoes", [
  thing("shoes", "Shoes", "shoe, viatu, kiatu, open shoe, ladies shoe, men's shoe, footwear", { plural: "Shoes" }),
  thing(
    "sneakers",
    "Sneakers",
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
    `official shoe, leather shoe, loafer, brogue, oxford shoe, viatu official,
    brown official, viatu za official, black official`,
    { plural: "Official shoes", parent: "shoes" },
  ),
  thing("football-boots", "Football boots", "football boot, njumu, soccer boot, football shoe, cleats, soccer cleats", {
    plural: "Football boots",
    parent: "shoes",
  }),
  thing("boots", "Boots", "boot, safari boot, gumboot, ankle boot, doc martens, chelsea boot, safety boot", {
    plural: "Boots",
    parent: "shoes",
  }),
  thing("heels", "Heels", "heel, high heel, block heel, wedges, stiletto", { plural: "Heels", parent: "shoes" }),
  thing("sandals", "Sandals", "sandal, maasai sandal, leather sandal, akala", { plural: "Sandals", parent: "shoes" }),
  thing("crocs", "Crocs", "croc, yeezy slide", { plural: "Crocs", parent: "shoes" }),
  thing(
    "slippers",
    "Slippers",
    `slipper, slide, flip flop, shower slipper, bathroom slipper, patipati, sapatu,
    malapa, slip on`,
    { plural: "Slippers", parent: "shoes" },
  ),
  thing("flat-shoes", "Flat shoes", "doll shoe, dollshoe, flats, ballet flat, ngoma", {
    plural: "Flat shoes",
    parent: "shoes",
  }),
]);

const BAGS = inCategory("bags", [
  accessory("bag", "Bag", "mkoba, mfuko"),
  accessory("backpack", "Backpack", "school bag, schoolbag, bag pack, rucksack, hiking bag, back pack, book bag", {
    parent: "bag",
  }),
  accessory("handbag", "Handbag", "hand bag, ladies bag, purse, clutch bag, ladies handbag", { parent: "bag" }),
  accessory("tote-bag", "Tote bag", "tote, shopping bag, canvas bag", { parent: "bag" }),
  accessory("sling-bag", "Sling bag", "cross body bag, crossbody bag, crossbody, side bag, man bag, waist bag", {
    parent: "bag",
  }),
  accessory(
    "suitcase",
    "Suitcase",
    `travelling bag, traveling bag, travel bag, duffel bag, duffle bag,
    trolley bag, luggage bag, gym bag, sanduku`,
    { parent: "bag" },
  ),
  accessory("wallet", "Wallet", "card holder, mens wallet"),
  accessory("pouch", "Pouch", "zip pouch, make-up bag, makeup bag, toiletry bag"),
  accessory("kiondo", "Kiondo", "ciondo, woven basket, sisal basket, kikapu, vyondo"),
]);

const BEAUTY = inCategory("beauty", [
  thing("wig", "Wig", "human hair wig, lace wig, frontal wig"),
  thing(
    "braids",
    "Braids",
    `braid, hair extension, crochet braid, crotchet, passion twist, weave, hairpiece,
    braiding hair, dreadlock, faux loc`,
    { plural: "Braids" },
  ),
  thing("hair-dryer", "Hair dryer", "blow dryer, blow dry machine, blowdry, hair drier, blowdryer"),
  thing("hair-straightener", "Hair straightener", "flat iron, hair iron, hair curler, curling iron, hot comb"),
  thing("shaver", "Shaver", "shaving machine, hair clipper, clipper, trimmer, kinyozi machine, beard trimmer"),
  thing("razor", "Razor", "safety razor, razor blade, shaving stick"),
  thing("comb", "Comb", "afro comb, hair brush, hairbrush, detangling brush"),
  thing("bonnet", "Bonnet", "satin bonnet, silk bonnet, durag"),
  thing(
    "hair-product",
    "Hair product",
    `shampoo, conditioner, hair food, hair oil, hair gel, edge control, relaxer,
    hair treatment, beard oil`,
  ),
  thing("perfume", "Perfume", "cologne, body spray, deodorant, body mist, body splash, oil perfume, marashi"),
  thing(
    "lotion",
    "Lotion",
    "body lotion, moisturizing lotion, moisturiser, moisturizer, shea butter, body oil, body butter, vaseline",
    { signs: "nice and lovely, nice lovely, cerave" },
  ),
  thing("sunscreen", "Sunscreen", "sun screen, sunblock"),
  thing(
    "skin-care",
    "Skin care",
    "skincare, serum, face wash, facial cleanser, toner, face cream, vitamin c serum, face mask, skincare set",
    { plural: "Skin care" },
  ),
  thing("soap", "Soap", "bar soap, bathing soap, sabuni, shower gel, body wash"),
  thing(
    "make-up",
    "Make-up",
    `makeup, make-up kit, makeup kit, foundation, eyeshadow, mascara, eyeliner, lash,
    eyelash, make-up box, make-up starter box, concealer, blusher, cosmetic`,
    { plural: "Make-up" },
  ),
  thing("lip-make-up", "Lipstick or lip gloss", "lipstick, lip gloss, lipgloss, lip balm, lip oil, lip liner", {
    plural: "Lipsticks and lip glosses",
    parent: "make-up",
  }),
  thing("nails", "Nails", "press on nail, press-on, artificial nail, nail polish, nail kit, gel polish", {
    plural: "Nails",
  }),
  thing("grooming-kit", "Grooming kit", "grooming set, manicure set, manicure kit, beard kit"),
  thing("sanitary-towels", "Sanitary towels", "sanitary pad, sanitary towel, menstrual cup", {
    plural: "Sanitary towels",
  }),
]);

export const WEAR: ItemType[] = [...CLOTHES, ...SHOES, ...BAGS, ...BEAUTY];
