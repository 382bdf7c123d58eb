import { type FormEvent, useId, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import type { ResultCount } from "#app/catalogue/browse/browse.server.ts";
import {
  chosenPath,
  clearText,
  type FilterFact,
  hasNone,
  type ListFilters,
  type ListPlace,
  listPath,
  NO_LIST_FILTERS,
  SWITCH_LABELS,
} from "#app/catalogue/browse/list-filters.ts";
import { kindOf, LIST_SORTS, type ListKind, sortOf } from "#app/catalogue/browse/list-kinds.ts";
import { priceError, readListFilters } from "#app/catalogue/browse/read-list-filters.ts";
import { priceChoices } from "#app/catalogue/browse/price-choices.ts";
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { useJson } from "#app/ui/browser/use-json.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { fillForm } from "#app/ui/forms/fill-control.ts";
import { Select } from "#app/ui/forms/form-fields.tsx";
import { RangeSlider } from "#app/ui/forms/range-slider.tsx";
import { type FieldErrors, useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { formatKes } from "#app/ui/money.ts";
import { useCampuses } from "./use-campuses.ts";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";

export interface FilterFormProps {
  list: ListPlace;
  /** What the list is limited to now. */
  filters: ListFilters;
  /** The facts of its things. */
  facts: readonly FilterFact[];
  /** Prices as somebody typed them, where one can't be read. */
  unreadable?: Ends | null;
  /** KES: what the first results cost. */
  prices?: readonly number[];
  /** Called once they are applied. */
  onDone?: () => void;
  /** Called with what the fields say, after each change, where they are applied without a button. */
  onChange?: (chosen: ListFilters) => void;
}

/** The ends of the price as they were typed. */
type Ends = Record<"min" | "max", string>;

/** The fields have the names of the address's parameters, so that without scripts the form leads to the same list. */
export function FilterForm({ list, filters, facts, unreadable, prices = [], onDone, onChange }: FilterFormProps) {
  const navigate = useNavigate();
  const kind = kindOf(list);
  const campuses = useCampuses();
  const errors = useFieldErrors(useMemo(() => unreadable && errorsOf(unreadable), [unreadable]));
  const results = useResultCount();
  const isOneSellers = list.sellerId !== undefined;
  const read = (form: HTMLFormElement) => readForm(form, kind, facts);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { chosen, typed } = read(event.currentTarget);
    const found = errorsOf(typed);
    if (Object.keys(found).length > 0) return errors.show(found);
    onDone?.();
    void navigate(chosenPath(list, chosen), { preventScrollReset: true });
  }

  const clear = (
    <LinkButton to={listPath(list, NO_LIST_FILTERS)} variant="soft" preventScrollReset onClick={() => onDone?.()}>
      {clearText(list)}
    </LinkButton>
  );
  const apply = <Button type="submit">{kind.apply(results.text)}</Button>;

  return (
    <form
      {...errors.form}
      className="filter-form"
      action={list.path}
      aria-label="Filters"
      noValidate
      onChange={({ currentTarget }) => {
        const { chosen, typed } = read(currentTarget);
        if (onChange) onChange(chosen);
        else results.ask(Object.keys(errorsOf(typed)).length > 0 ? null : countPath(list, chosen));
      }}
      onSubmit={submit}
    >
      {list.words !== "" && <input type="hidden" name="q" value={list.words} />}
      {filters.type !== null && <input type="hidden" name="type" value={filters.type} />}
      <Field label="Sort by">
        <Select name="sort" defaultValue={sortOf(filters, kind)}>
          {kind.sorts.map((sort) => (
            <option key={sort} value={sort}>
              {LIST_SORTS[sort]}
            </option>
          ))}
        </Select>
      </Field>
      <Price kind={kind} filters={filters} unreadable={unreadable} errors={errors} prices={prices} />
      <Facts facts={facts} filters={filters} />
      <Ticks legend="Condition" name="condition" choices={CONDITION_CHOICES} chosen={filters.conditions} />
      {!isOneSellers && (
        <Ticks
          legend="Campus"
          name="campus"
          choices={campuses.map((name) => ({ value: name, label: name }))}
          chosen={filters.campuses}
        />
      )}
      <Seller filters={filters} isOneSellers={isOneSellers} />
      {onChange ? (
        <>
          <Unscripted>{apply}</Unscripted>
          {!hasNone(filters) && clear}
        </>
      ) : (
        <div className="filter-form__actions">
          {clear}
          {apply}
        </div>
      )}
      <LiveRegion text={results.text ?? ""} />
    </form>
  );
}

/** What the fields say now. */
function readForm(form: HTMLFormElement, kind: ListKind, facts: readonly FilterFact[]) {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) params.append(name, String(value));
  return {
    chosen: readListFilters(params, kind, facts),
    typed: { min: params.get("min") ?? "", max: params.get("max") ?? "" },
  };
}

interface PriceProps extends Pick<FilterFormProps, "filters" | "unreadable"> {
  kind: ListKind;
  errors: FieldErrors;
  prices: readonly number[];
}

/** The fields for a lowest and a highest price, or one slider where the things of the list cost about the same. */
function Price({ kind, filters, unreadable, errors, prices }: PriceProps) {
  if (kind.priceStep === null)
    return (
      <PriceFields
        ends={unreadable ?? { min: String(filters.min ?? ""), max: String(filters.max ?? "") }}
        errors={errors}
        prices={prices}
      />
    );
  return (
    <RangeSlider
      legend="Price"
      min={0}
      max={kind.priceMax}
      step={kind.priceStep}
      defaultValue={[filters.min ?? 0, filters.max ?? kind.priceMax]}
      names={["min", "max"]}
      labels={["Lowest price", "Highest price"]}
      format={(amount) => (amount === kind.priceMax ? `${formatKes(amount)}+` : formatKes(amount))}
      error={errors.of("min") ?? errors.of("max")}
    />
  );
}

interface PriceFieldsProps {
  ends: Ends;
  errors: FieldErrors;
  prices: readonly number[];
}

function PriceFields({ ends, errors, prices }: PriceFieldsProps) {
  const choices = priceChoices(prices);
  return (
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
  );
}

function Seller({ filters, isOneSellers }: { filters: ListFilters; isOneSellers: boolean }) {
  return (
    <fieldset className="field">
      <legend className="field__label">Seller</legend>
      <div className="filter-form__ticks">
        {/* What is true of one seller is true of all that they sell. */}
        {SWITCHES.filter((name) => !isOneSellers || name === "wholesale").map((name) => (
          <Tick key={name} name={name} value="1" label={SWITCH_LABELS[name]} isChosen={filters[name]} />
        ))}
      </div>
    </fieldset>
  );
}

interface ChoicesProps {
  /** The parameter of the address. */
  name: string;
  choices: FilterFact["choices"];
  chosen: readonly string[];
}

function Facts({ facts, filters }: Pick<FilterFormProps, "facts" | "filters">) {
  if (facts.length === 0) return null;
  return (
    <div>
      {facts.map(({ id, label, choices }) => (
        <FactTicks key={id} label={label} name={id} choices={choices} chosen={filters.facts[id] ?? []} />
      ))}
    </div>
  );
}

/** A fact may have many choices, so they are shown when somebody opens it. */
function FactTicks({ label, ...choices }: ChoicesProps & { label: string }) {
  const [wasChosen] = useState(choices.chosen.length > 0);
  return (
    <details open={wasChosen}>
      <summary className="small filter-form__fact">{label}</summary>
      <div className="filter-form__choices" role="group" aria-label={label}>
        <Choices {...choices} />
      </div>
    </details>
  );
}

function Ticks({ legend, ...choices }: ChoicesProps & { legend: string }) {
  return (
    <fieldset className="field">
      <legend className="field__label">{legend}</legend>
      <div className="filter-form__ticks">
        <Choices {...choices} />
      </div>
    </fieldset>
  );
}

function Choices({ name, choices, chosen }: ChoicesProps) {
  return choices.map(({ value, label }) => (
    <Tick key={value} name={name} value={value} label={label} isChosen={chosen.includes(value)} />
  ));
}

function Tick({ name, value, label, isChosen }: { name: string; value: string; label: string; isChosen: boolean }) {
  return (
    <Checkbox id={useId()} name={name} value={value} defaultChecked={isChosen}>
      {label}
    </Checkbox>
  );
}

const CONDITION_CHOICES = Object.entries(CONDITION_LABELS).map(([value, label]) => ({ value, label }));
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

function errorsOf(typed: Ends): Partial<Ends> {
  const [min, max] = [priceError(typed.min), priceError(typed.max)];
  return { ...(min !== null && { min }), ...(max !== null && { max }) };
}

/** The address that answers how many listings a list with these filters has. */
function countPath(list: ListPlace, filters: ListFilters): string {
  const { sellerId = "", category = "" } = list;
  const [, query] = listPath(list, filters).split("?");
  return `/search/count?${new URLSearchParams({ seller: sellerId, category }).toString()}&${query ?? ""}`;
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
  return { text: text ?? null, ask };
}
