import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, inCategory, service, thing } from "./write-type.ts";

const COMPUTERS = inCategory("computers", [
  thing("laptop", "Laptop", "lappy, lapi, notebook computer, ultrabook, kompyuta, kompyuta mpakato", {
    signs: `elitebook, probook, hp pavilion, hp envy, hp spectre, hp stream, zbook, hp # g #, thinkpad, ideapad,
      lenovo yoga, lenovo legion, lenovo v #, lenovo x #, lenovo t #, latitude, inspiron, dell xps, vostro,
      macbook, macbooks, macbook air, macbook pro, chromebook, chromebooks, vivobook, zenbook, asus tuf,
      acer aspire, aspire #, acer nitro, travelmate, acer swift,
      surface pro, toshiba satellite, satellite pro, dynabook, lifebook, core i #`,
  }),
  thing("desktop-computer", "Desktop computer", "desktop, computer, tarakilishi, pc, cpu, all in one pc, mini pc", {
    signs: "optiplex, elitedesk, prodesk, thinkcentre, hp compaq, imac, mac mini",
  }),
  thing("monitor", "Monitor", "computer screen, desktop screen, pc monitor, inch screen"),
  thing("keyboard", "Keyboard", "wireless keyboard, gaming keyboard, mechanical keyboard, keyboard and mouse"),
  thing("mouse", "Mouse", "wireless mouse, gaming mouse, computer mouse", { plural: "Mice" }),
  thing("mouse-pad", "Mouse pad", "mouse mat"),
  thing("printer", "Printer", "photocopier, photocopy machine", {
    signs: "laserjet, deskjet, ecotank, epson l #, canon pixma, officejet",
  }),
  accessory("printer-ink", "Printer ink", "toner, toner cartridge, ink cartridge, epson ink, canon ink", {
    plural: "Printer inks",
    of: ["printer"],
  }),
  thing("scanner", "Scanner"),
  thing(
    "flash-disk",
    "Flash disk",
    `flash, flash drive, usb drive, usb stick, pen drive, usb flash,
    thumb drive`,
    { signs: "kingston # gb, sandisk # gb" },
  ),
  thing("hard-disk", "Hard disk", "hard drive, hdd, external hard disk, external hdd, external drive"),
  thing("ssd", "SSD", "solid state drive, nvme, nvme ssd, ssd drive", { plural: "SSDs" }),
  thing("ram", "RAM", "laptop ram, desktop ram, ddr # ram, ddr # laptop ram", { plural: "RAM" }),
  thing(
    "router",
    "Router",
    `wifi router, mifi, modem, wifi modem, pocket wifi, portable wifi, usb modem,
    wifi extender`,
  ),
  thing("webcam", "Webcam", "web camera"),
  accessory("usb-hub", "USB hub", "usb c hub, type c hub, docking station, dongle, usb splitter"),
  accessory(
    "laptop-charger",
    "Laptop charger",
    `laptop adapter, macbook charger, hp charger, dell charger,
    lenovo charger, acer charger, blue pin charger, big pin charger, magsafe charger, hp adapter`,
    { of: ["laptop"], parent: "charger" },
  ),
  accessory("laptop-bag", "Laptop bag", "laptop backpack, laptop sleeve, laptop case, laptop cover, laptop pouch", {
    category: "bags",
    of: ["laptop"],
    parent: "bag",
  }),
  accessory("laptop-battery", "Laptop battery", "", { of: ["laptop"], parent: "battery" }),
  accessory("laptop-stand", "Laptop stand", "laptop riser, laptop cooler, cooling pad, laptop cooling pad", {
    of: ["laptop"],
  }),
  accessory(
    "laptop-part",
    "Laptop part",
    `laptop screen, laptop keyboard, laptop motherboard, laptop hinge,
    laptop spare part, keyboard replacement`,
    { of: ["laptop"], parent: "spare-part" },
  ),
  service(
    "laptop-repair",
    "Laptop repair",
    `computer repair, laptop servicing, windows installation,
    window installation, windows install, office installation, software installation, laptop cleaning, laptop clean up,
    laptop screen replacement, laptop upgrade`,
    { category: "services", of: ["laptop", "desktop-computer"], parent: "repair" },
  ),
]);

const PHONES = inCategory("phones", [
  thing("phone", "Phone", "smartphone, simu, fone, cellphone, mobile phone, android phone", {
    signs: `iphone, iphones, tecno, infinix, itel, oppo, redmi, realme, xiaomi, oneplus, google pixel, pixel #,
      galaxy a #, galaxy s #, galaxy note, galaxy m #, samsung a #, samsung s #, samsung m #, samsung note,
      samsung galaxy, huawei y #,
      huawei p #, huawei nova, spark #, camon #, hot # i, poco, vivo y #, vivo v #, moto g, nokia g #, nokia c #`,
  }),
  thing("feature-phone", "Button phone", "kabambe, mulika mwizi, feature phone, katululu, keypad phone", {
    parent: "phone",
    signs: "nokia #, itel #",
  }),
  thing("tablet", "Tablet", "tab, kids tablet, samsung tab", {
    signs: "ipad, ipads, galaxy tab, lenovo tab, matepad, redmi pad, kindle fire, fire hd",
  }),
  thing("e-reader", "E-reader", "ebook reader", { category: "electronics", signs: "kindle" }),
  accessory("charger", "Charger", "power adapter, chaja, wall charger, adapter", { category: "gadgets" }),
  accessory(
    "phone-charger",
    "Phone charger",
    `iphone charger, samsung charger, type c charger, fast charger,
    usb charger, charger head, charging head, phone fast charger, oraimo charger, wireless charger`,
    { of: ["phone", "feature-phone", "tablet"], parent: "charger" },
  ),
  accessory(
    "cable",
    "Cable",
    `hdmi cable, aux cable, vga cable, ethernet cable, lan cable,
    audio cable, network cable`,
    { category: "electronics" },
  ),
  accessory(
    "charging-cable",
    "Charging cable",
    `usb cable, type c cable, lightning cable, usb c cable,
    data cable, phone cable, charger cable, iphone cable, micro usb cable, usb cord`,
    { of: ["phone"], parent: "cable" },
  ),
  accessory(
    "phone-case",
    "Phone case",
    "phone cover, iphone case, iphone cover, samsung cover, back cover, silicone case",
    { of: ["phone", "tablet"], signs: "case, cover" },
  ),
  accessory(
    "screen-protector",
    "Screen protector",
    `tempered glass, glass protector, phone protector,
    privacy glass, screen guard`,
    { of: ["phone", "tablet", "laptop"] },
  ),
  accessory("battery", "Battery", "rechargeable battery, betri", { category: "electronics" }),
  accessory("phone-battery", "Phone battery", "", { of: ["phone", "feature-phone"], parent: "battery" }),
  accessory("phone-holder", "Phone holder", "phone stand, phone mount, selfie stick, selfie stick tripod, pop socket", {
    of: ["phone"],
  }),
  accessory("spare-part", "Spare part", "spare", { category: "electronics" }),
  accessory("phone-part", "Phone part", "phone screen, phone lcd, iphone screen, phone motherboard", {
    of: ["phone"],
    parent: "spare-part",
  }),
  accessory("sim-card", "SIM card", "safaricom line, airtel line"),
  accessory("memory-card", "Memory card", "sd card, micro sd, micro sd card"),
  service("repair", "Repair", "repair service, fundi, electronics repair, tv repair", { category: "services" }),
  service(
    "phone-repair",
    "Phone repair",
    `screen repair, screen replacement, phone screen replacement,
    phone unlocking, phone flashing, iphone repair`,
    { category: "services", of: ["phone", "tablet"], parent: "repair" },
  ),
]);

const SOUND = inCategory("electronics", [
  thing("ear-and-headphones", "Earphones or headphones", "", {
    category: "gadgets",
    plural: "Earphones and headphones",
  }),
  thing(
    "earphones",
    "Earphones",
    `earphone, earpiece, wired earphone, handsfree, neckband,
    necklace neckband`,
    { category: "gadgets", plural: "Earphones", parent: "ear-and-headphones" },
  ),
  thing(
    "earbuds",
    "Earbuds",
    `earbud, airpod, ear pod, tws, bluetooth earphone, wireless earphone,
    wireless earbud`,
    {
      category: "gadgets",
      plural: "Earbuds",
      parent: "ear-and-headphones",
      signs: "galaxy buds, freepods, oraimo freepods, redmi buds, oraimo freepod",
    },
  ),
  thing("headphones", "Headphones", "headphone, headset, gaming headset, bluetooth headphone", {
    category: "gadgets",
    plural: "Headphones",
    parent: "ear-and-headphones",
    signs: "sony wh, jbl tune, beats studio, beats solo",
  }),
  thing("speaker", "Speaker", "bluetooth speaker, portable speaker, spika, wireless speaker", {
    signs: "jbl go, jbl flip, jbl charge, soundcore",
  }),
  thing("woofer", "Woofer", "subwoofer, hoofer, home theatre, home theater, music system", { parent: "speaker" }),
  thing("soundbar", "Soundbar", "", { parent: "speaker" }),
  thing("microphone", "Microphone", "mic, wireless mic, lapel mic, lavalier mic"),
  thing("radio", "Radio", "fm radio"),
]);

const ELECTRONICS = inCategory("electronics", [
  thing("calculator", "Calculator", "scientific calculator, calc, financial calculator", {
    category: "calculators",
    signs: "fx #, texas ba ii, ti # plus",
  }),
  thing("power-bank", "Power bank", "portable charger", { category: "gadgets", signs: "powercore" }),
  thing(
    "extension-cable",
    "Extension cable",
    `extension, extension cord, extension lead,
    socket extension, surge protector, power strip`,
  ),
  thing("smart-watch", "Smart watch", "fitness tracker, smart band", {
    category: "gadgets",
    signs: "apple watch, mi band, galaxy watch, fitbit",
  }),
  thing("tv", "TV", "television, smart tv, digital tv, led tv, android tv, tv set", { plural: "TVs" }),
  accessory("tv-decoder", "TV decoder", "decoder, gotv decoder, dstv decoder, startimes decoder, set top box, tv box", {
    signs: "gotv, dstv",
  }),
  accessory("tv-mount", "TV mount", "tv wall mount, tv bracket"),
  accessory("tv-aerial", "TV aerial", "aerial, antenna, tv antenna, aerial antenna"),
  accessory("remote-control", "Remote control", "remote, tv remote"),
  thing("projector", "Projector"),
  thing("camera", "Camera", "dslr, digital camera, dslr camera, vlogging camera, camcorder, handycam", {
    signs: "canon eos, nikon d #, sony alpha, gopro",
  }),
  accessory("camera-lens", "Camera lens", "lens", { plural: "Camera lenses", of: ["camera"] }),
  accessory("tripod", "Tripod", "tripod stand, camera stand"),
  accessory("ring-light", "Ring light", "selfie light"),
  thing("game-console", "Game console", "gaming console", { signs: "playstation, ps #, xbox, nintendo switch" }),
  accessory(
    "game-controller",
    "Game controller",
    `controller, game pad, gaming pad, ps # pad,
    ps # controller, xbox controller, xbox pad`,
    { of: ["game-console"] },
  ),
  thing("video-game", "Video game", "ps # game, ps # cd, xbox game, fifa", { signs: "fc #" }),
  thing(
    "lamp",
    "Lamp",
    `desk lamp, reading lamp, study lamp, bedside lamp, solar lamp, table lamp,
    solar light, lantern, taa`,
  ),
  thing(
    "decor-lights",
    "Decor lights",
    `led strip, strip light, led strip light, fairy light,
    string light, led light, sunset lamp`,
    { plural: "Decor lights" },
  ),
  thing("light-bulb", "Light bulb", "bulb, rechargeable bulb, led bulb"),
  thing("torch", "Torch", "flashlight, rechargeable torch, tochi"),
  thing("iron-box", "Iron box", "iron, steam iron, dry iron, clothes iron, pasi", { plural: "Iron boxes" }),
  thing("fan", "Fan", "standing fan, table fan, desk fan"),
  thing("room-heater", "Room heater", "electric heater, fan heater"),
  thing("solar-panel", "Solar panel", "solar kit, solar system"),
  thing("sewing-machine", "Sewing machine", "cherehani"),
  thing("weighing-scale", "Weighing scale", "weighing machine, digital scale, kitchen scale"),
  thing("clock", "Clock", "alarm clock, wall clock, saa ya ukuta"),
]);

export const TECH: ItemType[] = [...COMPUTERS, ...PHONES, ...SOUND, ...ELECTRONICS];
