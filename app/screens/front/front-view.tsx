import "./front.css";
import type { FrontPage } from "#app/catalogue/browse/public-lists.server.ts";
import { PublicCard, PublicCards } from "#app/catalogue/browse/components/public-card.tsx";
import { PublicSearchBox } from "#app/catalogue/search/components/public-search-box.tsx";
import { publicCampusPath, publicCategoryPath } from "#app/public-links.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";

export const FRONT_TITLE = "Buy and sell on your campus";

const PAYING: readonly { icon: IconName; title: string; sentence: string }[] = [
  {
    icon: "smartphone",
    title: "You pay by M-Pesa",
    sentence: "A prompt appears on your phone. Check the amount and enter your PIN.",
  },
  {
    icon: "shield-check",
    title: "We hold your money",
    sentence: "The seller hears that you have paid, and gets nothing yet. Meet on campus, or have it delivered.",
  },
  {
    icon: "package-check",
    title: "You have it, the seller is paid",
    sentence:
      "Show your handover code when you have checked the item. If something is wrong, report it, and the money stays with us.",
  },
];

/**
 * The first page for people without an account: what is for sale, and how paying is protected. It works without
 * scripts.
 */
export function FrontView({ campuses, categories }: FrontPage) {
  return (
    <div className="page front">
      <header className="front__head">
        <h1>{FRONT_TITLE}</h1>
        <p className="front__lead">We hold your money until you have it.</p>
        <JoinLink isMain />
      </header>
      <PublicSearchBox className="row" />
      <nav aria-label="Most used categories">
        <ul className="chip-row front__categories" role="list">
          {categories.map(({ id, name }) => (
            <li key={id}>
              <a className="chip" href={publicCategoryPath(id)}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {campuses.map(({ name, listings }, index) => (
        <Campus key={name} name={name} listings={listings} isFirst={index === 0} />
      ))}
      <section className="front__section" aria-labelledby="paying">
        <h2 id="paying">How paying is protected</h2>
        <ol className="front__steps" role="list">
          {PAYING.map(({ icon, title, sentence }) => (
            <li key={icon} className="front__step">
              <Icon name={icon} size="large" />
              <div>
                <h3>{title}</h3>
                <p className="quiet">{sentence}</p>
              </div>
            </li>
          ))}
        </ol>
        <p>
          <a className="text-link" href="/protection">
            How it works, step by step
          </a>
        </p>
      </section>
      <section className="front__section front__join" aria-labelledby="selling">
        <h2 id="selling">Have something to sell?</h2>
        <p className="quiet">Take a photo and name your price. Students on your campus see it today.</p>
        <JoinLink />
      </section>
    </div>
  );
}

function JoinLink({ isMain }: { isMain?: boolean }) {
  return (
    <p>
      <a className={buttonClass({ variant: isMain ? "solid" : "soft" })} href="/auth/signup">
        Join your campus
      </a>
    </p>
  );
}

function Campus({ name, listings, isFirst }: FrontPage["campuses"][number] & { isFirst: boolean }) {
  const title = `New at ${name}`;
  return (
    <section className="front__section" aria-label={title}>
      <div className="section-head">
        <h2>{title}</h2>
        <a className="section-head__link" href={publicCampusPath(name)} aria-label={`See all at ${name}`}>
          See all
          <Icon name="chevron-right" size="small" />
        </a>
      </div>
      <PublicCards label={title}>
        {listings.map((listing, index) => (
          // The heading says the campus.
          <PublicCard key={listing.id} listing={{ ...listing, location: null }} priority={isFirst && index < 2} />
        ))}
      </PublicCards>
    </section>
  );
}
