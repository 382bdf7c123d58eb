import { useContext } from "react";
import { Link } from "react-router";
import { SECOND_ADMIN_ABOVE } from "./second-admin-rules.ts";
import { mayDo, rolesFor, ROLE_NAMES } from "#app/team/role-rules.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import { ACT_TITLES, subjectPage } from "./proposal-texts.ts";
import type { ProposalRow, ProposalsPage } from "./proposals.server.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminForm } from "#app/team/components/admin-form.tsx";
import { AdminContext } from "#app/team/components/admin-context.ts";
import { AdminPage, AdminRow, Facts } from "#app/team/components/page-parts.tsx";

interface ProposalsViewProps extends ProposalsPage {
  viewerId: string;
  answer: AdminFormAnswer | null;
}

/** What waits for a second admin. */
export function ProposalsView({ rows, counts, viewerId, answer }: ProposalsViewProps) {
  return (
    <AdminPage
      title="Proposals"
      lead={`More than ${formatKes(SECOND_ADMIN_ABOVE)} moves only when two of us agree.`}
      counts={counts}
    >
      {rows.length === 0 ? (
        <EmptyState icon="circle-check" title="Nothing to confirm" />
      ) : (
        <ul className="admin__rows" role="list">
          {rows.map((row) => (
            <Proposal key={row.id} row={row} isOwn={row.adminId === viewerId} answer={answer} />
          ))}
        </ul>
      )}
    </AdminPage>
  );
}

function Proposal({ row, isOwn, answer }: { row: ProposalRow; isOwn: boolean; answer: AdminFormAnswer | null }) {
  const isEnd = row.act === "deals_ended";
  const mayDecide = mayDo(useContext(AdminContext).role, row.act);
  return (
    <AdminRow
      head={
        <>
          <h2 className="admin__title">{ACT_TITLES[row.act]}</h2>
          <StatusBadge tone={row.isGood ? "orange" : "gray"}>{row.isGood ? "Waiting" : "Out of date"}</StatusBadge>
        </>
      }
    >
      <Facts
        facts={[
          ["Moves", row.isGood ? formatKes(row.amountNow) : formatKes(row.amount)],
          [row.act === "team_split" ? "Part" : "Receipt", row.detail],
          ["People", row.people.join(", ")],
          ["Proposed", `${formatDateTime(row.createdAt)} by ${row.adminName}`],
        ]}
      />
      {row.reasons !== "" && <p className="admin__quote">{row.reasons}</p>}
      {mayDecide && (
        <Link className="text-link small" to={subjectPage(row.subject)}>
          Read everything about it
        </Link>
      )}
      {row.isGood && newsOf(row) !== "" && <p className="small">{newsOf(row)}</p>}
      {row.isGood && !mayDecide && <p className="small">Another role confirms this: {rolesOf(row.act)}.</p>}
      {!row.isGood && <p className="small">Something has changed since, so it can't be confirmed any more.</p>}
      {row.isGood && isOwn && (
        <p className="small">
          {isEnd
            ? "You decided this. The deals wait until another admin confirms that they end. To let them go on, undo your decision."
            : "You proposed this. Another admin must confirm it."}
        </p>
      )}
      <div className="admin__actions">
        {row.isGood && !isOwn && mayDecide && (
          <AdminForm
            subject={row.id}
            intent="confirm"
            values={{
              seenAmount: String(row.amountNow),
              ...(row.changedAt !== null && { changedAt: String(row.changedAt) }),
            }}
            answer={answer}
            label={isEnd ? "End the Deals" : "Confirm"}
            variant="solid"
          />
        )}
        {mayDecide && (!isOwn || !isEnd) && (
          <AdminForm
            subject={row.id}
            intent="decline"
            answer={answer}
            label={isEnd ? "Let the Deals Go On" : isOwn || !row.isGood ? "Remove" : "Decline"}
          />
        )}
      </div>
    </AdminRow>
  );
}

/** What has come since the first admin proposed it; empty for nothing. */
function newsOf({ newReports, isEdited }: ProposalRow): string {
  const reported = newReports === 1 ? "1 new report" : `${newReports} new reports`;
  const what = [newReports > 0 && reported, isEdited && "the listing was changed"].filter(Boolean).join(", and ");
  return what === "" ? "" : `New since it was proposed: ${what}. Read it before you confirm.`;
}

function rolesOf(act: ProposalRow["act"]): string {
  return rolesFor(act)
    .map((role) => ROLE_NAMES[role].toLowerCase())
    .join(" or ");
}
