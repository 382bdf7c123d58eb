import { NewListings } from "#app/catalogue/browse/components/public-list-view.tsx";
import type { PublicListing } from "#app/catalogue/browse/public-listings.server.ts";
import { type LookingFor, lookingSentence, whoLooks } from "#app/catalogue/saved/shared-search-rules.ts";
import { sellPath } from "#app/catalogue/selling/sell-path.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { whatsAppLink } from "#app/ui/sharing/share-texts.ts";

interface SharedSearchViewProps {
  looking: LookingFor;
  /** The search's short id. */
  id: string;
  /** The page's absolute address. */
  url: string;
}

/** Asks who has what somebody looks for, and leads them to the form that lists it. It works without scripts. */
export function SharedSearchView({ looking, id, url }: SharedSearchViewProps) {
  const { thing, price, chips } = looking;
  const question = `${lookingSentence(looking)} Have one?`;
  return (
    <div className="page page--reading stack stack--loose">
      <header className="stack stack--tight">
        <p className="quiet">{whoLooks(looking)}</p>
        <h1>{thing}</h1>
        {(price !== null || chips.length > 0) && (
          <div className="row">
            {price !== null && <strong>{price}</strong>}
            {chips.map((chip) => (
              <Chip key={chip}>{chip}</Chip>
            ))}
          </div>
        )}
      </header>
      <div className="stack">
        <p>
          Have one? List it: the form is filled in already. If it fits, it shows up in their search. The buyer pays by
          M-Pesa, and we hold the money until they have it.
        </p>
        <p className="row">
          <a className={buttonClass({})} href={sellPath(id)}>
            Sell It
          </a>
          <a
            className={buttonClass({ variant: "soft" })}
            href={whatsAppLink({ name: thing, price: null, question }, url)}
            rel="noreferrer"
          >
            Share on WhatsApp
          </a>
        </p>
        <p className="small quiet">
          Is something wrong with this page?{" "}
          <a className="text-link" href={`/help/contact?about=/looking-for/${id}`}>
            Tell our team
          </a>
        </p>
      </div>
    </div>
  );
}

/** In the place of a search that isn't shared. */
export function MissingSearch({ state, listings }: { state: "gone" | "unknown"; listings: readonly PublicListing[] }) {
  return (
    <div className="page stack stack--loose">
      {state === "gone" ? (
        <EmptyState
          level={1}
          icon="search"
          title="Nobody can see this search any more"
          sentence="Have a look at what others are selling."
        />
      ) : (
        <EmptyState
          level={1}
          icon="search-x"
          title="We can't find this page"
          sentence="Please check that you have the whole link. Or have a look at what is new."
        />
      )}
      <NewListings listings={listings} />
    </div>
  );
}
