import type { ListFilters } from "#app/catalogue/browse/list-filters.ts";
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { CONDITIONS } from "#app/catalogue/labels.ts";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { useCampuses } from "./use-campuses.ts";

const FILTERS = {
  condition: { legend: "Condition", key: "conditions" },
  campus: { legend: "Campus", key: "campuses" },
} as const;

/** A campus is called by its name. */
const LABELS: Record<string, string> = CONDITION_LABELS;

interface TicksProps {
  /** The prefix of the ids. */
  id: string;
  name: keyof typeof FILTERS;
  filters: ListFilters;
  /** Without it, the form alone knows what is ticked, and shows two beside each other. */
  onChange?: (filters: ListFilters) => void;
}

/** The values of a filter to tick. */
export function Ticks({ id, name, filters, onChange }: TicksProps) {
  const { legend, key } = FILTERS[name];
  const campuses = useCampuses();
  const choices: readonly string[] = name === "campus" ? campuses : CONDITIONS;
  const isChosen = (value: string) => (filters[key] as readonly string[]).includes(value);
  const toggled = (value: string) => choices.filter((one) => isChosen(one) !== (one === value));
  return (
    <fieldset className={onChange ? undefined : "field"}>
      <legend className="field__label">{legend}</legend>
      <div className={onChange ? undefined : "filter-form__ticks"}>
        {choices.map((value) => (
          <Checkbox
            key={value}
            id={`${id}-${name}-${value}`}
            name={name}
            value={value}
            {...(onChange
              ? { checked: isChosen(value), onChange: () => onChange({ ...filters, [key]: toggled(value) }) }
              : { defaultChecked: isChosen(value) })}
          >
            {LABELS[value] ?? value}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}
