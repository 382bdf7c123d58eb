/** Which facts a listing has, what its name says of them, and how people read them. Pure. */
import { nameError } from "#app/accounts/trust/name-rules.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { foldText } from "#app/platform/folded-text.ts";
import { FACTS } from "./fact-table.ts";
import {
  type ChosenFacts,
  FACT_MAX,
  type FactField,
  type FactFieldData,
  factField,
  type Facts,
  type ShownFact,
} from "./fact-field-rules.ts";
import type { Fact, FactOf, SaidValue } from "./fact.ts";

/** Chosen instead of a value where the name says something wrong. No choice's value. */
export const NOT_SAID = "none";

/** A fact as things of a certain type have it. */
export interface TypeFact extends Pick<FactOf, "choices" | "find"> {
  fact: Fact;
}

/** The facts that things of a type have, in the order of the table. None where nobody knows the type. */
export function factsOfType(typeId: string | null, table: TypeTable): TypeFact[] {
  const widening = withWider(typeId, table);
  return FACTS.flatMap((fact) => {
    for (const id of widening) {
      const found = fact.of.find(({ types }) => types.includes(id));
      if (found) return [{ fact, choices: found.choices, find: found.find }];
    }
    return [];
  });
}

/** A type and the wider ones that include it, the narrowest first. */
function withWider(typeId: string | null, table: TypeTable): string[] {
  const type = typeId === null ? undefined : table.types.get(typeId);
  return type ? [type.id, ...withWider(type.parent ?? null, table)] : [];
}

export interface SaidFact extends SaidValue {
  fact: Fact;
}

/** What a text says of the facts of these types, and where; of every type, if `types` is null. */
export function findFacts(text: string, types: readonly string[] | null, table: TypeTable): SaidFact[] {
  const { plain, positions } = foldText(text);
  const written = ({ from, to }: { from: number; to: number }) => text.slice(positions[from], positions[to]);
  const own = types?.flatMap((type) => factsOfType(type, table));
  const facts = own ?? FACTS.flatMap((fact) => fact.of.map((of) => ({ fact, ...of })));
  // Narrower types share the choices of a wider one.
  const all = [...new Map(facts.map((one) => [one.choices, one])).values()];
  const said = all.flatMap(({ fact, choices, find }) =>
    find(plain, choices, written).map(({ value, from, to }) => ({
      fact,
      value,
      from: positions[from] ?? 0,
      to: positions[to] ?? text.length,
    })),
  );
  const isFirst = (one: SaidFact, at: number) =>
    said.findIndex(({ fact, value, from }) => fact === one.fact && value === one.value && from === one.from) === at;
  return said.filter(isFirst);
}

/** What follows comes along with the thing, or says what it is for: "JBL speaker with a Samsung charger". */
const JOINING = /\b(?:with|without|for|plus|free|na|ya)\b/i;

/** Right before a brand, it is that of something else: "charger for Samsung", "with scratched surface". */
const OF_OTHERS = /\b(?:for\s+(?:an?\s+|the\s+|any\s+|your\s+)?|with\s+(?:[\p{L}\d]+\s+)?)$/iu;

/**
 * What the name of a listing says, by the facts of its type. Of several values of one fact, that in the part before
 * "with" or "for" counts; where there are several there, none does.
 */
export function readFacts(name: string, typeId: string | null, table: TypeTable): Facts {
  const said = findFacts(name, typeId === null ? [] : [typeId], table).filter(
    ({ fact, from }) => !fact.namesImply || !OF_OTHERS.test(name.slice(0, from)),
  );
  const joining = JOINING.exec(name)?.index ?? name.length;
  const read = FACTS.flatMap(({ id }) => {
    const values = said.filter(({ fact }) => fact.id === id);
    const first = values.filter(({ from }) => from < joining);
    const [value, ...others] = new Set((first.length > 0 ? first : values).map((one) => one.value));
    return value === undefined || value === "" || others.length > 0 ? [] : [[id, value] as const];
  });
  return Object.fromEntries(read);
}

/** The keys in the order of the table, so that the same facts are the same text. Those of no fact are left out. */
export function inTableOrder<Value>(values: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(FACTS.flatMap(({ id }) => (id in values ? [[id, values[id] as Value]] : [])));
}

/** The facts of a listing: what its seller chose, or else what its name says. */
export function listingFacts(
  listing: { name: string; type: string | null },
  chosen: ChosenFacts,
  table: TypeTable,
): Facts {
  const own = factsOfType(listing.type, table).flatMap(({ fact: { id, kind }, choices }) => {
    const value = chosen[id];
    const isFitting = value == null || kind === "text" || choices.some((choice) => choice.value === value);
    return value === undefined || !isFitting ? [] : [[id, value] as const];
  });
  const all = { ...readFacts(listing.name, listing.type, table), ...Object.fromEntries(own) };
  const said = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return inTableOrder(Object.fromEntries(said));
}

/** The columns of a listing for its facts. `chosen`: those of other types are left out. */
export function factColumns(
  listing: { name: string; type: string | null },
  chosen: ChosenFacts,
  table: TypeTable,
): { facts: Facts; factsChosen: ChosenFacts } {
  const ids = factsOfType(listing.type, table).map(({ fact }) => fact.id);
  const own = Object.entries(chosen).filter(([id]) => ids.includes(id));
  return { facts: listingFacts(listing, chosen, table), factsChosen: inTableOrder(Object.fromEntries(own)) };
}

type ChosenReading = { ok: true; chosen: ChosenFacts } | { ok: false; errors: Record<string, string> };

/**
 * What a seller chose or wrote, by fact, as texts that are tidied: choices by value, label or name. Empty texts are
 * left out, and so are facts that the type doesn't have: their fields aren't in the form. Returns the error of each
 * fact otherwise.
 */
export function readChosen(typed: Facts, type: string | null, table: TypeTable): ChosenReading {
  const [chosen, errors]: [Record<string, string | null>, Record<string, string>] = [{}, {}];
  for (const typeFact of factsOfType(type, table)) {
    const { id } = typeFact.fact;
    const text = typed[id] ?? "";
    if (text === "") continue;
    const refused = isNotSaid(text) ? null : textError(text);
    const value = refused === null ? valueOf(text, typeFact) : false;
    if (value === false) errors[id] = refused ?? errorText(text, typeFact);
    else chosen[id] = value;
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, chosen };
}

/** What is wrong with a text, by the rules of a listing's name. */
function textError(text: string): string | null {
  return [...text].length > FACT_MAX ? `Please use at most ${FACT_MAX} characters` : nameError(text, "listing");
}

/** False for a text that is none of the choices. */
function valueOf(text: string, { fact: { kind, label }, choices, find }: TypeFact): string | null | false {
  if (isNotSaid(text)) return null;
  const plain = plainOf(text);
  if (kind === "text") {
    // "9th edition" is "9th".
    const [said, ...others] = find(foldText(text).plain, choices, () => text);
    return said && others.length === 0 && said.from === 0 && said.to === text.length ? said.value : text;
  }
  const names = ({ value, label: shown, names: others }: TypeFact["choices"][number]) =>
    [value, shown, ...others].map(plainOf);
  const asked = plain.replace(plainOf(label), "") || plain;
  return choices.find((choice) => names(choice).some((name) => name === plain || name === asked))?.value ?? false;
}

export const NOT_SAID_LABEL = "Not said";

function isNotSaid(text: string): boolean {
  return text === NOT_SAID || /^[-–—]$/.test(text) || text.toLowerCase() === NOT_SAID_LABEL.toLowerCase();
}

function plainOf(text: string): string {
  return foldText(text).plain.replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** How many choices an error names. */
const CHOICES_NAMED = 14;

function errorText(text: string, { fact, choices }: TypeFact): string {
  const labels = choices.slice(0, CHOICES_NAMED).map(({ label }) => label);
  const more = choices.length > labels.length ? " …" : "";
  return `“${text.slice(0, 40)}” isn't a ${fact.label.toLowerCase()} that we know. Leave it empty, or use one of: ${labels.join(", ")}${more}`;
}

/** A value as people read it: "256 GB", "HP". */
export function valueText(fact: Fact, value: string): string {
  if (fact.kind === "text") return value;
  for (const { choices } of fact.of) {
    const choice = choices.find((one) => one.value === value);
    if (choice) return choice.label;
  }
  return value;
}

/** The same where no label stands beside it: "256 GB", "HP", "Size 41". */
export function factText(fact: Fact, value: string): string {
  const text = valueText(fact, value);
  return fact.needsLabel ? `${fact.label} ${text}` : text;
}

/** The facts of a listing for its pages, in the order of the table. What no entry knows is left out. */
export function shownFacts(facts: Facts): ShownFact[] {
  return FACTS.flatMap((fact) => {
    const value = facts[fact.id];
    if (value === undefined) return [];
    const { label, unit = null, property } = fact;
    const text = valueText(fact, value);
    return [{ label, text, value: unit === null ? text : value, unit, property }];
  });
}

/** The fields that the form of such a listing has. */
export function factFields(listing: { name: string; type: string | null }, table: TypeTable): FactFieldData[] {
  const said = readFacts(listing.name, listing.type, table);
  return factsOfType(listing.type, table).map(({ fact, choices }) => {
    const value = said[fact.id];
    return {
      field: factField(fact.id),
      label: fact.label,
      kind: fact.kind,
      said: value === undefined ? null : valueText(fact, value),
      choices: choices.map((choice) => ({ value: choice.value, label: choice.label })),
    };
  });
}

/** What the form of a listing holds in the fields of facts: empty where the name says it. */
export function chosenValues(chosen: ChosenFacts): Record<FactField, string> {
  return Object.fromEntries(
    FACTS.map(({ id }) => [factField(id), chosen[id] === undefined ? "" : (chosen[id] ?? NOT_SAID)]),
  );
}

/** What such a field holds, in words. */
export function chosenText(id: string, held: string): string {
  if (held === "") return "what its name says";
  const fact = FACTS.find((one) => one.id === id);
  return held === NOT_SAID || !fact ? NOT_SAID_LABEL.toLowerCase() : valueText(fact, held);
}

/** The word by which the index of searches knows a value of a choice: "memory8", "size41". */
export function factWord({ id }: Pick<Fact, "id">, value: string): string {
  return id + value;
}
