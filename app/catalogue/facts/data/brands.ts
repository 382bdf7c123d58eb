import { choicesOf, type FactOf } from "#app/catalogue/facts/fact.ts";
import { findNames } from "#app/catalogue/facts/find-names.ts";
import { CLOTHES } from "./clothes.ts";

/** Brands by the things that they are on, with what people call them and the model lines that tell them. */
export const BRANDS: readonly FactOf[] = [
  brands(
    ["phone", "tablet", "smart-watch", "e-reader"],
    `Apple = iphone, ipad; Samsung = galaxy; Tecno = camon, spark, phantom; Infinix; itel;
    Xiaomi = redmi, poco, mi band; Oppo; Realme; vivo; OnePlus = one plus; Google = pixel; Nokia; Huawei; Honor;
    Motorola = moto; Lenovo; Amazon = kindle; Oraimo; Garmin; Fitbit; Sony; HTC; ZTE; X-Tigi; Villaon; Modio; Atouch`,
  ),
  brands(
    ["laptop", "desktop-computer", "monitor", "keyboard", "mouse"],
    `HP = hewlett packard, elitebook, probook, pavilion, zbook, elitedesk, prodesk, omen;
    Dell = latitude, inspiron, vostro, optiplex, xps; Lenovo = thinkpad, ideapad, thinkcentre, yoga, legion;
    Apple = macbook, imac, mac mini; Acer = aspire, travelmate; Asus = vivobook, zenbook, rog;
    Toshiba = satellite, dynabook; Microsoft = surface; MSI; Samsung; Fujitsu = lifebook; Huawei = matebook; LG;
    Sony = vaio; Logitech; Philips; ViewSonic = view sonic; Razer; BenQ`,
  ),
  brands(
    ["tv", "soundbar", "projector", "tv-decoder"],
    `Samsung; LG; Sony = bravia; Hisense; TCL; Vitron; Skyworth; Syinix; Vision Plus; Xiaomi; Philips; Panasonic;
    Sharp; Toshiba; Infinix; Haier; Nobel; Amtec; Golden Tech; Sayona; JBL; Epson; BenQ; GOtv; DStv;
    StarTimes = star times`,
  ),
  brands(
    ["ear-and-headphones", "speaker", "microphone", "radio", "power-bank", "phone-charger"],
    `JBL; Oraimo; Sony; Apple = airpods; Samsung = galaxy buds; Anker = soundcore; Beats; Bose; Sennheiser;
    Xiaomi = redmi; Vitron; Sayona; Nokia; Baseus; Harman Kardon; LG; Hisense; Philips; Skullcandy; Marshall; Boya;
    Rode; Remax; Huawei; Ampex; Royal Sound`,
  ),
  brands(
    ["camera", "camera-lens"],
    "Canon; Nikon; Sony; Fujifilm = fuji; GoPro = go pro; Panasonic = lumix; DJI; Olympus",
  ),
  brands(["game-console", "game-controller"], "Sony = playstation, ps2, ps3, ps4, ps5; Microsoft = xbox; Nintendo"),
  brands(
    ["printer", "scanner"],
    "HP = laserjet, deskjet, officejet; Epson = ecotank; Canon = pixma; Brother; Kyocera; Samsung; Ricoh; Xerox",
  ),
  brands(
    ["flash-disk", "memory-card", "hard-disk", "ssd", "ram"],
    "SanDisk = san disk; Kingston; Seagate; WD = western digital; Toshiba; Samsung; Transcend; Crucial; HP; Lexar; Adata; Hikvision",
  ),
  brands(
    ["router"],
    "TP-Link = tp link; Huawei; Tenda; D-Link = d link; Safaricom; Airtel; Faiba; MikroTik; Netgear; ZTE",
  ),
  brands(
    ["calculator", "watch"],
    "Casio = g shock; Texas Instruments; Sharp; Citizen; Seiko; Rolex; Fossil; Swatch; Naviforce; Curren",
  ),
  brands(
    ["cooker", "fridge", "kettle", "blender", "microwave", "iron-box", "fan", "water-dispenser"],
    `Ramtons; Von = von hotpoint; Mika; Hisense; Samsung; LG; Bruhm; Philips; Nunix; Sayona; Roch; Armco; Haier; Beko;
    Hotpoint; Kenwood; Sokany; Vitron; Lyons; Rashnik; Nasco; Black and Decker = black decker; Binatone; Bosch;
    Russell Hobbs; Tefal; Meko; Ipcone`,
  ),
  brands(
    ["shoes"],
    `Nike = air force, airforce, air jordan, jordan, air max, airmax, dunk; Adidas = yeezy, samba, superstar; Puma;
    Converse = all star, chuck taylor; Vans; New Balance; Reebok; Fila; Asics; Timberland = timbs; Crocs; Skechers;
    Clarks; Bata; Dr. Martens = doc martens; Under Armour; Balenciaga; Gucci; Lacoste; Tommy Hilfiger = tommy;
    Birkenstock; Steve Madden; Mizuno; Salomon; Safari Boots; Umoja; Toughees; Naked Wolfe`,
  ),
  brands(
    [...CLOTHES, "bag", "cap", "sunglasses"],
    `Nike; Adidas; Puma; Zara; H&M; Levi's = levis, levi; Gucci; Lacoste; Tommy Hilfiger = tommy; Calvin Klein; Uniqlo;
    Shein; Under Armour; The North Face = north face; Polo Ralph Lauren = ralph lauren; Carhartt; Balenciaga; Dior;
    Louis Vuitton; Fila; Reebok; Vans; Converse; Jordan; Hugo Boss; Burberry; Versace; Bershka; Primark; Forever 21;
    Stussy; Dickies; Wrangler; Asos; Ray-Ban = ray ban, rayban; Antler; Denri; Swiss Gear; JanSport; New Era; Prada;
    Chanel; Hermes; Michael Kors`,
  ),
];

function brands(types: readonly string[], list: string): FactOf {
  return { types, choices: choicesOf(list), find: findNames };
}
