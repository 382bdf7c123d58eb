import { useEffect, useEffectEvent, useState } from "react";
import { Link, useLocation, useNavigate, useNavigation } from "react-router";
import {
  activeChips,
  type ListFilters,
  listPath,
  type ListPlace,
  NO_LIST_FILTERS,
} from "#app/catalogue/browse/list-filters.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/layers/dialog.tsx";
import { DialogLink } from "#app/ui/layers/dialog-link.tsx";
import { FilterFields } from "./filter-fields.tsx";

interface CategoryFiltersProps {
  /** The category. */
  list: ListPlace;
  filters: ListFilters;
}

/** How long after a change the filters are applied, in ms. */
const PAUSE_MS = 300;

/**
 * The panel next to the products, from 768 px on. It applies changes after a short pause. Without scripts it is a form.
 */
export function FilterPanel({ list, filters }: CategoryFiltersProps) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const [draft, setDraft] = useState<ListFilters | null>(null);
  // The address that this panel has asked for, until one is shown.
  const [asked, setAsked] = useState<string | null>(null);
  const [shown, setShown] = useState(key);
  const path = listPath(list, filters);
  if (shown !== key) {
    setShown(key);
    setAsked(null);
    // Somebody has gone elsewhere, for example back.
    if (path !== asked) setDraft(null);
  }
  // Once applied, the address holds the filters.
  else if (draft && asked === null && listPath(list, draft) === path) setDraft(null);

  const { location: next } = useNavigation();
  const apply = useEffectEvent((chosen: ListFilters) => {
    // Somebody is on the way elsewhere.
    if (next && next.pathname + next.search !== asked) return setDraft(null);
    setAsked(listPath(list, chosen));
    void navigate(listPath(list, chosen));
  });
  useEffect(() => {
    if (!draft) return;
    const timer = setTimeout(() => apply(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);

  return (
    <form className="filters" id="filters" action={list.path} aria-label="Filters">
      <FilterFields id="panel" filters={draft ?? filters} onChange={setDraft} />
      <noscript>
        <Button type="submit" wide>
          Apply Filters
        </Button>
      </noscript>
      {activeChips(filters).length > 0 && (
        <Link className="text-link filters__reset" to={list.path} onClick={() => setDraft(null)}>
          Reset Filters
        </Link>
      )}
    </form>
  );
}

/** The button that opens the filters' drawer on phones. Without scripts it leads to the panel. */
export function FilterDrawer({ list, filters }: CategoryFiltersProps) {
  const [open, setOpen] = useState(false);
  const count = activeChips(filters).length;
  return (
    <>
      <DialogLink
        to="#filters"
        className="filters-button"
        variant="soft"
        icon="sliders-horizontal"
        onOpen={() => setOpen(true)}
      >
        {count > 0 ? `Filters (${count})` : "Filters"}
      </DialogLink>
      <Dialog open={open} onOpenChange={setOpen} title="Filters">
        <DrawerForm list={list} filters={filters} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function DrawerForm({ list, filters, onDone }: CategoryFiltersProps & { onDone: () => void }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(filters);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
        void navigate(listPath(list, draft));
      }}
    >
      <FilterFields id="drawer" filters={draft} onChange={setDraft} />
      <div className="filters__actions">
        <Button variant="soft" onClick={() => setDraft(NO_LIST_FILTERS)}>
          Reset Filters
        </Button>
        <Button type="submit">Apply Filters</Button>
      </div>
    </form>
  );
}
