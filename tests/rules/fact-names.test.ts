/** What the names of listings say of their facts, as students write them; and what they only seem to say. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { FACTS } from "#app/catalogue/facts/fact-table.ts";
import { factsOfType, factText, findFacts, listingFacts, readFacts } from "#app/catalogue/facts/listing-facts.ts";
import { recognizeType } from "#app/catalogue/types/recognize-type.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";

/** `name @category = facts`. */
function cases(list: string): [name: string, expected: string][] {
  return list
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", expected = ""] = line.split(/ =(?: |$)/);
      return [name.trim(), expected.trim()];
    });
}

function factsIn(line: string): string {
  const [name = "", category = ""] = line.split(" @");
  const type = recognizeType({ name, category }, KEPT_TABLE)?.type ?? null;
  return Object.entries(readFacts(name, type, KEPT_TABLE))
    .map(([id, value]) => `${id} ${value}`)
    .join(", ");
}

const SAID = `
iPhone 11 128gb = brand apple, storage 128
iPhone XR 64gb bh 82% = brand apple, storage 64
Iphone 12 pro max 256 facial off = brand apple, storage 256
iPhone 13 Pro Max 1TB = brand apple, storage 1024
Samsung A14 4/128 = brand samsung, storage 128, memory 4
Samsung Galaxy S21 8gb 256gb = brand samsung, storage 256, memory 8
Tecno spark 10 pro 8gb/256gb = brand tecno, storage 256, memory 8
Tecno Camon 20, 8/256 = brand tecno, storage 256, memory 8
Infinix Hot 30i 4GB RAM 64GB ROM = brand infinix, storage 64, memory 4
Infinix Note 30 8+256 blue = brand infinix, storage 256, memory 8, color blue
Redmi Note 12 6gb+128gb clean = brand xiaomi, storage 128, memory 6
Poco X5 ram 8gb rom 256gb = brand xiaomi, storage 256, memory 8
Itel A60s brand new sealed = brand itel
Oppo A57 slightly cracked screen = brand oppo
Google Pixel 6a 6GB 128 = brand google, storage 128, memory 6
Vivo y21 black = brand vivo, color black
Kabambe Nokia 105 = brand nokia
Ipad 6th gen 32gb wifi space gray = brand apple, storage 32, color gray
Samsung tab a7 lite 32gb = brand samsung, storage 32
HP EliteBook 840 G5 8GB RAM 256 SSD = brand hp, storage 256, memory 8
HP 840 G5 touchscreen 8gb ram 256ssd = brand hp, storage 256, memory 8
Hp chromebook 11 g5 4gb = brand hp, memory 4
Lenovo ThinkPad T480 16GB 512GB SSD = brand lenovo, storage 512, memory 16
Thinkpad t470s na charger yake = brand lenovo
Dell Latitude 5490 ex-uk, 8gb, 500gb hdd = brand dell, storage 500, memory 8
MacBook Pro 2015 retina 8GB/256GB = brand apple, storage 256, memory 8
macbook air m1 8gb 256 = brand apple, storage 256, memory 8
Acer Aspire 5 laptop 1TB HDD 4GB RAM = brand acer, storage 1024, memory 4
Selling my hp laptop core i5 neat = brand hp
Asus Vivobook 15 ryzen 5 8gb ram 512gb nvme = brand asus, storage 512, memory 8
Hp laptop 2TB hard disk = brand hp, storage 2048
Toshiba laptop 500gb = brand toshiba, storage 500
HP laptop with 8GB RAM, 256 SSD = brand hp, storage 256, memory 8
Flash disk 32gb sandisk original = brand sandisk, storage 32
Sd card 128gb = storage 128
1tb external hard disk wd = brand wd, storage 1024
8gb ddr4 laptop ram = memory 8
Nike Air Force 1 size 42 = brand nike, size 42
Nike Air Force 1 white size 41 = brand nike, size 41, color white
Jordan 4 sneakers, 43 = brand nike, size 43
Adidas sneakers EU 40 black = brand adidas, size 40, color black
Converse all star size:39 = brand converse, size 39
Viatu saizi ya 42 = size 42
Laptop ya hp gb 8 = brand hp, memory 8
Simu gb 64 = storage 64
Vans 42 = brand vans, size 42
New Balance 574 size 44 gray = brand newbalance, size 44, color gray
Official shoes no. 43 brown = size 43, color brown
Timberland boots sz 45 = brand timberland, size 45
Ladies heels size 37 nude = size 37, color beige
Crocs size 38 = brand crocs, size 38
Size 12 dress = size 12
Black dinner dress size 10 = size 10, color black
Bodycon dress UK 14 = size 14
Floral dress size M = size m
Nike hoodie XL = brand nike, size xl
Nike hoodie black, size L = brand nike, size l, color black
Denim jacket medium = size m
H&M sweater size S = brand hm, size s
Polo shirt 2XL navy blue = size xxl, color navyblue
Levi's jeans waist 34 = brand levis, size 34
Cargo pants size 32 green = size 32, color green
Track suit XXL = size xxl
Arsenal jersey large = size l
Graduation gown, medium size = size m
Maroon hoodie extra large = size xl, color maroon
Calculus 9th edition by Stewart @textbooks = author Stewart, edition 9th
Engineering maths by stroud @textbooks = author Stroud
Snell's clinical anatomy 9th ed @textbooks = edition 9th
Principles of Economics by N. Gregory Mankiw, 8th edition @textbooks = author N. Gregory Mankiw, edition 8th
Business Law second edition @textbooks = edition 2nd
Gray's Anatomy 2nd Edition textbook = edition 2nd
JBL Bluetooth speaker = brand jbl
Oraimo freepods 3c = brand oraimo
Casio fx 991es plus original = brand casio, model fx991
32 inch smart tv vitron = brand vitron
Ramtons electric kettle = brand ramtons
Canon 700d dslr with lens = brand canon
PS4 slim 500gb with 2 pads = brand sony
HP laptop 8gb ram 256gb ssd 2gb dedicated graphics = brand hp, storage 256, memory 8
HP laptop 8gb + 16gb flash disk = brand hp, memory 8
Hp laptop 8gb expandable to 16gb = brand hp, memory 8
Asus tuf gaming laptop 16gb 512 ssd rtx 3050 4gb = brand asus, storage 512, memory 16
Flash disk 16gb usb 3.0 = storage 16
Memory card 32gb with adapter = storage 32
Laptop for sale hp 8gb = brand hp, memory 8
Jordan 37 sneakers size 43 = brand nike, size 43
Jordan 42 white = brand nike, size 42, color white
Large hoodie black = size l, color black
Financial Accounting by Frank Wood 13th edition @textbooks = author Frank Wood, edition 13th
Casio fx-82MS calculator = brand casio, model fx82
Scientific calculator fx-82ms exam approved = model fx82
Calculator ya casio 991 = brand casio, model fx991
Casio FX 570ES plus, used = brand casio, model fx570
fx991 ex classwiz = model fx991
Casio scientific calculator fx - 350 MS = brand casio, model fx350
Financial calculator texas ba ii plus = model baiiplus
TI-84 plus graphing calculator = model ti84
Calculator casio fx-9750GIII = brand casio, model fx9750
Sharp calculator EL-W531 = brand sharp, model elw531
Mountain bike 26 inch = wheel 26
Bicycle 26 inch 21-speed = wheel 26
Bicycle mountain bike 26 = wheel 26
Mtb 29er hydraulic brakes = wheel 29
Baiskeli size 24 = wheel 24
Mountain bike 27.5" wheels = wheel 275
Kids bicycle, wheel size 20 = wheel 20
Mountain bike 26 x 1.95 almost new = wheel 26
BMX bike with 20 inch wheels = wheel 20
Bicycle 29 inch, frame 18 = wheel 29
Bicycle, 26 inches, 7k = wheel 26
Baiskeli 26 inchi, 24 speed = wheel 26
`;

test.each(cases(SAID))("%s says %s", (name, expected) => {
  expect(factsIn(name)).toBe(expected);
});

const NOT_SAID = `
Samsung 43 inch TV = brand samsung
iPhone 13 = brand apple
iPhone 16 pro = brand apple
Exercise book 256 pages =
A4 notebook 200 pages =
Phone number 0712345678 =
Call 0722000256 for details =
Simu mpya 4g =
Smartphones for campus students from 6k =
Phone 5000mah battery =
Samsung A14 5g with box = brand samsung
Redmi Note 12 clean = brand xiaomi
Tecno phone 64MP camera = brand tecno
Laptop core i5 8th gen =
Laptop 14 inch full hd =
Laptop 64 bit windows 10 =
Laptop at 25k =
HP 250 G6 laptop = brand hp
Hp or Dell laptops =
Sneakers sizes 37-42 =
Sneakers 37 to 45 available =
Shoes size 40, 41 and 42 =
Sneakers @45 =
Viatu za official KES 45 =
Sneakers 40 pairs =
Nike Air Max 97 = brand nike
New Balance 574 = brand newbalance
Jordan 11 sneakers = brand nike
Sneakers size 8 =
Shoes 42% off =
Hoodies S-XL =
T-shirts sizes M, L and XL =
Men's hoodie =
Ladies' tops =
H&M dress = brand hm
Hoodie with large print =
Dress size 8-16 =
Jeans at 34 bob =
Black and white sneakers =
Red or blue hoodie =
Blue light glasses =
Lab coat white =
Flash disk =
Textbook sold by dozen =
Book by post @textbooks =
Textbook 2019 @textbooks =
Class of 2nd year anatomy notes =
Lap desk 60 x 40 =
Bedsitter to let, size 12 by 10 =
Carpet 5 by 8 =
Mattress 4x6 =
Gas cylinder 13kg =
Iphone 11 cover clear =
Case for Samsung A14 black =
Laptop charger hp 65w =
Screen protector iphone 13 =
Nokia phone 512 mb ram = brand nokia
Nokia 105 with 8gb memory card = brand nokia
HP laptop with free 16gb flash disk = brand hp
Gaming laptop hp 4gb graphics = brand hp
Dell laptop gtx 1650 4gb = brand dell
Lenovo laptop upgradable to 32gb ram = brand lenovo
Samsung phone expandable up to 128gb = brand samsung
RAM 2x8gb ddr4 =
RAM 8gb x 2 ddr4 =
iPhone 12 green line = brand apple
Samsung S20 with pink lines = brand samsung
iPhone 11 white spot = brand apple
Hoodie with white print =
Black Friday sneakers =
Golden State Warriors jersey =
Pink Floyd t-shirt =
Laptop with scratched surface =
Phone charger for Samsung =
Earphones for a Samsung phone =
Speaker with heavy beats =
Off white dress = color beige
Air Jordan 36 = brand nike
Vans style 36 = brand vans
Medium wash jeans =
Dress with small stain =
Medium length dress =
Small checked shirt =
Textbook pay by mpesa =
Textbook available by end of month =
Novel sold by Kevin =
Book needed by December =
Textbook by KLB =
Textbook 2nd and 3rd edition =
Chemistry book form 2 ed =
Textbook 0 edition =
Scientific calculator 417 functions =
Calculator at 570 bob =
Casio calculator 991 = brand casio
Casio 570 bob calculator = brand casio
Calculator fx-82/991 =
Calculator fx-82 or fx-991 =
Calculator better than fx-82 =
Calculator like the fx-991 =
Casio fx-8200 calculator = brand casio
Calculator cover for fx-991 =
Mountain bike 21 gears =
Bicycle 24 speed =
Bike at 26k =
Bike 20 in good condition =
Bicycle 20 inch frame =
Bicycle frame size 20 =
Mountain bikes 26 and 29 inch =
Mountain bikes 24-26 inch =
Mountain bike 27.5/29 inch =
Bike 26 000 =
Bike 26 May =
Bicycle 28 inch =
Bike used 24 months =
Bicycle tyre 26 inch =
Black mamba bicycle, 26 years old =
`;

test.each(cases(NOT_SAID))("%s says nothing more than %s", (name, expected) => {
  expect(factsIn(name)).toBe(expected);
});

test("no name says a value that is too long for its field", () => {
  const name = `Novel by ${"Wolfeschlegelsteinhausen ".repeat(4)}`.slice(0, 100);
  expect(factsIn(name)).toBe("");
});

test("a text says facts of any type, and where", () => {
  const text = "Nike, size 42 or 256GB";
  expect(
    findFacts(text, null, KEPT_TABLE).map(({ fact, value, from, to }) => [fact.id, value, text.slice(from, to)]),
  ).toEqual([
    ["brand", "nike", "Nike"],
    ["size", "42", "size 42"],
    ["storage", "256", "256GB"],
  ]);
});

test("an edition is no part of the place that says a model, so that a search for it finds no other", () => {
  const text = "calculator fx-991EX";
  const said = findFacts(text, ["calculator"], KEPT_TABLE);
  expect(said.map(({ fact, value, from, to }) => [fact.id, value, text.slice(from, to)])).toEqual([
    ["model", "fx991", "fx-991"],
  ]);
});

const anyType = fc.constantFrom(...FACTS.flatMap(({ of }) => of.flatMap(({ types }) => types)));
/** Words of names, in any order. */
const anyName = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ..."size 42 - / 8gb 256 ssd ram by edition 9th HP nike xl L M, (m) & ’s 1tb @ % + 36.5".split(" "),
      ),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    { maxLength: 14 },
  )
  .map((words) => words.join(" "));

test("whatever a name is, it says only what such a thing can have", () => {
  fc.assert(
    fc.property(anyName, anyType, (name, type) => {
      for (const [id, value] of Object.entries(readFacts(name, type, KEPT_TABLE))) {
        const own = factsOfType(type, KEPT_TABLE).find(({ fact }) => fact.id === id);
        expect(own).toBeDefined();
        if (own?.fact.kind === "choice") expect(own.choices.map((choice) => choice.value)).toContain(value);
      }
    }),
  );
});

test("what a seller chose counts, and nothing else of it", () => {
  fc.assert(
    fc.property(anyName, anyType, (name, type) => {
      const read = readFacts(name, type, KEPT_TABLE);
      const notSaid = Object.fromEntries(FACTS.map(({ id }) => [id, null]));
      expect(listingFacts({ name, type }, {}, KEPT_TABLE)).toEqual(read);
      expect(listingFacts({ name, type }, notSaid, KEPT_TABLE)).toEqual({});
    }),
  );
});

test("what we call a brand, a size and a color is read as such", () => {
  for (const fact of FACTS.filter(({ id, kind }) => kind === "choice" && id !== "storage" && id !== "memory"))
    for (const type of fact.of.flatMap(({ types }) => types))
      for (const { choices } of factsOfType(type, KEPT_TABLE).filter((one) => one.fact === fact))
        for (const { value } of choices)
          expect(readFacts(factText(fact, value), type, KEPT_TABLE)).toMatchObject({ [fact.id]: value });
});
