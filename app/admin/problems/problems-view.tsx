import { Link } from "react-router";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { reviewReason } from "./decision-texts.ts";
import { ageText } from "#app/admin/operations/overview-rules.ts";
import { PROBLEM_LISTS, type ProblemListName } from "./problem-lists.ts";
import type { ProblemSummary } from "./problems.server.ts";
import { ITEM } from "#app/db/states/item.ts";
import { PROBLEM_NAMES } from "#app/deals/problems/problem-rules.ts";
import { ItemBadge } from "#app/orders/components/status-badges.tsx";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminPage, AdminRow, Facts, FilterLinks, Pager } from "#app/team/components/page-parts.tsx";
import { ReportBadge } from "./problem-parts.tsx";

interface ProblemsViewProps {
  rows: ProblemSummary[];
  next: string | null;
  begun: boolean;
  list: ProblemListName;
  counts: AdminCounts;
  /** Ms since 1970. */
  now: number;
}

/** The desk for what is wrong with orders: items whose money we decide, and issue reports. */
export function ProblemsView({ rows, next, begun, list, counts, now }: ProblemsViewProps) {
  return (
    <AdminPage title="Problems" lead="What is wrong with orders. Who waits the longest comes first." counts={counts}>
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
        <ul className="admin__rows" role="list">
          {rows.map((row) => (
            <ProblemRow key={row.id} row={row} now={now} />
          ))}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </AdminPage>
  );
}

function ProblemRow({ row, now }: { row: ProblemSummary; now: number }) {
  const { of, id, text, buyer, seller, orderId, createdAt } = row;
  const isClosed = of === "report" && row.status === "closed";
  return (
    <AdminRow
      head={
        <>
          <Link className="admin__quote admin__link" to={`/admin/problems/${id}`}>
            {text.length > 160 ? `${text.slice(0, 160)}…` : text}
          </Link>
          {of === "item" ? <ItemBadge status={row.status} /> : <ReportBadge isOpen={!isClosed} />}
        </>
      }
    >
      <Facts
        facts={[
          isClosed ? ["Sent", formatDateTime(createdAt)] : ["Waiting", ageText(now - createdAt)],
          ...(of === "item"
            ? ([
                ["Why", ITEM.isInReview(row.status) && reviewReason(row.lastEvent)],
                ["Problem", row.kind && PROBLEM_NAMES[row.kind]],
                ["Money", formatKes(row.subtotal)],
                ["Offered", row.offeredRefund !== null && formatKes(row.offeredRefund)],
              ] as const)
            : ([["Outcome", row.outcome]] as const)),
          ["Buyer", buyer],
          ["Seller", seller],
          ["Order", orderId && shortOrderId(orderId)],
        ]}
      />
    </AdminRow>
  );
}
