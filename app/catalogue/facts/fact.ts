import type { ShownFact } from "./fact-field-rules.ts";

/** What is said of a listing beside its name, price and condition: its brand, its size … */
export interface Fact {
  /** A stable code, in lower-case letters: the key in `products.facts`, and the parameter of a list's address. */
  id: string;
  label: string;
  /** One of several choices, or a short text. */
  kind: "choice" | "text";
  /** What its values are counted in, where they are numbers. */
  unit?: "GB";
  /** A value says nothing without the label: "Size 41". */
  needsLabel?: true;
  /**
   * Names of its choices are model lines, too, which say more than the choice: an iPhone is an Apple, but not the other
   * way round.
   */
  namesImply?: true;
  /** Lists can be filtered by it. */
  isFilter: boolean;
  /** What schema.org calls it; null where it has no name for it. */
  property: ShownFact["property"];
  /** Which types of things have it, each with its choices. */
  of: readonly FactOf[];
}

/** A fact as some types of things have it. Shoes have other sizes than dresses. */
export interface FactOf {
  /** Ids of types. Narrower ones are included, unless another entry of the fact names them. */
  types: readonly string[];
  /** In their order. None for a text. */
  choices: readonly FactChoice[];
  find: FindValues;
}

export interface FactChoice {
  /** A stable code, in lower-case letters and digits. */
  value: string;
  /** As shown: "256 GB". */
  label: string;
  /** What else people call it, in lower case. */
  names: readonly string[];
}

/**
 * The values that a text says, and where. `plain` is the folded text, in which the places are; `text` is as it was
 * written.
 */
export type FindValues = (plain: string, choices: readonly FactChoice[], text: (said: Place) => string) => SaidValue[];

export interface Place {
  from: number;
  to: number;
}

export interface SaidValue extends Place {
  value: string;
}

/** Shorthand for lists of choices: "Apple = iphone, ipad; Samsung". */
export function choicesOf(list: string): FactChoice[] {
  return list
    .split(";")
    .map((entry) => entry.split("=").map((part) => part.trim()))
    .filter(([label]) => label)
    .map(([label = "", names = ""]) => ({
      value: codeOf(label),
      label,
      names: names.split(",").flatMap((name) => name.trim() || []),
    }));
}

function codeOf(label: string): string {
  return label
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}
