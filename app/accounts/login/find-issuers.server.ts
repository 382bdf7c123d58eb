import { and, asc, eq, type SQL } from "drizzle-orm";
import type { Database, Logging } from "#app/db/client.ts";
import { campusLocations, loginIssuers, universityDomains } from "#app/accounts/tables.server.ts";
import type { Issuer, Issuers } from "./issuer.ts";

export interface FindIssuerServices {
  db: Database;
  issuers: Pick<Issuers, "google">;
}

/** What the button of an issuer needs. */
export type IssuerChoice = Pick<Issuer, "key" | "name">;

/** Whose buttons the login shows: Google's first, then those of universities by name. */
export async function listIssuers(services: FindIssuerServices & Logging): Promise<IssuerChoice[]> {
  const { google } = services.issuers;
  // The login by email works without them.
  const universities = await universityIssuers(services.db).catch((error: unknown) => {
    services.log({ event: "issuers_failed", level: "error", error: String(error) });
    return [];
  });
  return [...(google ? [google] : []), ...universities].map(({ key, name }) => ({ key, name }));
}

/** The issuer with this key; null where there is none, or it is turned off. */
export async function findIssuer({ db, issuers }: FindIssuerServices, key: string): Promise<Issuer | null> {
  if (issuers.google?.key === key) return issuers.google;
  const [issuer] = await universityIssuers(db, eq(loginIssuers.domain, key));
  return issuer ?? null;
}

/** The logins of universities that are turned on, by the university's name. `only`: those for which this holds. */
export async function universityIssuers(db: Database, only?: SQL): Promise<Issuer[]> {
  const rows = await db
    .select({
      key: loginIssuers.domain,
      url: loginIssuers.issuer,
      clientId: loginIssuers.clientId,
      name: universityDomains.name,
      campus: { id: campusLocations.id, name: campusLocations.name },
    })
    .from(loginIssuers)
    .innerJoin(universityDomains, eq(universityDomains.domain, loginIssuers.domain))
    .leftJoin(campusLocations, eq(campusLocations.id, loginIssuers.campusId))
    .where(and(eq(loginIssuers.isOn, true), only))
    .orderBy(asc(universityDomains.name));
  return rows.map((row) => ({ ...row, domain: row.key }));
}
