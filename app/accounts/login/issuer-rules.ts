/** Who may vouch for whom, and which addresses we ask: pure rules of logins with an issuer. */

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A name with a dot, which ends with letters. Addresses of IP don't. */
const HOST = new RegExp(`^(?:${LABEL}\\.)+[a-z][a-z0-9-]{0,61}[a-z]$`);
/** Endings that no public host has. */
const PRIVATE = /\.(alt|arpa|corp|example|home|internal|intranet|invalid|lan|local|localhost|onion|private|test)$/;

/** Whether an address is https and names a public host. Our servers ask no other. */
export function isPublicHttps(address: string): boolean {
  const url = parse(address);
  return (
    url !== null &&
    url.protocol === "https:" &&
    url.username === "" &&
    url.password === "" &&
    HOST.test(url.hostname) &&
    !PRIVATE.test(url.hostname)
  );
}

/**
 * Reads an issuer's URL as people paste it: without what stands behind it, and without the path of its discovery
 * document. Null where it is none. A slash at its end may belong to it.
 */
export function readIssuerUrl(typed: string, mayAsk: (url: string) => boolean): string | null {
  const url = typed.trim().replace(/\/\.well-known\/openid-configuration$/, "");
  const parsed = parse(url);
  if (!parsed || parsed.search !== "" || parsed.hash !== "") return null;
  return mayAsk(url) ? url : null;
}

function parse(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** Whether an address is at this domain, or below it. Both lower case. */
export function isAddressAt(domain: string, email: string): boolean {
  return email.endsWith(`@${domain}`) || email.endsWith(`.${domain}`);
}

/**
 * Why an issuer doesn't vouch for an address (lower case); null where it does. A university vouches for its own alone,
 * which its people can't choose. So it needn't say that it has verified them, but it may say that it hasn't.
 */
export function vouchRefusal(
  { domain }: { domain: string | null },
  { email, emailVerified }: { email: string; emailVerified: boolean | null },
): "other_domain" | "unverified" | null {
  if (domain === null) return emailVerified === true ? null : "unverified";
  if (!isAddressAt(domain, email)) return "other_domain";
  return emailVerified === false ? "unverified" : null;
}

/** The secret of the deployment that holds the client secret of a university's login: OIDC_SECRET_UONBI_AC_KE. */
export function secretName(domain: string): `OIDC_SECRET_${string}` {
  return `OIDC_SECRET_${domain.replaceAll("-", "__").replaceAll(".", "_").toUpperCase()}`;
}

/** What somebody reads who comes back from an issuer, or doesn't get there. */
export function issuerTexts({ name, domain }: { name: string; domain: string | null }) {
  return {
    cancelled: `${name} login was cancelled.`,
    failed: "Authentication failed. Please try again.",
    unreachable: `We couldn't reach ${name}. Please try again, or log in with your email.`,
    suspended: "This account can't be used. Please contact support.",
    unverified: `${name} hasn't verified the email of that account. Please log in with your email.`,
    taken: `That email already belongs to an account with a different ${name} login.`,
    other_domain: `That login has no email address at ${domain ?? name}. Please sign up with your email.`,
    moved: `Your account has another email now, so ${name} can't open it. Please log in with your email.`,
    admin: "Admins log in with their password. Please do so, too.",
  } as const;
}

/** For a login that isn't there any more. */
export const NO_ISSUER_TEXT =
  "That login is turned off. Please log in with your email. “Forgot password?” helps where you have none.";
