import { Form, Link } from "react-router";
import { FREQUENCIES, FREQUENCY_LABELS } from "#app/catalogue/saved/saved-search-rules.ts";
import type { SavedSearch } from "#app/catalogue/saved/saved-searches.server.ts";
import { Button, IconButton, LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { ShareButton } from "#app/ui/sharing/share-button.tsx";

/** The screen of somebody's saved searches. */
export function SavedList({ searches }: { searches: readonly SavedSearch[] }) {
  if (searches.length === 0)
    return (
      <div className="page">
        <EmptyState
          level={1}
          icon="search"
          title="No Saved Searches"
          sentence="Search for anything and tap “Save this search”. We tell you when somebody lists it."
          action={<LinkButton to="/search">Search</LinkButton>}
        />
      </div>
    );
  return (
    <div className="page page--reading stack">
      <PageHeader title="Saved Searches" lead="We tell you when somebody lists what you look for" />
      <ul className="stack" role="list">
        {searches.map((search) => (
          <li key={search.id} className="card stack stack--tight">
            <SavedRow search={search} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function SavedRow({ search: { id, name, filters, frequency, newCount, shared } }: { search: SavedSearch }) {
  return (
    <>
      <div className="row row--apart">
        <Link className="text-link grow" to={`/saved-searches/${id}`}>
          {name}
          {newCount > 0 && `, ${newCount} new`}
        </Link>
        <Form method="post">
          <input type="hidden" name="id" value={id} />
          <IconButton
            type="submit"
            name="intent"
            value="delete"
            icon="trash-2"
            variant="ghost"
            label={`Delete ${name}`}
          />
        </Form>
      </div>
      {filters.length > 0 && <p className="quiet">{filters.join(", ")}</p>}
      <Form method="post" className="row" aria-label={`When to tell me about ${name}`}>
        <input type="hidden" name="intent" value="frequency" />
        <input type="hidden" name="id" value={id} />
        {FREQUENCIES.map((one) => (
          <button
            key={one}
            type="submit"
            className="chip"
            name="frequency"
            value={one}
            aria-pressed={one === frequency}
          >
            {FREQUENCY_LABELS[one]}
          </button>
        ))}
      </Form>
      <Sharing id={id} name={name} shared={shared} />
    </>
  );
}

/** Asks everybody who has the link whether they have it. */
function Sharing({ id, name, shared }: Pick<SavedSearch, "id" | "name" | "shared">) {
  return (
    <Form method="post" className="stack stack--tight">
      <input type="hidden" name="id" value={id} />
      {shared === null ? (
        <div>
          <Button type="submit" name="intent" value="share" size="small" variant="ghost" icon="share-2">
            Ask Who Has One
            <span className="visually-hidden"> {name}</span>
          </Button>
        </div>
      ) : (
        <>
          <p className="small">Shared: {shared.sentence}</p>
          <div className="row">
            <ShareButton
              size="small"
              shared={{
                name,
                price: null,
                path: shared.path,
                posterPath: null,
                question: `${shared.sentence} Have one?`,
                title: "Share this search",
              }}
            />
            <Button type="submit" name="intent" value="stop" size="small" variant="ghost">
              Stop Sharing
              <span className="visually-hidden"> {name}</span>
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}
