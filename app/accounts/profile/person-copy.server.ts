import { isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { CopySource } from "#app/db/copies.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";

/** A person and their shop as they were. */
export interface PersonCopy {
  name: string;
  campus: string | null;
  shopName: string | null;
  description: string | null;
  policies: string | null;
  contact: string | null;
  /** The path of the banner. */
  banner: string | null;
  /** The paths of the photo and of the shop's logo. */
  photo: string | null;
  logo: string | null;
}

const writtenPerson = alias(profiles, "written_person");
const writtenShop = alias(shops, "written_shop");

/** How a person is copied, with their shop. */
export const PERSON_COPY: CopySource<PersonCopy> = {
  kind: "person",
  from: sql`${profiles} written_person LEFT JOIN ${shops} written_shop ON ${writtenShop.id} = ${writtenPerson.id}`,
  id: writtenPerson.id,
  ownerId: writtenPerson.id,
  isLive: isNull(writtenPerson.deletedAt),
  content: {
    name: writtenPerson.fullName,
    campus: writtenPerson.campusLocation,
    shopName: writtenShop.shopName,
    description: writtenShop.description,
    policies: writtenShop.policies,
    contact: writtenShop.preferredContact,
    banner: writtenShop.bannerUrl,
    photo: writtenPerson.photoUrl,
    logo: writtenShop.logoUrl,
  },
  photos: sql`(SELECT json_group_array('img/' || substr(url.value, 12, instr(substr(url.value, 12), '/') - 1))
    FROM json_each(json_array(${writtenShop.bannerUrl}, ${writtenPerson.photoUrl}, ${writtenShop.logoUrl})) url
      WHERE url.value LIKE '/files/img/%')`,
};
