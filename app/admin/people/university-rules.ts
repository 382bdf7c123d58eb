/** Email domains of universities: what admins may add. Pure. */

/** Longer than any university's. */
export const DOMAIN_MAX = 100;

/** As long as any issuer's. */
export const ISSUER_URL_MAX = 200;
export const CLIENT_ID_MAX = 200;

export const DOMAIN_TEXTS = {
  format: "Please enter a domain, such as uonbi.ac.ke",
  public: "Anybody can get an address at this domain, so it doesn't prove that somebody is a student",
  shared: "Many universities share this ending. Please enter the domain of one university.",
  name: "Please enter the university's name",
  listed: "This domain is on the list already",
  added: "University added. Students with a confirmed address there are verified now.",
  has_login: "Remove its login first. Until then, the university stays.",
  removed: "University removed. Addresses there no longer verify students.",
} as const;

export const LOGIN_TEXTS = {
  issuer: "Please enter the issuer's address, which begins with https:// and is public",
  unreachable:
    "We couldn't read this issuer's discovery document. Please compare the address with the “issuer” in that document.",
  client: "Please enter the client id",
  campus: "Please choose a campus from the list",
  listed: "This university has a login already",
  added: "Login added. Its button is on the login and sign-up pages now.",
  on: "Login turned on.",
  off: "Login turned off. Its students log in with their email.",
  removed: "Login removed. Its students log in with their email.",
} as const;

/** Where anybody can get an address. */
const PUBLIC = new Set(
  `aol.com duck.com email.com fastmail.com gmail.com gmx.com gmx.net googlemail.com guerrillamail.com hey.com
  hotmail.co.uk hotmail.com hushmail.com icloud.com inbox.com live.com mac.com mail.com mail.ru mailinator.com me.com
  msn.com outlook.com pm.me proton.me protonmail.com qq.com rediffmail.com rocketmail.com temp-mail.org tuta.io
  tutanota.com yahoo.co.uk yahoo.com yandex.com yandex.ru ymail.com yopmail.com zoho.com zohomail.com`.split(/\s+/),
);

/** Endings under which anybody, or many universities, register their own domains. */
const SHARED = /^(ac|co|edu|go|gov|info|me|mobi|ne|net|or|org|sc|com)\.[a-z]{2}$/;

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+[a-z]{2,24}$`);

export type DomainRefusal = "format" | "public" | "shared";

/**
 * Reads a domain as people type or paste it: "@uonbi.ac.ke", "https://www.uonbi.ac.ke/", or somebody's address there.
 */
export function readDomain(typed: string): { ok: true; domain: string } | { ok: false; code: DomainRefusal } {
  const domain = typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, "")
    .replace(/\/.*$/, "")
    .replace(/^[^@\s]*@/, "")
    .replace(/\.$/, "");
  if (domain.length > DOMAIN_MAX || !DOMAIN.test(domain)) return { ok: false, code: "format" };
  if (SHARED.test(domain)) return { ok: false, code: "shared" };
  const labels = domain.split(".");
  if (labels.some((_, at) => PUBLIC.has(labels.slice(at).join(".")))) return { ok: false, code: "public" };
  return { ok: true, domain };
}
