/** What people write, without the characters that nobody sees. Every form, endpoint and file is read with it. */

/** England's flag is a black flag and letters that nobody sees. */
const FLAG = "\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,6}\\u{E007F}";
/** Emoji are joined to one, and get their colour, by characters that nobody sees. */
const IN_EMOJI =
  "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]|\\p{Emoji}\\u{FE0F})\\u{200D}(?=\\p{Extended_Pictographic})|(?<=\\p{Emoji})[\\u{FE0E}\\u{FE0F}]";
/** Words of these scripts are written with them. */
const IN_WORDS = ["Arabic", "Bengali", "Devanagari", "Malayalam", "Sinhala", "Tamil"]
  .map((script) => `(?!\\p{Default_Ignorable_Code_Point})\\p{Script_Extensions=${script}}`)
  .map((letter) => `(?<=${letter})[\\u{200C}\\u{200D}](?=${letter})`)
  .join("|");
/**
 * Control characters but tabs and line breaks, private characters, halves of characters, those that Unicode calls
 * ignorable (zero-width spaces, marks that turn text around, fillers), and the blank of Braille.
 */
const UNSEEN =
  "(?![\\t\\n\\r])\\p{Cc}|\\p{Co}|\\p{Cs}|\\p{Noncharacter_Code_Point}|\\p{Default_Ignorable_Code_Point}|\\u{2800}|[\\u{FFF9}-\\u{FFFB}]";

const KEPT_OR_UNSEEN = new RegExp(`(${FLAG}|${IN_EMOJI}|${IN_WORDS})|${UNSEEN}`, "gu");

/** The text without unseen characters. A text of nothing else is empty. Takes time in proportion to its length. */
export function visibleText(text: string): string {
  return text.replaceAll(KEPT_OR_UNSEEN, (_, kept: string | undefined) => kept ?? "");
}

/** Passwords are compared with what was typed before, so they stay as they are. */
function isSecret(name: string): boolean {
  return /password/i.test(name);
}

/** The form with visible texts. Files stay, with a visible name. */
export function visibleForm(form: FormData): FormData {
  const read = new FormData();
  for (const [name, value] of form)
    if (typeof value === "string") read.append(name, isSecret(name) ? value : visibleText(value));
    else read.append(name, value, visibleText(value.name));
  return read;
}

/** JSON with visible texts, at any depth. */
export function visibleJson(value: unknown): unknown {
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isSecret(name) ? one : visibleJson(one)] as const),
  );
}
