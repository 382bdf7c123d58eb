import { type FormEvent, useId, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import type { ResultCount } from "#app/catalogue/browse/browse.server.ts";
import {
  type ListFilters,
  type ListPlace,
  listPath,
  LIST_SORTS,
  type ListSort,
  NO_LIST_FILTERS,
  SWITCH_LABELS,
} from "#app/catalogue/browse/list-filters.ts";
import { priceError, readListFilters } from "#app/catalogue/browse/read-list-filters.ts";
import { priceChoices } from "#app/catalogue/browse/price-choices.ts";
import { useJson } from "#app/ui/browser/use-json.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { fillForm } from "#app/ui/forms/fill-control.ts";
import { Select } from "#app/ui/forms/form-fields.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { Ticks } from "./ticks.tsx";

export interface FilterFormProps {
  list: ListPlace;
  /** What the list is limited to now. */
  filters: ListFilters;
  /** Prices as somebody typed them, where one can't be read. */
  unreadable?: Ends | null;
  /** KES: what the first results cost. */
  prices: readonly number[];
  /** Called once they are applied. */
  onDone?: () => void;
}

/** The ends of the price as they were typed. */
type Ends = Record<"min" | "max", string>;

/** The fields have the names of the address's parameters, so that without scripts the form leads to the same list. */
export function FilterForm({ list, filters, unreadable, prices, onDone }: FilterFormProps) {
  const navigate = useNavigate();
  const id = useId();
  const errors = useFieldErrors(useMemo(() => unreadable && errorsOf(unreadable), [unreadable]));
  const results = useResultCount();
  const ends = unreadable ?? { min: String(filters.min ?? ""), max: String(filters.max ?? "") };
  const choices = priceChoices(prices);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { chosen, typed } = read(event.currentTarget);
    const found = errorsOf(typed);
    if (Object.keys(found).length > 0) return errors.show(found);
    onDone?.();
    void navigate(listPath(list, chosen), { preventScrollReset: true });
  }

  return (
    <form
      {...errors.form}
      className="filter-form filters__fields"
      action={list.path}
      aria-label="Filters"
      noValidate
      onChange={({ currentTarget }) => {
        const { chosen, typed } = read(currentTarget);
        results.ask(Object.keys(errorsOf(typed)).length > 0 ? null : countPath(list, chosen));
      }}
      onSubmit={submit}
    >
      {list.words !== "" && <input type="hidden" name="q" value={list.words} />}
      {filters.type !== null && <input type="hidden" name="type" value={filters.type} />}
      <Field label="Sort by">
        <Select name="sort" defaultValue={filters.sort}>
          {SORTS.filter((sort) => list.words !== "" || sort !== "newest").map((sort) => (
            // Without words the best are the newest.
            <option key={sort} value={sort}>
              {LIST_SORTS[list.words === "" && sort === "best" ? "newest" : sort]}
            </option>
          ))}
        </Select>
      </Field>
      <fieldset className="field">
        <legend className="field__label">Price</legend>
        <div className="filter-form__ends">
          {ENDS.map(([name, label]) => (
            <Field key={name} label={label} error={errors.of(name)}>
              <AmountField name={name} defaultValue={ends[name]} />
            </Field>
          ))}
        </div>
        {choices.length > 0 && (
          <div className="row" role="group" aria-label="Usual prices in KES">
            {choices.map(({ min, max }) => (
              <button
                type="button"
                key={bandLabel(min, max)}
                className="chip"
                onClick={({ currentTarget }) =>
                  currentTarget.form && fillForm(currentTarget.form, { min: String(min ?? ""), max: String(max ?? "") })
                }
              >
                {bandLabel(min, max)}
              </button>
            ))}
          </div>
        )}
      </fieldset>
      <Ticks id={id} name="condition" filters={filters} />
      {list.sellerId === undefined ? (
        <>
          <Ticks id={id} name="campus" filters={filters} />
          <fieldset className="field">
            <legend className="field__label">Seller</legend>
            <div className="filter-form__ticks">
              {SWITCHES.map((name) => (
                <Switch key={name} id={id} name={name} filters={filters} />
              ))}
            </div>
          </fieldset>
        </>
      ) : (
        // What is true of the seller is true of all.
        <Switch id={id} name="wholesale" filters={filters} />
      )}
      <div className="filters__actions">
        <LinkButton to={listPath(list, NO_LIST_FILTERS)} variant="soft" preventScrollReset onClick={() => onDone?.()}>
          Clear all
        </LinkButton>
        <Button type="submit">{results.label}</Button>
      </div>
      <LiveRegion text={results.announcement} />
    </form>
  );
}

function Switch({ id, name, filters }: { id: string; name: keyof typeof SWITCH_LABELS; filters: ListFilters }) {
  return (
    <Checkbox id={`${id}-${name}`} name={name} value="1" defaultChecked={filters[name]}>
      {SWITCH_LABELS[name]}
    </Checkbox>
  );
}

const SORTS = Object.keys(LIST_SORTS) as ListSort[];
const SWITCHES = Object.keys(SWITCH_LABELS) as (keyof typeof SWITCH_LABELS)[];
const ENDS = [
  ["min", "From"],
  ["max", "To"],
] as const;

/** Short, because the fields beside it say the currency. */
function bandLabel(min: number | null, max: number | null): string {
  const [from, to] = [min, max].map((end) => end?.toLocaleString("en"));
  if (to === undefined) return `${from}+`;
  return from === undefined ? `Up to ${to}` : `${from}–${to}`;
}

/** What the fields of the form say now. */
function read(form: HTMLFormElement): { chosen: ListFilters; typed: Ends } {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) params.append(name, String(value));
  return {
    chosen: readListFilters(params),
    typed: { min: params.get("min") ?? "", max: params.get("max") ?? "" },
  };
}

function errorsOf(typed: Ends): Partial<Ends> {
  const [min, max] = [priceError(typed.min), priceError(typed.max)];
  return { ...(min !== null && { min }), ...(max !== null && { max }) };
}

/** The address that answers how many listings a list with these filters has. */
function countPath(list: ListPlace, filters: ListFilters): string {
  const path = listPath({ ...list, path: "/search/count" }, filters);
  if (list.sellerId === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}seller=${list.sellerId}`;
}

/** How long after a change the results are counted, in ms. */
const PAUSE_MS = 300;

/** Counts results once changes pause. `ask(null)`: there is nothing to count. The button never waits for it. */
function useResultCount() {
  const [path, ask] = useState<string | null>(null);
  const { data, isCurrent } = useJson<ResultCount>(path, PAUSE_MS);
  const count = isCurrent ? data : undefined;
  const text =
    count && (count.more ? `${count.shown}+ results` : count.shown === 1 ? "1 result" : `${count.shown} results`);
  return { label: text ? `Show ${text}` : "Show results", announcement: text ?? "", ask };
}
