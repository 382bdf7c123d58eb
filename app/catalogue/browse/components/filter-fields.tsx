import {
  CATEGORY_SORTS,
  type CategorySort,
  categorySort,
  fromCategorySort,
  fromSlider,
  PRICE_MAX,
  PRICE_STEP,
  sliderEnds,
} from "#app/catalogue/browse/category-panel.ts";
import type { ListFilters } from "#app/catalogue/browse/list-filters.ts";
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { formatKes } from "#app/ui/money.ts";
import { RangeSlider } from "#app/ui/forms/range-slider.tsx";
import { Select } from "#app/ui/forms/form-fields.tsx";
import { Ticks } from "./ticks.tsx";

interface FilterFieldsProps {
  /** The prefix of the ids, because the same fields are both next to the products and in the drawer. */
  id: string;
  filters: ListFilters;
  onChange: (filters: ListFilters) => void;
}

const SORTS = Object.keys(CATEGORY_SORTS) as CategorySort[];

/** The filters of a category. The fields have the names of the address's parameters. */
export function FilterFields({ id, filters, onChange }: FilterFieldsProps) {
  return (
    <div className="filters__fields">
      <Field label="Sort by">
        <Select
          name="sort"
          value={categorySort(filters)}
          onChange={(event) => onChange({ ...filters, ...fromCategorySort(event.currentTarget.value as CategorySort) })}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {CATEGORY_SORTS[sort]}
            </option>
          ))}
        </Select>
      </Field>
      <RangeSlider
        legend="Price"
        min={0}
        max={PRICE_MAX}
        step={PRICE_STEP}
        value={sliderEnds(filters)}
        onChange={(ends) => onChange({ ...filters, ...fromSlider(ends) })}
        names={["min", "max"]}
        labels={["Lowest price", "Highest price"]}
        format={(amount) => (amount === PRICE_MAX ? `${formatKes(amount)}+` : formatKes(amount))}
      />
      <Ticks id={id} name="condition" filters={filters} onChange={onChange} />
      <Ticks id={id} name="campus" filters={filters} onChange={onChange} />
      <Checkbox
        id={`${id}-wholesale`}
        name="wholesale"
        value="1"
        checked={filters.wholesale}
        onChange={(event) => onChange({ ...filters, wholesale: event.currentTarget.checked })}
      >
        {`${OWN_LABELS.filters.wholesale} only`}
      </Checkbox>
      <Checkbox
        id={`${id}-verified`}
        name="verified"
        value="1"
        checked={filters.verified}
        onChange={(event) => onChange({ ...filters, verified: event.currentTarget.checked })}
      >
        {`${OWN_LABELS.filters.verified} only`}
      </Checkbox>
    </div>
  );
}
