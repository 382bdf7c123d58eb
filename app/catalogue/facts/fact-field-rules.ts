/**
 * The facts of a listing as its form and its row have them. Apart from the table, which is long: no screen's script
 * needs it.
 */

/** The facts of a listing, as `products.facts` has them: the id of each and its value. */
export type Facts = Readonly<Record<string, string>>;

/** What a seller chose (`products.facts_chosen`); null: it isn't said, whatever the name seems to say. */
export type ChosenFacts = Readonly<Record<string, string | null>>;

/** The name of a fact's field, so that it can be no other field's. */
export type FactField = `fact:${string}`;

/** No value is longer. */
export const FACT_MAX = 60;

/** A field of the form as the server describes it, so that the browser needs no table. */
export interface FactFieldData {
  field: FactField;
  label: string;
  kind: "choice" | "text";
  /** What the name says, in words; null if nothing. */
  said: string | null;
  /** None for a text. */
  choices: { value: string; label: string }[];
}

/** A fact as the pages of its listing have it. */
export interface ShownFact {
  label: string;
  text: string;
  /** For search engines: the value without its unit, and what schema.org calls the fact. */
  value: string;
  unit: string | null;
  property: "brand" | "model" | "size" | "color" | "author" | "bookEdition" | null;
}

export function factField(id: string): FactField {
  return `fact:${id}`;
}

/** The id of the fact that a field is of; null for other fields. */
export function factOfField(field: string): string | null {
  return field.startsWith("fact:") ? field.slice("fact:".length) : null;
}
