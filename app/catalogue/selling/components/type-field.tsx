import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Category } from "#app/catalogue/browse/browse.server.ts";
import { type FactFieldData, factOfField } from "#app/catalogue/facts/fact-field-rules.ts";
import type { TypeSuggestion } from "#app/catalogue/types/choose-type.ts";
import { useJson } from "#app/ui/browser/use-json.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { fillControl } from "#app/ui/forms/fill-control.ts";
import { NamedOptions, Select } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { FactFields, type FactValues } from "./fact-fields.tsx";
import { MoreFields } from "./more-fields.tsx";

interface TypeFieldProps {
  /** For the values with which the form was opened. */
  first: TypeSuggestion;
  categories: readonly Category[];
  defaultValue: string;
  error: string | undefined;
  onChoose: () => void;
  /** Called with what such a thing usually goes for, in words; null where nobody knows. */
  onGuide: (text: string | null) => void;
  /** What the form, or its draft, holds of facts. */
  factValues: FactValues;
  /** The end of the serial number that the listing has; null for none. */
  serialEnding: string | null;
  /** What was typed, for browsers without scripts. */
  typedSerial: string | undefined;
  errorOf: (field: string) => string | undefined;
}

/** How long typing must pause before we ask what the listing is, in ms. */
const PAUSE_MS = 500;

/**
 * Shows what the listing is, by its name and category, and lets its seller choose something else, with the facts of
 * such a thing. Without scripts, a new listing gets the type of its name when it is saved, and the edit form has the
 * choice.
 */
export function TypeField(props: TypeFieldProps) {
  const { first, categories, defaultValue, error, onChoose, onGuide, factValues, serialEnding, typedSerial, errorOf } =
    props;
  const field = useRef<HTMLSelectElement>(null);
  const [chosen, setChosen] = useState(defaultValue);
  const [isScripted, setIsScripted] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  // The category follows the name, until its seller chooses one.
  const followed = useRef("");
  const { suggestion, isNamed, guide } = useSuggestion(field, { first, chosen, isOpen, followed });
  const { found, groups, facts } = suggestion;
  const names = new Map(groups.flatMap(({ types }) => types.map(({ id, name }) => [id, name] as const)));
  const shown = names.has(chosen) || chosen === "none" ? chosen : "";
  const [changed, setChanged] = useState<FactValues>({});
  const all = { ...factValues, ...changed };

  useEffect(() => {
    const category = field.current?.form?.elements.namedItem("category");
    if (!found || !(category instanceof HTMLSelectElement) || category.value !== followed.current) return;
    if (fillControl(category, found.category)) followed.current = found.category;
  }, [found]);

  useEffect(() => onGuide(guide), [guide, onGuide]);

  // What was chosen before this script ran stays. Without scripts the select comes first in the form, and counts.
  useLayoutEffect(() => {
    setChosen(field.current?.value ?? "");
    setIsScripted(true);
  }, []);

  return (
    <MoreFields
      title="What it is"
      said={wordsOf(names.get(chosen) ?? (chosen === "" ? found?.name : undefined), facts, all)}
      mustOpen={
        error !== undefined ||
        errorOf("serial") !== undefined ||
        facts.some(({ field: fact }) => errorOf(fact) !== undefined)
      }
      hidden={!isNamed && chosen === "" && !error}
    >
      <div className="type-field">
        <p role="status">{sentenceOf(found, chosen, names)}</p>
        <details open={error ? true : undefined} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary className="text-link">{chosen === "" && !found ? "Choose" : "Not right? Change"}</summary>
          <Field label="What is it?" error={error}>
            <Select
              ref={field}
              name={isScripted ? undefined : "type"}
              defaultValue={isScripted ? undefined : defaultValue}
              value={isScripted ? shown : undefined}
              onChange={({ currentTarget }) => {
                setChosen(currentTarget.value);
                onChoose();
              }}
            >
              <option value="">{found ? `${found.name}, as its name says` : "As its name says"}</option>
              {groups.map(({ category, types }) => (
                <optgroup key={category} label={labelOf(category, categories)}>
                  <NamedOptions of={types} />
                </optgroup>
              ))}
              <option value="none">None of these</option>
            </Select>
          </Field>
        </details>
        {/* What scripts send. It also takes a draft whose type isn't among the options yet. */}
        <input hidden name="type" value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)} />
      </div>
      <FactFields
        fields={facts}
        values={all}
        onChange={(fact, value) => setChanged((before) => ({ ...before, [fact]: value }))}
        errorOf={errorOf}
      />
      {suggestion.hasSerial && (
        <Field
          label="IMEI or serial number"
          optional
          error={errorOf("serial")}
          hint={
            serialEnding === null
              ? "Nobody sees it. Your buyer reads its last 4 characters, and a stolen one is found."
              : `It ends in ${serialEnding}. Type another one, or “-” to remove it.`
          }
        >
          <TextField name="serial" autoComplete="off" maxLength={40} defaultValue={typedSerial} />
        </Field>
      )}
    </MoreFields>
  );
}

/** What is known of it, in a few words: "Laptop · HP · 8 GB". */
function wordsOf(type: string | undefined, facts: readonly FactFieldData[], values: FactValues): string {
  const said = facts.flatMap(({ field, said: named, choices }) => {
    const value = values[field];
    if (value === "none") return [];
    return (value ? (choices.find((choice) => choice.value === value)?.label ?? value) : named) ?? [];
  });
  return [...(type ? [type] : []), ...said].join(" · ") || "Choose, so that more buyers find it";
}

function sentenceOf(found: TypeSuggestion["found"], chosen: string, names: ReadonlyMap<string, string>): string {
  if (chosen === "none") return "You chose none of our kinds of things.";
  if (chosen !== "") return names.has(chosen) ? `Listed as ${names.get(chosen)}, as you chose.` : "As you chose.";
  if (found) return `Listed as ${found.name}, because of “${found.because}”.`;
  return "We can't tell from the name what it is. Choose, so that more buyers find it.";
}

function labelOf(category: string | null, categories: readonly Category[]): string {
  if (category === null) return "Closest";
  return categories.find(({ id }) => id === category)?.name ?? "Other";
}

/** What the server says about the name and the category in the form of `field`, and whether there is a name. */
function useSuggestion(
  field: { current: HTMLSelectElement | null },
  {
    first,
    chosen,
    isOpen,
    followed,
  }: { first: TypeSuggestion; chosen: string; isOpen: boolean; followed: { current: string } },
): { suggestion: TypeSuggestion; isNamed: boolean; guide: string | null } {
  const [{ name, category, more }, setListing] = useState({ name: "", category: "", more: "" });
  useEffect(() => {
    const form = field.current?.form;
    let timer: ReturnType<typeof setTimeout>;
    const read = () => {
      const values = form && new FormData(form);
      const inForm = String(values?.get("category") ?? "");
      setListing({
        name: String(values?.get("name") ?? "").trim(),
        // What follows the name says no more than the name.
        category: inForm === followed.current ? "" : inForm,
        more: moreOf(values),
      });
    };
    const readSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(read, PAUSE_MS);
    };
    read();
    form?.addEventListener("input", readSoon);
    return () => {
      clearTimeout(timer);
      form?.removeEventListener("input", readSoon);
    };
  }, [field, followed]);
  const isEdit = first.groups.length > 0;
  const asked = new URLSearchParams({ name, category, own: chosen, ...(isOpen && { all: "" }) });
  const { data } = useJson<TypeSuggestion & { guide: string | null }>(
    name === "" ? null : `/listing-type?${asked}&${more}`,
  );
  return {
    suggestion: data ?? first,
    isNamed: isEdit || (name !== "" && data !== undefined),
    guide: (name !== "" && data?.guide) || null,
  };
}

/** What else changes its price, as a query: whether it is new, and the facts that were chosen. */
function moreOf(form: FormData | null | undefined): string {
  const texts = [...(form ?? [])].filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const said = texts.filter(([field, text]) => field === "condition" || (factOfField(field) !== null && text !== ""));
  return new URLSearchParams(said).toString();
}
