import "./browse-categories.css";
import { Link } from "react-router";
import { cardSources, type ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { HOME_CATEGORIES, type HomeCategory } from "#app/catalogue/labels.ts";
import { categoryPath } from "#app/catalogue/catalogue-rules.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";

const ICONS: Record<HomeCategory, IconName> = {
  textbooks: "book-open",
  electronics: "laptop",
  stationery: "pencil-ruler",
  "study-materials": "notebook-pen",
};

/** A photo for each category, from its newest listing. */
export type CategoryCovers = Partial<Record<string, ShownImage>>;

/** Cards that lead to the categories most students look for. */
export function BrowseCategories({ covers }: { covers: CategoryCovers }) {
  return (
    <section className="stack browse-categories" aria-labelledby="browse-categories">
      <div className="section-head">
        <h2 id="browse-categories">Browse Categories</h2>
        <Link className="section-head__link" to="/category">
          See All
          <Icon name="chevron-right" size="small" />
        </Link>
      </div>
      <ul className="browse-categories__cards" role="list">
        {HOME_CATEGORIES.map(({ id, name }) => (
          <li key={id}>
            <Link className="browse-categories__card" to={categoryPath(id)}>
              <span className="browse-categories__photo">
                {covers[id] ? (
                  <Photo {...cardSources(covers[id])} alt="" fill flat />
                ) : (
                  <span className="browse-categories__mark">
                    <Icon name={ICONS[id]} size="large" />
                  </span>
                )}
              </span>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
