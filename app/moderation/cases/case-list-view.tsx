import type { ReactNode } from "react";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { reasonsOf, titleOf } from "./case-summary.ts";
import { caseStatus, SUBJECT_LABELS } from "./case-texts.ts";
import type { CaseFilter, CaseSummary } from "./list-cases.server.ts";
import { ageText } from "#app/team/age-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Badge } from "#app/ui/label-badge.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { ClaimBadge } from "#app/team/components/claim-part.tsx";
import { Desk, DeskRow } from "#app/team/components/desk.tsx";
import { FilterLinks, Pager } from "#app/team/components/page-parts.tsx";

interface ModerationViewProps {
  rows: CaseSummary[];
  next: string | null;
  begun: boolean;
  filter: CaseFilter;
  counts: AdminCounts;
  /** Ms since 1970. */
  now: number;
  /** The opened case. */
  open: ReactNode;
}

/** The queue of reported and held things, and the cases that are done, with the opened one beside them. */
export function ModerationView({ rows, next, begun, filter, counts, now, open }: ModerationViewProps) {
  return (
    <Desk
      title="Moderation"
      lead="What people reported, and listings that we held. The most harmful come first."
      counts={counts}
      open={open}
      hint="Choose a case."
      keys="J and K go through the list, and 1 to 4 decide"
    >
      <FilterLinks
        label="Cases"
        name="show"
        current={filter}
        choices={[
          { value: "queue", label: "To decide", count: counts.moderation },
          { value: "done", label: "Decided" },
        ]}
      />
      {rows.length === 0 ? (
        <EmptyState
          icon="circle-check"
          title={filter === "queue" ? "Nothing to decide" : "No decided cases"}
          sentence={filter === "queue" ? "New reports, held listings and appeals appear here." : undefined}
        />
      ) : (
        <ul role="list">
          {rows.map((row) => (
            <CaseRow key={row.id} row={row} time={timeOf(row)} />
          ))}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </Desk>
  );

  function timeOf({ createdAt }: CaseSummary): string {
    return filter === "done" ? formatDateTime(createdAt) : `Waits ${ageText(now - createdAt)}`;
  }
}

function CaseRow({ row, time }: { row: CaseSummary; time: string }) {
  const status = caseStatus(row);
  const { subject, reported, photoUrl, reports, upheld } = row;
  return (
    <DeskRow
      to={`/admin/moderation/${row.id}`}
      title={row.isConcerned ? "About you: another admin decides it" : titleOf(row)}
      image={row.image}
      person={subject === "listing" ? undefined : { name: reported, photoUrl }}
      why={reasonsOf(row)}
      facts={[
        subject !== "person" && reported,
        reports > 1 && `${reports} reports`,
        upheld > 0 && `Earlier cases upheld: ${upheld}`,
        time,
      ]}
      badges={
        <>
          <Badge>{SUBJECT_LABELS[subject]}</Badge>
          {row.heldFor !== null && <Badge tone="blue">Held</Badge>}
          <ClaimBadge claim={row.claim} />
          {status.label !== "Open" && <StatusBadge tone={status.tone}>{status.label}</StatusBadge>}
        </>
      }
    />
  );
}
