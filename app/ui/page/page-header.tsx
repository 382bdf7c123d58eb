import type { ReactNode } from "react";
import { Link, type To } from "react-router";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";

interface PageHeaderProps {
  title: string;
  lead?: ReactNode;
  /** The link back, above the title. */
  back?: { to: To; label: string };
  /** Next to the title. */
  actions?: ReactNode;
}

/** The screen's one h1, with its link back and its actions. */
export function PageHeader({ title, lead, back, actions }: PageHeaderProps) {
  return (
    <header className="page-header">
      <div className="page-header__words">
        {back && (
          <Link className="page-header__back" to={back.to}>
            <Icon name="arrow-left" size="small" />
            {back.label}
          </Link>
        )}
        <h1>{withWholeAmounts(title)}</h1>
        {lead && <p className="page-header__lead">{withWholeAmounts(lead)}</p>}
      </div>
      {actions && <div className="row">{actions}</div>}
    </header>
  );
}
