import type { ProductImage } from "#app/db/product-image.ts";
import { chanceOf, idOf } from "./chance.ts";
import { CAMPUSES, NEWCOMER, PEOPLE, type PersonName } from "./people.ts";
import { DAY, HOUR, type Row, type Rows } from "./rows.ts";
import type { Pictures } from "./stock.ts";
import { portraitPath } from "#app/catalogue/photos/portraits.ts";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";

export const NAMES = Object.keys(PEOPLE).filter((name): name is PersonName => name in PEOPLE);

/** Students whose ID waits for an admin. */
export const AWAITING: PersonName[] = ["simiyu", "mwakio", "nduku"];

/** Students who have sent no ID. Those with an address at the university are verified by it, and the others are not. */
const WITHOUT_ID: PersonName[] = ["ouma", "barasa", "shiru", "yusuf", "lydia", "mwende", "zawadi", "githinji", "joyce"];

/** The user id of a person on campus. */
export function idOfPerson(name: PersonName): string {
  return idOf(`person ${name}`);
}

/** A student ID in the private bucket, with a key like an upload's. */
export function cardKey(name: PersonName, now: number): string {
  return `verification-documents/${idOfPerson(name)}/${now - 26 * HOUR}-${idOf(`card ${name}`).slice(0, 8)}.png`;
}

/** The pending student IDs, once their pictures are drawn. `sizes` in bytes. */
export function handInCards(now: number, sizes: Map<PersonName, number>): Rows {
  const cards = AWAITING.map((name) => ({
    name,
    key: cardKey(name, now),
    ownerId: idOfPerson(name),
    createdAt: now - 26 * HOUR,
  }));
  return {
    uploads: cards.map(({ key, ownerId, createdAt }) => ({
      key,
      ownerId,
      bucket: "documents",
      attachedAt: createdAt,
      createdAt,
    })),
    verificationDocuments: cards.map(({ name, key, ownerId, createdAt }) => ({
      id: idOf(`document ${name}`),
      userId: ownerId,
      documentType: "student_id",
      documentUrl: key,
      fileName: "student-card.png",
      contentType: "image/png",
      sizeBytes: sizes.get(name) ?? 0,
      createdAt,
    })),
  };
}

/** Accounts, profiles with photos, the wholesaler's documents and access codes. Everybody has the same password. */
export function settlePeople(now: number, passwordHash: string, pictures: Pictures): Rows {
  const residents = NAMES.map((name) => settle(name, now, passwordHash, pictures.portrait(name)));
  return {
    universityDomains: [{ domain: "students.campus.test", name: "Demo University", createdAt: 0 }],
    credentials: [...residents.map(({ credentials }) => credentials), newcomer(now, passwordHash)],
    profiles: residents.map(({ profile }) => profile),
    uploads: residents.map(({ portrait }) => portrait),
    wholesalerDetails: [wholesaler(now)],
    wholesalerCodes: codes(now),
    auditLog: [0, 1].map((at) => ({
      id: idOf(`audit ${at}`),
      actorId: idOfPerson("admin"),
      action: "codes_generated",
      subject: "wholesaler_codes",
      detail: String(at + 1),
      createdAt: now - (90 - 60 * at) * DAY,
    })),
  };
}

function settle(
  name: PersonName,
  now: number,
  passwordHash: string,
  portrait: ProductImage,
): { credentials: Row<"credentials">; profile: Row<"profiles">; portrait: Row<"uploads"> } {
  const { fullName, phone, campus, email, sells } = { sells: false, ...PEOPLE[name] };
  const id = idOfPerson(name);
  const chance = chanceOf(`resident ${name}`);
  const createdAt = now - (100 + chance.below(420)) * DAY - chance.below(24) * HOUR;
  const times = { createdAt, updatedAt: createdAt };
  const campusLocation = CAMPUSES[campus];
  const completedAt = createdAt + 9 * 60_000;
  return {
    portrait: {
      key: portrait.key,
      ownerId: id,
      bucket: "media",
      image: portrait,
      attachedAt: completedAt,
      createdAt: completedAt,
    },
    credentials: {
      id,
      email,
      passwordHash,
      emailConfirmedAt: createdAt + 6 * 60_000,
      metadata: JSON.stringify({ full_name: fullName, phone, campus_location: campusLocation, is_seller: sells }),
      ...times,
    },
    profile: {
      id,
      ...nameColumns(fullName),
      email,
      phone,
      campusLocation,
      campusLocationId: campus,
      accountType: name === "wholesaler" ? "wholesaler" : "student",
      isSeller: sells,
      verificationStatus: [...AWAITING, ...WITHOUT_ID].includes(name) ? "pending" : "approved",
      onboardingCompleted: true,
      profileCompletedAt: completedAt,
      photoUrl: portraitPath(portrait),
      isPro: name === "pro",
      proUntil: name === "pro" ? now + 22 * DAY : null,
      adminRole: name === "admin" ? "owner" : null,
      ...times,
    },
  };
}

function newcomer(now: number, passwordHash: string): Row<"credentials"> {
  const createdAt = now - 2 * HOUR;
  const metadata = JSON.stringify({ full_name: NEWCOMER.fullName });
  return {
    id: idOf("person newcomer"),
    email: NEWCOMER.email,
    passwordHash,
    emailConfirmedAt: createdAt + 4 * 60_000,
    metadata,
    createdAt,
    updatedAt: createdAt,
  };
}

function wholesaler(now: number): Row<"wholesalerDetails"> {
  const createdAt = now - 88 * DAY;
  return {
    userId: idOfPerson("wholesaler"),
    businessName: "Muthoni Stationers Wholesale",
    businessLicenseNumber: "BN-4471902",
    taxId: "P051438826K",
    businessAddress: "Shop 14, University Way Arcade, Nairobi",
    businessPhone: PEOPLE.wholesaler.phone,
    businessEmail: PEOPLE.wholesaler.email,
    businessDescription: "Stationery, calculators and paper for campuses since 2014, by the piece and by the carton.",
    businessWebsite: null,
    verificationStatus: "approved",
    createdAt,
    updatedAt: createdAt + 2 * DAY,
  };
}

function codes(now: number): Row<"wholesalerCodes">[] {
  const issued = { createdBy: idOfPerson("admin"), creatorEmail: PEOPLE.admin.email };
  const used = (code: string, usedBy: string, daysAgo: number) => ({
    id: idOf(`code ${code}`),
    code,
    ...issued,
    isUsed: true,
    usedBy,
    usedAt: now - (daysAgo - 2) * DAY,
    createdAt: now - daysAgo * DAY,
  });
  return [
    used("KARANJA7", PEOPLE.wholesaler.email, 90),
    used("DUKA4BEI", "sokoni.supplies@campus.test", 61),
    { id: idOf("code CAMPUS23"), code: "CAMPUS23", ...issued, createdAt: now - 30 * DAY },
  ];
}
