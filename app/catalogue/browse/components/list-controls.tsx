import "./list-controls.css";
// Of the form, which browsers load later.
import "#app/ui/forms/range-slider.css";
import { type ComponentType, type ReactNode, Suspense, useState } from "react";
import { Link, useLocation } from "react-router";
import {
  activeChips,
  chosenPath,
  clearText,
  type ListPlace,
  listPath,
  NO_LIST_FILTERS,
} from "#app/catalogue/browse/list-filters.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { sayPartMissing } from "#app/ui/feedback/part-missing.tsx";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { DialogLink } from "#app/ui/layers/dialog-link.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { useOwnCampus } from "./use-campuses.ts";
import type { FilterFormProps } from "./filter-form.tsx";

type FilterSheet = typeof import("./filter-sheet.tsx").FilterSheet;

export interface ListControlsProps extends Pick<
  FilterFormProps,
  "list" | "filters" | "facts" | "unreadable" | "prices"
> {
  /** What listings of the type are called, where the filters name one. */
  typeName?: string | null;
  /** What else can be done with the list. */
  children?: ReactNode;
}

/** The parameter that shows the filters within the page, for browsers without scripts. */
const SHOWN = "filters";

/** The form within the page. The server has it at once; browsers load it where an address asks for it. */
const FilterForm: ComponentType<FilterFormProps> = import.meta.env.SSR
  ? (await import("./filter-form.tsx")).FilterForm
  : lazyPart(async () => (await import("./filter-form.tsx")).FilterForm);

/** What is above a list of products: the button of the filters, the switch to the own campus, and what is filtered. */
export function ListControls({ typeName, children, ...form }: ListControlsProps) {
  const { list, filters, facts, unreadable } = form;
  const [Sheet, setSheet] = useState<FilterSheet>();
  const [open, setOpen] = useState(false);
  const own = useOwnCampus();
  const params = new URLSearchParams(useLocation().search);
  const isOwn = own !== null && filters.campuses.length === 1 && filters.campuses[0] === own;
  const chips = activeChips(filters, { typeName, facts }).filter(({ label }) => !isOwn || label !== own);

  async function show() {
    try {
      const loaded = await import("./filter-sheet.tsx");
      setSheet(() => loaded.FilterSheet);
      setOpen(true);
    } catch {
      sayPartMissing();
    }
  }

  return (
    <div className="list-controls">
      <div className="chip-row list-controls__row">
        <DialogLink
          className="list-controls__open"
          to={withParameter(listPath(list, filters), SHOWN, "1")}
          variant="soft"
          size="small"
          icon="sliders-horizontal"
          onOpen={() => void show()}
        >
          {chips.length > 0 ? `Filters (${chips.length})` : "Filters"}
        </DialogLink>
        {list.sellerId === undefined && (
          // Where scripts would show them beside the list.
          <Unscripted>
            <LinkButton
              className="list-controls__plain"
              to={withParameter(listPath(list, filters), SHOWN, "1")}
              variant="soft"
              size="small"
            >
              Filters
            </LinkButton>
          </Unscripted>
        )}
        {children}
        {own !== null && list.sellerId === undefined && (
          <Link
            className="chip"
            to={
              isOwn ? chosenPath(list, { ...filters, campuses: [] }) : listPath(list, { ...filters, campuses: [own] })
            }
            aria-current={isOwn || undefined}
            preventScrollReset
          >
            <Icon name={isOwn ? "check" : "map-pin"} size="small" />
            My campus
          </Link>
        )}
        {chips.map(({ label, without }) => (
          <Link key={label} className="chip" to={listPath(list, without)} aria-current preventScrollReset>
            <span className="visually-hidden">Remove </span>
            {label}
            <Icon name="x" size="small" />
          </Link>
        ))}
        {chips.length > 1 && (
          <Link className="text-link list-controls__clear" to={listPath(list, NO_LIST_FILTERS)} preventScrollReset>
            {clearText(list)}
          </Link>
        )}
      </div>
      {(params.has(SHOWN) || unreadable) && (
        <Suspense>
          <FilterForm key={listPath(list, filters)} {...form} prices={[]} />
        </Suspense>
      )}
      {Sheet && <Sheet {...form} unreadable={null} open={open} onOpenChange={setOpen} />}
    </div>
  );
}

/** What stands where a list would be, if nothing matches its filters. */
export function NoneMatch({ list }: { list: ListPlace }) {
  return (
    <EmptyState
      icon="search-x"
      title="No products found"
      sentence="Nothing matches these filters. Take one off, or clear them all."
      action={<LinkButton to={listPath(list, NO_LIST_FILTERS)}>{clearText(list)}</LinkButton>}
    />
  );
}

function withParameter(path: string, name: string, value: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${name}=${value}`;
}
