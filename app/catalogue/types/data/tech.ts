import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, service, thing } from "./write-type.ts";

const COMPUTERS: ItemType[] = [
  thing("laptop", "Laptop", "Laptops", "computers", "lappy, lapi, notebook computer, chromebook, ultrabook", {
    signs: `
    elitebook, probook, hp pavilion, hp envy, hp spectre, hp stream, zbook, hp #, thinkpad, ideapad,
    lenovo yoga, lenovo legion, lenovo v #, lenovo x #, lenovo t #, latitude, inspiron, dell xps, vostro,
    macbook, macbook air, macbook pro, vivobook, zenbook, asus tuf, acer aspire, aspire #, acer nitro,
    travelmate, acer swift, surface pro, toshiba satellite, satellite pro, dynabook, lifebook, core i #`,
  }),
  thing(
    "desktop-computer",
    "Desktop computer",
    "Desktop computers",
    "computers",
    "desktop, computer, pc, cpu, tower pc, complete desktop, all in one pc, mini pc",
    { signs: "optiplex, elitedesk, prodesk, thinkcentre, hp compaq, imac, mac mini" },
  ),
  thing("tablet", "Tablet", "Tablets", "phones", "tab, ipad, kids tablet", {
    signs: "galaxy tab, lenovo tab, matepad, redmi pad, kindle fire",
  }),
  thing("monitor", "Monitor", "Monitors", "computers", "computer screen, desktop screen, pc monitor"),
  thing("keyboard", "Keyboard", "Keyboards", "computers", "wireless keyboard, gaming keyboard, mechanical keyboard"),
  thing("mouse", "Mouse", "Mice", "computers", "wireless mouse, gaming mouse, computer mouse"),
  thing("mouse-pad", "Mouse pad", "Mouse pads", "computers", "mousepad, mouse mat"),
  thing("printer", "Printer", "Printers", "computers", "photocopier, ecotank", {
    signs: "laserjet, deskjet, epson l #, canon pixma, officejet",
  }),
  thing("scanner", "Scanner", "Scanners", "computers", ""),
  thing(
    "flash-disk",
    "Flash disk",
    "Flash disks",
    "computers",
    "flash, flash drive, flashdisk, usb drive, usb stick, pen drive, usb flash, thumb drive",
  ),
  thing(
    "hard-disk",
    "Hard disk",
    "Hard disks",
    "computers",
    "hard drive, harddisk, hdd, external hard disk, external hdd, external drive",
  ),
  thing("ssd", "SSD", "SSDs", "computers", "solid state drive, nvme, nvme ssd, ssd drive, m.2 ssd"),
  thing("ram", "RAM", "RAM", "computers", "laptop ram, desktop ram, memory module, ddr# ram"),
  thing(
    "router",
    "Router",
    "Routers",
    "computers",
    "wifi router, mifi, modem, wifi modem, pocket wifi, portable wifi, usb modem",
  ),
  thing("webcam", "Webcam", "Webcams", "computers", "web camera"),
  accessory(
    "usb-hub",
    "USB hub",
    "USB hubs",
    "computers",
    "usb c hub, type c hub, docking station, dongle, usb splitter",
  ),
  accessory(
    "laptop-charger",
    "Laptop charger",
    "Laptop chargers",
    "computers",
    `
    laptop adapter, laptop power adapter, macbook charger, hp charger, dell charger, lenovo charger,
    chaja ya laptop, magsafe charger`,
    { of: ["laptop"], parent: "charger" },
  ),
  accessory(
    "laptop-bag",
    "Laptop bag",
    "Laptop bags",
    "bags",
    "laptop backpack, laptop sleeve, laptop case, laptop cover, laptop pouch",
    { of: ["laptop"], parent: "bag" },
  ),
  accessory("laptop-battery", "Laptop battery", "Laptop batteries", "computers", "", {
    of: ["laptop"],
    parent: "battery",
  }),
  accessory(
    "laptop-stand",
    "Laptop stand",
    "Laptop stands",
    "computers",
    "laptop riser, laptop cooler, laptop cooling pad, cooling pad",
    { of: ["laptop"] },
  ),
  accessory(
    "laptop-part",
    "Laptop part",
    "Laptop parts",
    "computers",
    "laptop screen, laptop keyboard, laptop spare, laptop motherboard, laptop hinge",
    { of: ["laptop"], parent: "spare-part" },
  ),
  service(
    "laptop-repair",
    "Laptop repair",
    "Laptop repairs",
    "services",
    `
    computer repair, laptop servicing, windows installation, software installation, laptop cleaning,
    laptop screen replacement, os installation, laptop upgrade`,
    { of: ["laptop", "desktop-computer"], parent: "repair" },
  ),
];

const PHONES: ItemType[] = [
  thing(
    "phone",
    "Phone",
    "Phones",
    "phones",
    "smartphone, simu, fone, cellphone, mobile phone, cell phone, android phone, mobile",
    {
      signs: `
    iphone, iphone #, tecno, infinix, itel, oppo, redmi, realme, xiaomi, oneplus, google pixel, pixel #,
    galaxy a #, galaxy s #, galaxy note, galaxy m #, samsung a #, samsung s #, samsung m #, samsung note,
    samsung galaxy, huawei y #, huawei p #, huawei nova, spark #, camon #, hot # i, neon ray, poco, vivo y #,
    moto g`,
    },
  ),
  thing(
    "feature-phone",
    "Button phone",
    "Button phones",
    "phones",
    "kabambe, mulika mwizi, feature phone, katululu, keypad phone",
    { parent: "phone", signs: "nokia 105, nokia 106, nokia 110, nokia 150, nokia 3310, itel it" },
  ),
  accessory(
    "phone-charger",
    "Phone charger",
    "Phone chargers",
    "phones",
    `
    iphone charger, samsung charger, type c charger, fast charger, usb charger, phone adapter, charger head,
    charging head, charger ya simu`,
    { of: ["phone", "tablet"], parent: "charger" },
  ),
  accessory("charger", "Charger", "Chargers", "gadgets", "power adapter, chaja, wall charger"),
  accessory(
    "charging-cable",
    "Charging cable",
    "Charging cables",
    "phones",
    `
    usb cable, type c cable, lightning cable, usb c cable, data cable, phone cable, charger cable,
    charging cord, iphone cable, micro usb cable`,
    { of: ["phone"], parent: "cable" },
  ),
  accessory(
    "cable",
    "Cable",
    "Cables",
    "electronics",
    "hdmi cable, aux cable, vga cable, ethernet cable, lan cable, audio cable, network cable",
  ),
  accessory(
    "phone-case",
    "Phone case",
    "Phone cases",
    "phones",
    `
    phone cover, iphone case, iphone cover, samsung cover, back cover, cover ya simu, silicone case`,
    { of: ["phone", "tablet"] },
  ),
  accessory(
    "screen-protector",
    "Screen protector",
    "Screen protectors",
    "phones",
    "tempered glass, glass protector, phone protector, privacy glass",
    { of: ["phone", "tablet", "laptop"] },
  ),
  accessory("phone-battery", "Phone battery", "Phone batteries", "phones", "", { of: ["phone"], parent: "battery" }),
  accessory("battery", "Battery", "Batteries", "electronics", "rechargeable battery, betri"),
  accessory(
    "phone-holder",
    "Phone holder",
    "Phone holders",
    "phones",
    "phone stand, phone mount, selfie stick, pop socket, phone ring",
    { of: ["phone"] },
  ),
  accessory(
    "phone-part",
    "Phone part",
    "Phone parts",
    "phones",
    "phone screen, phone lcd, iphone screen, phone spare, phone motherboard",
    { of: ["phone"], parent: "spare-part" },
  ),
  accessory("spare-part", "Spare part", "Spare parts", "electronics", "spare, spares"),
  accessory("sim-card", "SIM card", "SIM cards", "phones", "sim, simcard, safaricom line, airtel line"),
  accessory("memory-card", "Memory card", "Memory cards", "phones", "sd card, micro sd, micro sd card, memory chip"),
  service(
    "phone-repair",
    "Phone repair",
    "Phone repairs",
    "services",
    `
    screen repair, phone screen replacement, screen replacement, phone unlocking, phone flashing,
    iphone repair, simu repair, fundi wa simu`,
    { of: ["phone", "tablet"], parent: "repair" },
  ),
  service("repair", "Repair", "Repairs", "services", "repair service, fundi, electronics repair, tv repair"),
];

const SOUND: ItemType[] = [
  thing(
    "earphones",
    "Earphones",
    "Earphones",
    "gadgets",
    "earphone, earpiece, ear piece, wired earphone, handsfree, hands free, neckband, in ear",
    { parent: "ear-and-headphones" },
  ),
  thing(
    "earbuds",
    "Earbuds",
    "Earbuds",
    "gadgets",
    "earbud, ear bud, airpod, ear pod, tws, bluetooth earphone, wireless earphone, pods",
    { parent: "ear-and-headphones", signs: "galaxy buds, freepods, oraimo freepods, redmi buds" },
  ),
  thing(
    "headphones",
    "Headphones",
    "Headphones",
    "gadgets",
    "headphone, headset, head phone, gaming headset, over ear",
    { parent: "ear-and-headphones", signs: "sony wh, jbl tune, beats studio, beats solo" },
  ),
  thing("ear-and-headphones", "Earphones or headphones", "Earphones and headphones", "gadgets", "bluetooth headphone"),
  thing(
    "speaker",
    "Speaker",
    "Speakers",
    "electronics",
    "bluetooth speaker, portable speaker, spika, mini speaker, wireless speaker",
    { signs: "jbl go, jbl flip, jbl charge, soundcore" },
  ),
  thing("woofer", "Woofer", "Woofers", "electronics", "subwoofer, sub woofer, hoofer, home theatre, home theater", {
    parent: "speaker",
  }),
  thing("soundbar", "Soundbar", "Soundbars", "electronics", "sound bar", { parent: "speaker" }),
  thing("microphone", "Microphone", "Microphones", "electronics", "mic, wireless mic, lapel mic, lavalier mic"),
  thing("radio", "Radio", "Radios", "electronics", "fm radio"),
];

const POWER: ItemType[] = [
  thing(
    "calculator",
    "Calculator",
    "Calculators",
    "calculators",
    "scientific calculator, calc, kalkuleta, casio calculator, financial calculator",
    { signs: "fx #, texas instruments ti, ti # plus" },
  ),
  thing("power-bank", "Power bank", "Power banks", "gadgets", "powerbank, portable charger"),
  thing(
    "extension-cable",
    "Extension cable",
    "Extension cables",
    "electronics",
    `
    extension, extension cord, extension lead, power extension, socket extension, surge protector,
    power strip, # way extension`,
  ),
  thing(
    "smart-watch",
    "Smart watch",
    "Smart watches",
    "gadgets",
    "smartwatch, apple watch, fitness tracker, smart band",
    {
      signs: "mi band, galaxy watch, fitbit",
    },
  ),
  thing("tv", "TV", "TVs", "electronics", "television, smart tv, digital tv, led tv, android tv, tv set"),
  thing("camera", "Camera", "Cameras", "electronics", "dslr, digital camera, dslr camera, vlogging camera", {
    signs: "canon eos, nikon d #, sony alpha, gopro",
  }),
  thing(
    "game-console",
    "Game console",
    "Game consoles",
    "electronics",
    "gaming console, playstation, ps#, xbox, nintendo switch",
  ),
];

export const TECH: ItemType[] = [...COMPUTERS, ...PHONES, ...SOUND, ...POWER];
