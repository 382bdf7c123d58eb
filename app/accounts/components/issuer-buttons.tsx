import type { IssuerChoice } from "#app/accounts/login/find-issuers.server.ts";
import { issuerPath, withReturnPath } from "#app/accounts/login/account-rules.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";

/**
 * Each leads to an issuer and back, logged in, to the screen `to`. They are plain links, because they lead to another
 * site, where a form may not (`form-action` in workers/secure-headers.ts).
 */
export function IssuerButtons({ issuers, to = null }: { issuers: readonly IssuerChoice[]; to?: string | null }) {
  return issuers.map(({ key, name }) => (
    <a
      key={key}
      href={withReturnPath(issuerPath(key, "start"), to)}
      rel="nofollow"
      className={buttonClass({ variant: "soft", wide: true })}
    >
      {key === "google" ? <GoogleMark /> : <Icon name="graduation-cap" />}
      Continue with {name}
    </a>
  ));
}

/** Separates the two ways to log in. */
export function OrDivider() {
  return (
    <p className="divider">
      <span>or</span>
    </p>
  );
}

/** Google's own mark in its four colours, as its branding rules ask. */
function GoogleMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92a8.78 8.78 0 0 0 2.68-6.62Z"
      />
      <path
        fill="#34a853"
        d="M9 18a8.6 8.6 0 0 0 5.96-2.18l-2.91-2.26a5.4 5.4 0 0 1-8.09-2.85H.96v2.33A9 9 0 0 0 9 18Z"
      />
      <path fill="#fbbc05" d="M3.96 10.71a5.41 5.41 0 0 1 0-3.42V4.96H.96a9 9 0 0 0 0 8.08l3-2.33Z" />
      <path
        fill="#ea4335"
        d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.58A9 9 0 0 0 .96 4.96l3 2.33A5.36 5.36 0 0 1 9 3.58Z"
      />
    </svg>
  );
}
