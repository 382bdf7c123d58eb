import "./moderation.css";
import { Link } from "react-router";
import type { CaseSubject } from "#app/db/states/moderation.ts";
import { Icon } from "#app/ui/icon.tsx";

interface ReportLinkProps {
  subject: Exclude<CaseSubject, "message">;
  id: string;
}

const LABELS = { listing: "Report this listing", review: "Report this review", person: "Report this seller" } as const;

/** The quiet link to report something to our team, where it is seen. */
export function ReportLink({ subject, id }: ReportLinkProps) {
  return (
    <Link className="report-link quiet small" to={`/report/${subject}/${id}`}>
      <Icon name="flag" size="small" />
      {LABELS[subject]}
    </Link>
  );
}
