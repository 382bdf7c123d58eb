import type { ReactNode } from "react";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { reviewReason } from "./decision-texts.ts";
import { ageText } from "#app/team/age-rules.ts";
import { PROBLEM_LISTS, type ProblemListName } from "./problem-lists.ts";
import type { ProblemSummary } from "./problems.server.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PROBLEM_NAMES } from "#app/deals/problems/problem-rules.ts";
import { ItemBadge } from "#app/orders/components/status-badges.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { FilterLinks, Pager } from "#app/team/components/page-parts.tsx";
import { ClaimBadge } from "#app/team/components/claim-part.tsx";
import { Desk, DeskRow } from "#app/team/components/desk.tsx";
import { ReportBadge } from "./problem-parts.tsx";

interface ProblemsViewProps {
  rows: ProblemSummary[];
  next: string | null;
  begun: boolean;
  list: ProblemListName;
  counts: AdminCounts;
  /** Ms since 1970. */
  now: number;
  /** The opened problem. */
  open: ReactNode;
}

/** The desk for what is wrong with orders: items whose money we decide, and issue reports. */
export function ProblemsView({ rows, next, begun, list, counts, now, open }: ProblemsViewProps) {
  return (
    <Desk
      title="Problems"
      lead="What is wrong with orders. Who waits the longest comes first."
      counts={counts}
      open={open}
      hint="Choose a problem."
      keys="J and K go through the list"
    >
      <FilterLinks
        label="Problems"
        name="show"
        current={list}
        choices={Object.entries(PROBLEM_LISTS).map(([value, { label }]) => ({
          value,
          label,
          count: value === "waiting" ? counts.problems : undefined,
        }))}
      />
      {rows.length === 0 ? (
        <EmptyState icon="circle-check" {...PROBLEM_LISTS[list].none} />
      ) : (
        <ul role="list">
          {rows.map((row) => (
            <ProblemRow key={row.id} row={row} now={now} />
          ))}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </Desk>
  );
}

function ProblemRow({ row, now }: { row: ProblemSummary; now: number }) {
  const { of, id, text, image, buyer, seller, createdAt } = row;
  const isClosed = of === "report" && row.status === "closed";
  const people = [buyer, seller].filter(Boolean).join(" and ");
  return (
    <DeskRow
      to={`/admin/problems/${id}`}
      title={text.length > 160 ? `${text.slice(0, 160)}…` : text}
      image={image}
      why={
        of === "item"
          ? [ITEM.isInReview(row.status) && reviewReason(row.lastEvent), row.kind && PROBLEM_NAMES[row.kind]]
              .filter(Boolean)
              .join(" · ")
          : row.outcome
      }
      facts={[
        of === "item" && formatKes(row.subtotal),
        of === "item" && row.offeredRefund !== null && `${formatKes(row.offeredRefund)} offered`,
        people,
        isClosed ? `Sent ${formatDateTime(createdAt)}` : `Waits ${ageText(now - createdAt)}`,
      ]}
      badges={
        <>
          {of === "item" ? <ItemBadge status={row.status} /> : <ReportBadge isOpen={!isClosed} />}
          <ClaimBadge claim={row.claim} />
        </>
      }
    />
  );
}
