import "./catalogue.css";
import { Link } from "react-router";
import { categoryPath } from "#app/catalogue/rules.ts";
import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon-names.ts";

/** The four that everybody studies with (commerce spec §2, home). */
const CATEGORIES: { id: string; name: string; icon: IconName }[] = [
  { id: "textbooks", name: "Textbooks", icon: "book-open" },
  { id: "electronics", name: "Electronics", icon: "laptop" },
  { id: "stationery", name: "Stationery", icon: "pencil-ruler" },
  { id: "study-materials", name: "Study Materials", icon: "notebook-pen" },
];

/** Cards that lead to categories. */
export function BrowseCategories() {
  return (
    <section className="stack browse-categories" aria-labelledby="browse-categories">
      <h2 id="browse-categories">Browse Categories</h2>
      <ul className="browse-categories__cards" role="list">
        {CATEGORIES.map(({ id, name, icon }) => (
          <li key={id}>
            <Link className="browse-categories__card" to={categoryPath(id)}>
              <span className="browse-categories__mark">
                <Icon name={icon} size="large" />
              </span>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
