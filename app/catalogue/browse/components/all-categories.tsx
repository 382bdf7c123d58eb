import "./all-categories.css";
import { Link } from "react-router";
import type { CountedCategory } from "#app/catalogue/browse/browse.server.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";

/** Every category to browse, with the number of its listings. */
export function AllCategories({ categories }: { categories: readonly CountedCategory[] }) {
  return (
    <div className="page page--reading stack">
      <PageHeader title="All categories" back={{ to: "/studentmarketplace", label: "Student Marketplace" }} />
      <ul className="all-categories" role="list">
        {categories.map(({ id, name, listings }) => (
          <li key={id}>
            <Link className="all-categories__link" to={categoryPath(id)}>
              {name}
              <span className="quiet small">
                {listings.toLocaleString("en")} {listings === 1 ? "item" : "items"}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
