/** How people are found by their name: what is kept of it, and what is searched for. */
import { plainLetters } from "#app/platform/folded-text.ts";

/** Letters that Unicode doesn't take apart, as people without such a keyboard write them. */
const SPELLED: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ŧ: "t",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
};

/** Marks between the letters of one name, as in Ng'ang'a and N’Golo. */
const APOSTROPHES = /['`´‘’‛ʹʻʼʽʾʿˈˊˋ′‵＇\uA78C]/gu;

/** A name as searches compare it: small letters without accents and apostrophes, and one space between its words. */
export function foldName(name: string): string {
  return plainLetters(name.replaceAll(APOSTROPHES, ""))
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[øłđðħıŧßæœþ]/gu, (letter) => SPELLED[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The columns of a profile that hold a name. Whoever writes the one writes both. */
export function nameColumns(fullName: string): { fullName: string; searchName: string } {
  return { fullName, searchName: foldName(fullName) };
}

/** The words of a search that a name must all have, in any order; empty if it has none. */
export function searchedNames(typed: string): string[] {
  return [...new Set(foldName(typed).split(" "))].filter((word) => word !== "").slice(0, SEARCHED_MAX);
}

/** Nobody types more names of one person, and each is compared with everybody. */
const SEARCHED_MAX = 6;
