import { caseRow } from "#app/moderation/table-rows.server.ts";
import { and, eq, isNull, sql } from "drizzle-orm";
import { readCursor } from "#app/catalogue/catalogue-rules.ts";
import { read } from "#app/db/batch.ts";
import { asJson, build, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { reports } from "#app/moderation/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { CASE, type ReportReason } from "#app/db/states/moderation.ts";
import { caseTitle, otherUpheld } from "./case-columns.server.ts";
import { afterInQueue, QUEUE_ORDER } from "./case-queue.server.ts";
import { claimOn } from "#app/team/claims.server.ts";
import { adminCounts, PAGE_SIZE, pageOf, readAdminCounts, toListPage } from "#app/team/admin-pages.server.ts";

type Reads = Pick<Store, "db" | "now">;

/** queue: cases to decide and appeals to answer. done: everything else. */
export type CaseFilter = "queue" | "done";

/** Why a listing of the case is held. Its seller may have deleted it. */
const heldFor = build
  .select({ heldFor: products.heldFor })
  .from(products)
  .where(and(eq(caseRow.subject, "listing"), eq(products.id, caseRow.subjectId), isNull(products.deletedAt)));
const reasons = build
  .select({ reasons: sql`json_group_array(DISTINCT ${reports.reason})` })
  .from(reports)
  .where(eq(reports.caseId, caseRow.id));

/** The photos of the listing that a case is about. */
const photos = build
  .select({ images: products.images })
  .from(products)
  .where(and(eq(caseRow.subject, "listing"), eq(products.id, caseRow.subjectId)));

/** The columns of a `CaseSummary` but its time and pictures. */
export const SUMMARY = {
  id: caseRow.id,
  subject: caseRow.subject,
  title: caseTitle().as("title"),
  reported: profiles.fullName,
  ...pick(caseRow, "state", "decision", "appealGranted", "appealedAt", "harm", "reports"),
  reasons: asJson<ReportReason[]>(sql`${reasons}`).as("reasons"),
  upheld: otherUpheld(caseRow).as("upheld"),
  heldFor: sql<string | null>`${heldFor}`.as("held_for"),
};

/**
 * One page of cases: those that wait for our team with the most harm first, or the others with the latest first. One
 * round trip.
 */
export async function listCases({ db, now }: Reads, viewerId: string, filter: CaseFilter, after: string | null) {
  const at = now();
  const place = readQueuePlace(after);
  const done = pageOf(caseRow.updatedAt, caseRow.id, "newest", readCursor(after));
  const { where, sorted, createdAt } =
    filter === "queue"
      ? {
          where: and(stateIs(caseRow.state, CASE.awaitsTeam), place ? afterInQueue(place) : undefined),
          sorted: QUEUE_ORDER,
          createdAt: caseRow.createdAt,
        }
      : {
          where: and(stateIs(caseRow.state, CASE.isDone), done.beyond),
          sorted: done.sorted,
          createdAt: caseRow.updatedAt,
        };
  const { cases, counts } = await read(db, {
    cases: build
      .select({
        ...SUMMARY,
        createdAt,
        claim: claimOn(sql`'case:' || ${caseRow.id}`, at).as("claim"),
        images: asJson<ProductImage[] | null>(sql`${photos}`).as("images"),
        photoUrl: profiles.photoUrl,
        reportedId: caseRow.reportedId,
      })
      .from(caseRow)
      .leftJoin(profiles, eq(profiles.id, caseRow.reportedId))
      .where(where)
      .orderBy(...sorted)
      .limit(PAGE_SIZE + 1),
    counts: adminCounts(),
  });
  const page = toListPage(
    cases.map(({ images, reportedId, ...row }) => {
      const isConcerned = reportedId === viewerId;
      const shown = { ...row, image: images?.[0] ?? null, isConcerned };
      return isConcerned
        ? { ...shown, title: null, reasons: [], image: null, claim: null, heldFor: null, reports: 0 }
        : shown;
    }),
    filter === "queue" ? ({ harm, createdAt: opened, id }) => `${harm}.${opened}.${id}` : undefined,
  );
  return { ...page, counts: readAdminCounts(counts), now: at };
}

/**
 * `title`: the name of the listing or person, or the words of the review, reply or message; null when it is gone.
 * `upheld`: earlier cases against the same person. `heldFor`: the prohibited term of a held listing. `createdAt`: when
 * it was opened, or for a case that is done, last changed, ms since 1970. `image`: the listing's first photo.
 * `photoUrl`: the face of the person concerned.
 * `isConcerned`: the viewer is that person, who doesn't learn which of their words somebody reported, nor why.
 */
export type CaseSummary = Awaited<ReturnType<typeof listCases>>["rows"][number];

function readQueuePlace(text: string | null): { harm: number; createdAt: number; id: string } | null {
  const place = /^(?<harm>\d{1,6})\.(?<createdAt>\d{1,15})\.(?<id>[0-9a-f-]{32,36})$/.exec(text ?? "");
  const { harm, createdAt, id } = place?.groups ?? {};
  return id ? { harm: Number(harm), createdAt: Number(createdAt), id } : null;
}
