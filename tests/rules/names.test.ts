import fc from "fast-check";
import { expect, test } from "vitest";
import { NAME_RESERVED, NAME_SCRIPTS, nameError } from "#app/accounts/name-rules.ts";
import { campusForm, universityForm } from "#app/admin/admin-forms.ts";
import { categoryNameError, listingNameError } from "#app/catalogue/listing-name-rules.ts";
import { readShop, shopValues } from "#app/shops/shop-form-rules.ts";
import { checkProfile, checkSignUp, type SignUpValues } from "#app/accounts/sign-up-rules.ts";
import { settingsForm } from "#app/accounts/settings-forms.ts";

test.each([
  "M-Pesa Support",
  "MPESA",
  "m pesa",
  "M.P.E.S.A",
  "M - P e s a",
  "Mpesa",
  "Ｍ－Ｐｅｓａ",
  "M-P3S4",
  "mp€sa agent",
  "М-Реѕа",
  "M-Pésa",
  "LipaNaMpesa",
  "lipanampesa",
  "Lipa na M_Pesa 24/7",
  "M-PesaSupport",
  "Safaricom",
  "SAFARICOM PLC",
  "Safaric0m",
  "Safarlcom Care",
  "Safari Com",
  "Chuoni",
  "Chuoni Payments",
  "CHU0NI",
  "Chuonl Official",
  "Support",
  "support ",
  "Admin",
  "ADM1N",
  "A dmin Team".replace(" ", ""),
  "Support Team",
  "Customer Care",
  "CustomerCare",
  "Help Desk",
  "Campus Admin",
  "The Refunds Support",
  "Payments Support",
  "Moderator",
  "Deleted user",
  // Other alphabets, small capitals, boxes, flags, mathematical and wide letters.
  "ᴍ-ᴘᴇꜱᴀ",
  "🅼🅿🅴🆂🅰",
  "🇲🇵🇪🇸🇦",
  "𝐌-𝐏𝐞𝐬𝐚",
  "Ｓａｆａｒｉｃｏｍ Ｃａｒｅ",
  "Sаfаriсоm",
  "Ꮪᴀꜰᴀʀɪᴄᴏᴍ",
  "Ｃhuon1",
  "Safaricorn",
  "Ѕuрроrt",
  "ꜱᴜᴘᴘᴏʀᴛ",
  "S u p p o r t",
  "5upp0rt",
  // Roles with any company, and with nothing else.
  "Support Kenya",
  "Equity Support",
  "Jumia Customer Care",
  "Customer Care Line",
  "KCB Helpdesk",
  "Chuoni Admin",
  "Mercy Admin",
  "Support 254",
  "Support 24/7",
  "SupportTeam",
  "supportteam",
  "Official",
  "Official Kenya",
  "Official Payments",
  "Refunds Team",
  "Verification Desk",
  "The Security Team",
  "Payments Nairobi",
  "Huduma kwa wateja",
  "HUDUMA KWA WATEJA KENYA",
  "Airtel huduma ya wateja",
  "Msaada kwa wanafunzi",
  "Malipo rasmi",
  "Safaricom care",
  "M-Pesa Agent",
])("%s isn't allowed as a name", (name) => {
  expect(nameError(name)).toBe(NAME_RESERVED);
});

const REAL = [
  "Wanjiku Kamau",
  "Tom Pesa",
  "Salim Pesa",
  "Pesa Otieno",
  "Akinyi Odhiambo",
  "Kiprono arap Sang",
  "Ng'ang'a Mwangi",
  "Nyong’o Achieng",
  "Mūthoni wa Ngũgĩ",
  "Admiral Ochieng",
  "Hussein Ali Noor",
  "Mpenzi Mpeketoni",
  "Esha M. Salim",
  "Safari Community Tours",
  "Safari Computers",
  "Safari Njema",
  "Chui Onyango",
  "Supporta Wekesa",
  "Mary Adhiambo",
  "Ali Mesa",
  "Teamwork Odera",
  "Official Barber",
  "Student Centre Cyber",
  "Campus Care Products",
  "Verified Vibes Thrift",
  "Mama Mboga Online",
  "Duka la Pesa",
  "Msalaba",
  "Amina Mohamed",
  "Kim Pesach",
  "Jim Pesaka",
  "M. Pendo Saruni",
  "Wholesale 254",
  "Jane 4 Shoes",
  "Otieno Traders Ltd",
  "Kilimani Support Bras",
  "System Force Computers",
  "Ilham Abdi",
  "Simon Chuo",
  "Adminis Wafula",
  "👩‍🍳 Chef Njeri",
  "O",
  "李伟",
  "محمد علي",
  "Ørsted Café",
  "Łukasz Wójcik",
  "Zoë Đặng",
  "Nguyễn Văn An",
  "José Ñandú",
  "François Müller",
  "Иван Петров",
  "Νίκος Παπαδόπουλος",
  "한지민",
  "さくら カフェ",
  "አበበ በቀለ",
  "فاطمة الزهراء",
  "עמית כהן",
  "Abdi-Rahman Noor",
  "Cheptoo Kiplagat",
  "Kimberly Lipana",
  "Adminah Chebet",
  "Mercy Supeyo",
  "Faith Careen",
  "Help Wanjala",
  "Safe Karim",
  "Sarafina Komora",
  "Chuo Nyumbani",
  "Juma Chuoh",
  "Staff Sergeant Omondi",
  "Official Closet KE",
  "Njeri Closet Official",
  "Online Services Cyber",
  "Student Services Shop",
  "Huduma Centre Cyber",
  "Huduma Mitumba",
  "Campus Security Alarms",
  "Verified Thrift KE",
  "Payment Wanyama",
  "Main Campus",
  "City Campus",
  "Upper Kabete Campus",
  "University of Nairobi",
  "JKUAT Juja",
  "254 Kicks",
  "Team 254",
  "D'Souza & Sons",
  "Phone Support Stands",
  "🇰🇪 Made in Kenya",
  "Kenya Online Market",
  "The Campus Marketplace",
];
test.each(REAL)("%s is a name like any other", (name) => {
  expect(nameError(name)).toBeNull();
  expect(nameError(name.toUpperCase())).toBeNull();
});

test.each(["Njеri", "Wаnjiku Kamau", "Pαul Otieno", "Sοko", "Duka lа Mama", "Օtieno"])(
  "%s mixes the letters of two alphabets in a word",
  (name) => {
    expect(nameError(name)).toBe(NAME_SCRIPTS);
    expect(listingNameError(name)).toBe(NAME_SCRIPTS);
    expect(categoryNameError(name)).toBe(NAME_SCRIPTS);
  },
);

test.each([
  "Phone Support Stands",
  "Back support cushion",
  "Knee Support",
  "Safaricom router",
  "M-Pesa lipa sticker stand",
  "100μF capacitor and 5kΩ resistor",
  "T恤 M",
  "Customer service textbook",
  "Admin skirts",
])("%s can be listed", (name) => {
  expect(listingNameError(name)).toBeNull();
});

test.each([
  "M-Pesa Support",
  "Ѕаfаriсоm Саrе",
  "ᴍᴘᴇꜱᴀ refunds",
  "Chuoni verification",
  "Support",
  "Payments Team",
  "5upp0rt Team",
])("%s can't be listed", (name) => {
  expect(listingNameError(name)).not.toBeNull();
});

test("a name of marks alone is none", () => {
  for (const name of ["...", "\u0301", "- -", "\u3164"]) expect([name, nameError(name)]).not.toEqual([name, null]);
});

test("a reserved name stays reserved however it is spaced, cased and pointed, alone or beside other words", () => {
  const spelling = fc
    .constantFrom("mpesa", "safaricom", "chuoni")
    .chain((brand) =>
      fc
        .tuple(
          ...[...brand].map((letter) =>
            fc
              .tuple(fc.boolean(), fc.constantFrom("", "", "-", " ", ".", "_"))
              .map(([upper, gap]) => `${upper ? letter.toUpperCase() : letter}${gap}`),
          ),
        )
        .map((letters) => letters.join("")),
    );
  fc.assert(
    fc.property(
      spelling,
      fc.constantFrom("", "Otieno ", "24/7 "),
      fc.constantFrom("", " Traders", " - Help"),
      (brand, before, after) => nameError(`${before}${brand}${after}`) === NAME_RESERVED,
    ),
  );
});

test("marks that pass for our badge, and characters that hide or turn others, are left out", () => {
  for (const name of ["Otieno ✓", "Otieno ✔️", "✅ Njeri", "M\u200bpesa", "Njeri\u202eofni", "M\u00adpesa", "a\u0000b"])
    expect([name, nameError(name)]).toEqual([name, "Names can't contain check marks or hidden characters"]);
});

test("names are looked at wherever they are given: at sign-up, in the profile, the settings and the shop", () => {
  const reserved = "M-Pesa Support";
  const signUp = {
    accountType: "wholesaler",
    fullName: reserved,
    email: "a@campus.test",
    password: "kilimani-7",
    phone: "",
    campusLocation: "Main Campus",
    businessName: reserved,
  } as SignUpValues;
  for (const field of [
    "wholesalerCode",
    "businessLicenseNumber",
    "taxId",
    "businessAddress",
    "businessPhone",
    "businessEmail",
    "businessDescription",
    "businessWebsite",
  ] as const)
    signUp[field] = "";
  expect(checkSignUp(signUp, true)).toMatchObject({ fullName: NAME_RESERVED, businessName: NAME_RESERVED });
  expect(checkProfile({ fullName: reserved, phone: "", campusLocation: "x", isSeller: false })).toEqual({
    fullName: NAME_RESERVED,
  });
  expect(
    settingsForm.safeParse({ intent: "details", fullName: reserved, phone: "0712345678", campusLocation: "x" }).error
      ?.issues,
  ).toMatchObject([{ path: ["fullName"], message: NAME_RESERVED }]);
  expect(readShop(shopValues({ shopName: reserved }, ""))).toEqual({ ok: false, errors: { shopName: NAME_RESERVED } });
});

const NAMED_BY_ADMINS = {
  university: (name: string) => universityForm.safeParse({ intent: "add", name, domain: "uonbi.ac.ke" }),
  "meeting point": (name: string) =>
    campusForm.safeParse({ intent: "add-point", id: "1", name, opensAt: "08:00", closesAt: "18:00" }),
};

test.each(Object.entries(NAMED_BY_ADMINS))(
  "the name of a %s is looked at, although an admin enters it",
  (_kind, read) => {
    const errorOf = (name: string) => read(name).error?.issues[0]?.message ?? null;
    for (const name of ["M-Pesa Support", "Ѕаfаriсоm Саrе", "Chuoni verification"])
      expect([name, errorOf(name)]).toEqual([name, NAME_RESERVED]);
    for (const name of ["Librаry", "Maktaba kυu"]) expect([name, errorOf(name)]).toEqual([name, NAME_SCRIPTS]);
    for (const name of ["Library ✓", "Lib\u200brary"]) expect(errorOf(name)).toContain("check marks or hidden");
    expect(read("  University  of Nairobi, Main Gate ").data).toMatchObject({
      name: "University of Nairobi, Main Gate",
    });
  },
);

test("a meeting point may be a brand's shop or the office of people who help", () => {
  const errorOf = (name: string) => NAMED_BY_ADMINS["meeting point"](name).error ?? null;
  for (const name of ["Safaricom Shop, Moi Avenue", "Security Office", "Student Centre, Help Desk", "Admin Block"])
    expect([name, errorOf(name)]).toEqual([name, null]);
});
