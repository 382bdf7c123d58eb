import { expect, test } from "vitest";
import { NAME_KINDS, type NameKind, nameError } from "#app/accounts/trust/name-rules.ts";
import { LISTINGS } from "#scripts/seed/stock.ts";
import { STUDENT_TITLES } from "#tests/support/student-titles.ts";
import { NAME_CONTACT } from "#app/safety/name-contact-rules.ts";

/** Contacts and ways to pay, in the spellings that people try. */
const CONTACTS = [
  // Tills and paybills.
  "Pay 500 to till 5112345 now",
  "Till 5112345",
  "till no. 5112345",
  "Till: 5 1 1 2 3 4 5",
  "T.I.L.L 5112345",
  "t i l l 5112345",
  "T1LL 5112345",
  "TiII 5112345",
  "t!ll no 5112345",
  "Till5112345",
  "5112345 is my till",
  "5112345 (till)",
  "till five one one two three four five",
  "Paybill 247247 acc 0711",
  "PAY BILL 247247",
  "p.a.y.b.i.l.l 247247",
  "Buy goods 5112345",
  "Lipa na 5112345",
  "Lipa na M-Pesa till 511 2345",
  "Pochi 0712345678",
  "M-Pesa 5112345",
  "Send 500 to 5112345",
  "Tuma kwa 5112345",
  "Deposit to account 01109876543",
  "тill 5112345",
  "Till ５１１２３４５",
  "Till ٥١١٢٣٤٥",
  "Till ⑤①①②③④⑤",
  // Phone numbers.
  "0712345678",
  "iPhone 12 64GB 0712345678",
  "Call 0712 345 678",
  "0 7 1 2 3 4 5 6 7 8",
  "0-7-1-2-3-4-5-6-7-8",
  "07*12*34*56*78",
  "07/12/34/56/78",
  "07_12_345_678",
  "07 • 12 • 345 • 678",
  "+254 712 345 678",
  "254-712-345-678",
  "O712 345 678",
  "O7l2345678",
  "07I2 345 678",
  "zero seven one two three four five six seven eight",
  "Zero 7 one 2 three 4 five 6 seven 8",
  "sifuri saba moja mbili tatu nne tano sita saba nane",
  "oh seven double two three four five six seven eight",
  "zero-seven-one-two-three-four-five-six-seven-eight",
  "𝟎𝟕𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖",
  "0️⃣7️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣8️⃣",
  "٠٧١٢٣٤٥٦٧٨",
  "07\u200b12 345 678",
  // Links.
  "wa.me/254712345678",
  "wa . me / njeri",
  "wa dot me slash njeri",
  "t.me/njeri",
  "Njeri kicks t dot me",
  "https://njeri.shop",
  "www.njeri.co.ke",
  "w w w . njeri . com",
  "njeri.com",
  "njeri . com",
  "njeri dot com",
  "njeri(dot)com",
  "njeri [dot] co [dot] ke",
  "njeri dot co dot ke",
  "njeri.co.ke",
  "jiji.co.ke/njeri",
  "bit.ly/njeri",
  "linktr.ee/njeri",
  "Kicks on njeri.shop",
  "njerí.cоm",
  // Emails.
  "njeri@gmail.com",
  "njeri @ gmail . com",
  "njeri at gmail dot com",
  "njeri(at)gmail.com",
  "njeri at gmail",
  "njeri＠gmail.com",
  "njeri gmail com",
  // Handles.
  "@njeri_kicks",
  "Kicks @njeri",
  "IG: njeri",
  "insta @njeri",
  "Insta: njeri.kicks",
  "tiktok handle njeri",
  "Instagram: njeri",
  "Telegram: njeri",
  "fb page: njeri",
  "WhatsApp me",
  "WhatsApp: njeri",
  "whatsapp only",
  "Call/WhatsApp",
  "DM me for price",
  "inbox me",
  "nipigie",
  "Find me on Instagram",
  "Pay me directly",
  // Codes.
  "Send me your code",
  "Give seller the 6 digit code",
  "nipe code yako",
];

test.each(NAME_KINDS)("no %s has a contact or a way to pay in its name, however it is spelled", (kind) => {
  const leaks = CONTACTS.flatMap((name) => [name, `Kettle ${name}`, `${name} Juja`]).filter(
    (name) => nameError(name, kind) === null,
  );
  expect(leaks).toEqual([]);
});

test("no person or shop is called after a way to pay, however it is spelled", () => {
  for (const kind of ["person", "shop"] as const)
    for (const name of ["Njeri Till", "Njeri T1LL", "Njeri tiII", "Njeri Pay Bill", "Njeri Tik Tok"])
      expect([kind, name, nameError(name, kind)]).toEqual([kind, name, NAME_CONTACT]);
});

/** How people are found elsewhere. */
const HANDLES = [
  "ig njeri_kicks",
  "njeri_kicks",
  "Njeri__Kicks",
  "njeri.kicks",
  "njeri.club",
  "Njeri.Club",
  "NJERI.LIVE",
  "njeri dot club",
  "njeri[.]club",
  "Njeri (dot) club",
  "Njeri Kicks IG",
  "Njeri Kicks (insta)",
  "Njeri on fb",
  "facebook Njeri",
  "Njeri Twitter",
];
const HANDLES_OF_A_PERSON = ["ig njeri", "IG Njeri Kicks", "fb njeri", "insta njeri", "snap njeri", "tg njeri"];

test("no person or shop is called as they are found elsewhere", () => {
  for (const kind of ["person", "shop"] as const)
    for (const name of HANDLES) expect([kind, name, nameError(name, kind)]).toEqual([kind, name, NAME_CONTACT]);
  for (const name of HANDLES_OF_A_PERSON) expect([name, nameError(name, "person")]).toEqual([name, NAME_CONTACT]);
});

test("the reason says what to leave out, and where people can write", () => {
  expect(nameError("Kettle, till 5112345", "listing")).toBe(NAME_CONTACT);
  expect(nameError("Njeri 0712 345 678", "shop")).toBe(NAME_CONTACT);
  expect(nameError("Njeri 0712 345 678", "person")).toBe(NAME_CONTACT);
});

/** Names of goods with the figures, signs and words that goods have. */
const GOODS = [
  "HP 840 G3",
  "HP EliteBook 840 G3 i5 8GB 256GB",
  "Casio fx-991ES",
  "Casio fx-991ES Plus 2nd edition",
  "KCSE 2019",
  "KCSE past papers 2015-2023",
  "Size 41",
  "Nike Air Force 1 size 40-45",
  "Samsung A12 4/64",
  "Samsung A12 4GB/64GB",
  "1500W kettle",
  "Ramtons kettle 1.7L 1500W",
  "iPhone 12 64GB",
  "iPhone 11 Pro Max 256",
  "Tecno Spark 10 8+128",
  "Infinix Hot 30i 128GB + 8GB RAM",
  "Power bank 10000mAh",
  "Oraimo power bank 20000mAh 22.5W",
  "Power bank 20,000 mAh",
  "Pay-as-you-go solar lamp 10000mAh",
  "Kingston A400 480GB SSD",
  "Dell Latitude E7470 i5-6300U",
  "Lenovo T480 i5 8350U 16/512",
  "HP LaserJet 107a toner W1107A",
  "Toner 106R02773",
  "Epson L3250 ink 003",
  "Bearing 6203-2RS",
  "Arduino Uno R3 ATmega328P",
  "LM7805 regulator, 10 pcs",
  "Resistor kit 600 pcs 1/4W",
  "NE555 timer IC",
  "LED strip 5050 12V 5m",
  "CR2032 battery",
  "AA batteries 4 pack 1.5V",
  "18650 cells 3.7V 2200mAh",
  "Bulb 9W E27 B22",
  "Extension cable 4-way 5m",
  "USB-C to USB-A cable 3A",
  "HDMI 2.1 cable 1.5m",
  "24-inch monitor 1920x1080 75Hz",
  "TV 32 inch 4K HDR10",
  "Router TP-Link TL-WR840N",
  "TP-Link Archer C6 AC1200",
  "Huawei E5577 4G MiFi",
  "Safaricom 4G router",
  "JBL Flip 5",
  "Sony WH-1000XM4",
  "Canon EOS 4000D 18-55mm",
  "PS4 1TB with 2 pads",
  "FIFA 23 PS4",
  "Mathematics for Engineers 5th ed.",
  "Campbell Biology 12th edition",
  "B.Com Year 1 notes",
  "B.com accounting textbook",
  "M.Com research methods",
  "BSc.IT unit notes 2.1",
  "ACCA F5-F9 books",
  "CPA Section 1, 2 and 3",
  "Elimu past papers 2010 - 2022",
  "ISBN 978-0-7123-4567-8 Chemistry",
  "Law of Contract, 7th ed. (2018)",
  "The 48 Laws of Power",
  "Fahrenheit 451",
  "1984",
  "Nineteen Eighty-Four",
  "Catch-22",
  "Call Me by Your Name",
  "Message in a Bottle",
  "One Hundred Years of Solitude",
  "One Two Three counting toy",
  "Seven Eight kids puzzle",
  "A4 ream 80gsm 500 sheets",
  "Exercise books 200 pages x 12",
  "Till rolls 57x40mm, 10 pcs",
  "Cash till drawer",
  "Cash drawer for till",
  "Account book, 3 column",
  "Accounting made simple",
  "Pochi, brown leather",
  "Tilapia, fresh, 1kg",
  "Rice 50kg @KES 6500",
  "3 pieces @1.500",
  "Pens, 12 for 100",
  "Mitumba bale 45kg grade 1",
  "Dress size 10-12",
  "Jeans W32 L34",
  "School bag 40x30x15 cm",
  "Mattress 3x6x6 HD",
  "Bed 4x6",
  "Curtains 2m x 2.5m",
  "Meko 6kg gas cylinder",
  "Gas burner 2 plates",
  "Sufuria set no. 12-24",
  "Thermos 1.9L",
  "Lotion 400ml",
  "Perfume 100ml (3.4 oz)",
  "Vitamin C 1000mg",
  "Whey 2.27kg",
  "Football size 5",
  "Dumbbells 2 x 5kg",
  "Bicycle 26 inch 21-speed",
  "Toyota key fob 2010-2015",
  "Node.js in Action",
  "Web development with ASP.NET",
  "TikTok ring light 10 inch",
  "WhatsApp bot course",
  "Instagram marketing book",
  "Telegram, the history of the wire",
  "Text books for Form 2",
  "Textbook bundle, F1-F4",
  "Ticket: Blankets & Wine 07.12.2026",
  "Calendar 2027",
  "Diary 2026-2027",
  "Charger 65W 20V 3.25A",
  "Charger 5V/2A",
  "Multimeter DT-830B",
  "Lab coat M/L/XL",
  "Kamusi ya Kiswahili (toleo la 2)",
  "Sifuri hadi tano: kitabu cha watoto",
  "Dot markers for kids",
  "Send-off party dress",
  "Pay phone, vintage",
  "Mpesa stand",
  "Lipa Mdogo Mdogo phone, Nokia C2",
  "Code breaker board game",
  "Clean Code, R. Martin",
  "PIN lock box",
  "50 pcs envelopes",
  "Photocopy paper, 5 reams x 500",
  "DS-7608NI CCTV",
  "Seagate 2TB ST2000DM008",
  "SIM tray for S21",
  "X-box 360",
  "X, a biography of Malcolm X",
];

/** What students call their things, in the demo and in the tests of types. */
const TITLES = [
  ...STUDENT_TITLES.map(({ title }) => title),
  ...Object.values(LISTINGS)
    .flat()
    .map(({ name }) => name),
];

test("names of goods are never taken for contacts", () => {
  const refused = [...GOODS, ...TITLES]
    .flatMap((name) => [name, name.toUpperCase(), name.toLowerCase()])
    .map((name) => [name, nameError(name, "listing")])
    .filter(([, error]) => error !== null);
  expect(refused).toEqual([]);
  expect(GOODS.length).toBeGreaterThan(100);
});

/** Shops and people with figures, dots and words of the net in their names. */
const SHOPS_AND_PEOPLE = [
  "Dot Com Cyber",
  "The Dot Com Shop",
  "Njeri & Co.",
  "Kamau Bros Ltd.",
  "St. Mary's Hostel Shop",
  "Mr. Otieno",
  "J. M. Kariuki",
  "D.J. Kevo",
  "Room 107",
  "Gate 5 Kiosk",
  "24/7 Snacks",
  "254 Kicks",
  "Kiosk 4B, Juja",
  "Est. 2019 Thrift",
  "Since 2021 Closet",
  "Lipa Polepole Furniture",
  "Pesa Otieno",
  "Tilly's Cakes",
  "Telegraph Books",
  "Number 7 Barber",
  "Seven Eleven Snacks",
  "One Stop Shop",
  "Double Two Fashions",
  "Sita Patel",
  "Tano Foods",
  "Nane Nane Wear",
  "Account-ability Tutors",
  "Text & Tees",
  "Igwe Fabian",
  "Tegan Fabiola",
  "I.G. Kamau",
  "St.Mary Otieno",
  "dr.otieno",
  "Otieno.Jr",
  "Njeri.Kamau",
  "J.kamau",
  "Node.js Tutors",
  "Snapper Fish Bar",
];
test.each(["person", "shop"] satisfies NameKind[])("honest names of a %s are never taken for contacts", (kind) => {
  expect(SHOPS_AND_PEOPLE.filter((name) => nameError(name, kind) === NAME_CONTACT)).toEqual([]);
});

test("a shop may be called after photos", () => {
  for (const name of ["Insta Cuts", "Snap Studio", "FB Fashions", "TG Electronics"])
    expect([name, nameError(name, "shop")]).toEqual([name, null]);
});
