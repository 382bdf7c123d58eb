import "./moderation.css";
import { Link } from "react-router";
import { Icon } from "#app/ui/pictures/icon.tsx";

interface ReportLinkProps {
  subject: "listing" | "person";
  id: string;
}

const LABELS = { listing: "Report this listing", person: "Report this seller" } as const;

/** The quiet link to report something to our team, where it is seen. */
export function ReportLink({ subject, id }: ReportLinkProps) {
  return (
    <Link className="report-link quiet small" to={`/report/${subject}/${id}`}>
      <Icon name="flag" size="small" />
      {LABELS[subject]}
    </Link>
  );
}
