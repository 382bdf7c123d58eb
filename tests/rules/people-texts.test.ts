/**
 * Every text that somebody writes, by who reads it. A name stands in lists, titles and the subjects of our emails, so
 * what isn't fine in one is refused. A longer text keeps what it says, and its readers are warned
 * (tests/workers/text-warnings.test.ts); visitors read no numbers.
 */
import { getTableColumns, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { NAME_RESERVED } from "#app/accounts/trust/name-rules.ts";
import { detailsForm } from "#app/accounts/profile/settings-forms.ts";
import { checkProfile, checkSignUp } from "#app/accounts/login/sign-up-checks.ts";
import type { SignUpValues } from "#app/accounts/login/sign-up-rules.ts";
import { campusForm, typeForm } from "#app/admin/catalogue/catalogue-forms.ts";
import { universityForm } from "#app/admin/people/people-forms.ts";
import { readListingForm } from "#app/catalogue/selling/listing-form-rules.ts";
import { readCategoryName, readListing } from "#app/catalogue/selling/listing-rules.ts";
import * as schema from "#scripts/tables.ts";
import { NAME_CONTACT } from "#app/safety/name-contact-rules.ts";
import { readShop } from "#app/shops/shop-check-rules.ts";
import { shopValues } from "#app/shops/shop-form-rules.ts";

type Readers =
  /** Anybody, also in emails. */
  | "name"
  /** Another name that was given before. */
  | "copy of a name"
  /** Strangers or the other side of a deal, with a warning below it. */
  | "warned"
  /** The other side of a paid deal, who has the phone number, too. */
  | "paid deal"
  /** Who wrote it, and our team. */
  | "own"
  /** Our team writes it. */
  | "team"
  /** Nobody writes it: codes, ids, keys, what a machine answered. */
  | "none";

const READERS: Readonly<Record<Readers, Readonly<Record<string, string>>>> = {
  name: {
    profiles: "fullName campusLocation",
    wholesalerDetails: "businessName",
    shops: "shopName",
    products: "name",
    categories: "name",
    itemTypes: "name plural",
    universityDomains: "name",
    campusLocations: "name",
    meetingPoints: "name",
  },
  "copy of a name": {
    profiles: "searchName",
    orderItems: "productName",
    messages: "senderName recipientName",
    products: "location",
    categories: "nameKey",
    copies: "content",
  },
  warned: {
    products: "description",
    shops: "description businessHours policies preferredContact",
    reviews: "text reply",
    messages: "message",
    meetings: "place",
    orders: "meetingPlace",
    dealEvents: "note",
    problems: "description",
  },
  "paid deal": { orders: "deliveryAddress deliveryInstructions phoneNumber" },
  own: {
    credentials: "email metadata",
    profiles: "email phone payingPhone",
    emailTokens: "email",
    products: "sku",
    savedQueries: "address",
    issueReports: "description",
    reports: "text",
    stolenSerials: "text",
    moderationCases: "appeal",
    verificationDocuments: "fileName",
    wholesalerCodes: "creatorEmail usedBy",
    wholesalerDetails:
      "businessLicenseNumber taxId businessAddress businessPhone businessEmail businessDescription businessWebsite",
    pushSubscriptions: "deviceName",
  },
  team: {
    categories: "description",
    itemTypes: "category",
    itemTypeWords: "word",
    prohibitedTerms: "term",
    issueReports: "outcome notes",
    moderationCases: "statement appealAnswer",
    adminProposals: "input reasons",
    auditLog: "action subject detail",
    discrepancies: "resolution",
    unmatchedLines: "resolution",
    verificationDocuments: "reviewReason",
  },
  none: {
    adminMoves: "act",
    adminProposals: "act subject",
    authenticators: "secret startedBy",
    campusLocations: "closesOn opensOn",
    credentials: "googleSubject issuerSubject",
    loginIssuers: "issuer clientId",
    dealEvents: "reason",
    discrepancies: "subject detail",
    emailTokens: "accountBefore",
    gatheredNews: "kind",
    listingSerials: "ending",
    stolenSerials: "ending",
    serviceFees: "category",
    messages: "thread",
    notifications: "thing",
    orderItems: "priceGroup",
    orders: "receipt",
    outbox: "payload lastError",
    passes: "pass after",
    paymentAttempts: "phone receipt resultCode resultDesc",
    paymentCallbacks: "body sourceAddress",
    payouts: "phone receipt resultCode resultDesc waitDetail",
    probes: "answer",
    products: "category type heldFor",
    pushSubscriptions: "endpoint p256dh auth",
    receiptChecks: "receipt phone detail",
    refunds: "phone receipt resultCode resultDesc waitDetail",
    sellerBuyers: "phone",
    unmatchedLines: "receipt reference reason",
    verificationDocuments: "contentType",
    wholesalerCodes: "code",
  },
};

/** Columns that end so hold what nobody writes. */
const NOBODYS = /(?:Id|Key|Hash|Token|Url)$|^(?:token|key|hash|kind)$/;

test("each text of the database has its readers, once", () => {
  const known = Object.values(READERS).flatMap((tables) =>
    Object.entries(tables).flatMap(([table, columns]) => columns.split(" ").map((column) => `${table}.${column}`)),
  );
  const columns = Object.entries(schema).flatMap(([name, table]) => {
    if (!is(table, SQLiteTable)) return [];
    const ids = new Set(
      getTableConfig(table).foreignKeys.flatMap((key) => key.reference().columns.map(({ name: column }) => column)),
    );
    return Object.entries(getTableColumns(table))
      .filter(
        ([, column]) =>
          column.columnType === "SQLiteText" &&
          (column.enumValues ?? []).length === 0 &&
          !column.primary &&
          !ids.has(column.name),
      )
      .map(([column]) => `${name}.${column}`);
  });
  const isNobodys = (column: string) => NOBODYS.test(column.split(".")[1] ?? "");
  expect(columns.filter((column) => !known.includes(column) && !isNobodys(column))).toEqual([]);
  expect(known.filter((column) => !columns.includes(column))).toEqual([]);
  expect(known.filter((column, at) => known.indexOf(column) !== at)).toEqual([]);
});

const signUp = (values: Partial<SignUpValues>) => {
  const empty = {
    email: "a@campus.test",
    password: "kilimani-7",
    fullName: "Njeri",
    campusLocation: "Main Campus",
    businessName: "Njeri",
    accountType: "wholesaler",
  };
  const texts =
    `phone wholesalerCode businessLicenseNumber taxId businessAddress businessPhone businessEmail businessDescription
    businessWebsite`.split(/\s+/);
  return checkSignUp({ ...Object.fromEntries(texts.map((text) => [text, ""])), ...empty, ...values } as never, true);
};
const issue = (read: { error?: { issues: { path: PropertyKey[]; message: string }[] } }, field: string) =>
  read.error?.issues.find(({ path }) => path[0] === field)?.message;

/** The error of each name, in every form that takes it. */
const FORMS: Readonly<Record<string, readonly ((name: string) => string | undefined)[]>> = {
  "profiles.fullName": [
    (fullName) => signUp({ fullName }).fullName,
    (fullName) => checkProfile({ fullName, phone: "", campusLocation: "Main Campus", isSeller: false }).fullName,
    (fullName) =>
      issue(detailsForm.safeParse({ intent: "details", fullName, phone: "", campusLocation: "" }), "fullName"),
  ],
  "profiles.campusLocation": [
    (campusLocation) => signUp({ campusLocation }).campusLocation,
    (campusLocation) => checkProfile({ fullName: "Njeri", phone: "", campusLocation, isSeller: false }).campusLocation,
    (campusLocation) =>
      issue(
        detailsForm.safeParse({ intent: "details", fullName: "Njeri", phone: "", campusLocation }),
        "campusLocation",
      ),
  ],
  "wholesalerDetails.businessName": [(businessName) => signUp({ businessName }).businessName],
  "shops.shopName": [
    (shopName) => {
      const read = readShop(shopValues({ shopName }));
      return read.ok ? undefined : read.errors.shopName;
    },
  ],
  "products.name": [
    (name) => {
      const form = new FormData();
      form.set("name", name);
      const read = readListing(readListingForm(form));
      return read.ok ? undefined : read.errors.name;
    },
  ],
  "categories.name": [
    (name) => {
      const read = readCategoryName(name);
      return read.ok ? undefined : read.error;
    },
  ],
  "itemTypes.name": [
    (name) => issue(typeForm.safeParse({ intent: "add-type", name, plural: "x", category: "x" }), "name"),
  ],
  "itemTypes.plural": [
    (plural) => issue(typeForm.safeParse({ intent: "add-type", name: "x", plural, category: "x" }), "plural"),
  ],
  "universityDomains.name": [
    (name) => issue(universityForm.safeParse({ intent: "add", name, domain: "uonbi.ac.ke" }), "name"),
  ],
  "campusLocations.name": [(name) => issue(campusForm.safeParse({ intent: "add-campus", id: "1", name }), "name")],
  "meetingPoints.name": [
    (name) =>
      issue(campusForm.safeParse({ intent: "add-point", id: "1", name, opensAt: "08:00", closesAt: "18:00" }), "name"),
  ],
};

test("each form that takes a name refuses a way to pay, a contact and somebody else's name, beside the field", () => {
  const names = Object.entries(READERS.name).flatMap(([table, columns]) =>
    columns.split(" ").map((column) => `${table}.${column}`),
  );
  expect(Object.keys(FORMS).toSorted()).toEqual(names.toSorted());
  for (const [column, forms] of Object.entries(FORMS))
    for (const errorOf of forms) {
      expect([column, errorOf("Njeri till 5112345")]).toEqual([column, NAME_CONTACT]);
      expect([column, errorOf("Njeri wa.me/254712345678")]).toEqual([column, NAME_CONTACT]);
      expect([column, errorOf("Safaricom Support")]).toEqual([column, NAME_RESERVED]);
      expect([column, errorOf("Njeri Gate")]).toEqual([column, undefined]);
    }
});
