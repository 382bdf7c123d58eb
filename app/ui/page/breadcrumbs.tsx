import "./breadcrumbs.css";
import { Link } from "react-router";
import { Icon } from "#app/ui/pictures/icon.tsx";

export interface Crumb {
  name: string;
  path: string;
}

/** The way from the start to this page. `current`: the page's own name. */
export function Breadcrumbs({ crumbs, current }: { crumbs: readonly Crumb[]; current: string }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="breadcrumb" role="list">
        {crumbs.map(({ name, path }, index) => (
          <li key={path}>
            {index > 0 && <Icon name="chevron-right" size="small" />}
            <Link className="breadcrumb__link" to={path}>
              {name}
            </Link>
          </li>
        ))}
        <li>
          <Icon name="chevron-right" size="small" />
          <span aria-current="page">{current}</span>
        </li>
      </ol>
    </nav>
  );
}
