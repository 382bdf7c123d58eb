import { createHash } from "node:crypto";
import { themeScript } from "#app/ui/page/theme.ts";

const themeScriptHash = `'sha256-${createHash("sha256").update(themeScript).digest("base64")}'`;

/**
 * The security headers of every answer. Scripts run only with the answer's nonce. Style attributes are allowed, because
 * React sets them.
 *
 * @param nonce null for a public page. Many visitors get the same copy of it, so a nonce in it would be no secret. Only
 * the script that sets the theme may run there, and its hash allows it.
 */
export function secureHeaders(nonce: string | null, options: { dev: boolean; secure: boolean }): [string, string][] {
  const own = nonce === null ? themeScriptHash : `'self' 'nonce-${nonce}'`;
  const script = options.dev ? "'self' 'unsafe-inline' 'unsafe-eval'" : own;
  const policy = [
    "default-src 'self'",
    `script-src ${script}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${options.dev ? " ws:" : ""}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    // Browsers also apply it to the redirect that follows a form. So a link leads to an issuer's login, and no form.
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  return [
    ["Content-Security-Policy", policy],
    ["X-Content-Type-Options", "nosniff"],
    ["X-Frame-Options", "DENY"],
    ["Referrer-Policy", "strict-origin-when-cross-origin"],
    ["Permissions-Policy", "camera=(self), microphone=(), geolocation=(), payment=(), interest-cohort=()"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ...(options.secure
      ? ([["Strict-Transport-Security", "max-age=31536000; includeSubDomains"]] as [string, string][])
      : []),
  ];
}
