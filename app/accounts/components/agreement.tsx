import { MIN_AGE } from "#app/accounts/login/account-rules.ts";
import { TextLink } from "#app/ui/text-link.tsx";

/**
 * What somebody says and agrees to by making an account. Who came by an issuer reads it where they complete their
 * profile.
 */
export function Agreement({ by }: { by: string }) {
  return (
    <p className="quiet small">
      By {by} you say that you are {MIN_AGE} or older, and you agree to the{" "}
      <TextLink to="/terms">Terms of Service</TextLink> and the <TextLink to="/privacy">Privacy Policy</TextLink>.
    </p>
  );
}
