/** The search for people: pure rules. */
import { searchedNames } from "#app/accounts/trust/person-name-rules.ts";
import { readPhone } from "#app/accounts/profile/phone.ts";

/**
 * The possible meanings of a search for people: the address of a shared search, a phone, or else the beginning of an
 * email, or parts of a name.
 */
export interface PeopleSearch {
  /** The short id of a search that they have shared. Its page says nothing of who they are. */
  sharedSearch: string | null;
  /** 254XXXXXXXXX. */
  phone: string | null;
  /** Lower case. */
  email: string;
  /** Words that the name has (`searchedNames`); empty for an email. */
  names: string[];
}

/** Reads a search for people; null for an empty one. */
export function readPeopleSearch(typed: string): PeopleSearch | null {
  const text = typed.trim().replaceAll(/\s+/g, " ").toLowerCase();
  if (text === "") return null;
  const [, sharedSearch = null] = /(?:^|\/)looking-for\/([0-9a-z]{10})$/.exec(text) ?? [];
  return { sharedSearch, phone: phoneIn(text), email: text, names: text.includes("@") ? [] : searchedNames(text) };
}

/** The phone number, if the text is nothing else. */
export function phoneIn(text: string): string | null {
  const read = /^[\d\s+()-]{9,20}$/.test(text) ? readPhone(text) : null;
  return read?.ok ? read.phone : null;
}
