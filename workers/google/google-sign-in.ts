import * as oauth from "oauth4webapi";
import { z } from "zod";
import { type GoogleIdentity, GoogleRefused, type GoogleSignIn } from "#app/accounts/login/google.ts";

export interface GoogleConfig {
  clientId: string;
  clientSecret: string;
  /** "https://accounts.google.com"; its discovery document names the endpoints. */
  issuer: string;
  /** The redirect address that is registered at Google. */
  redirectUri: string;
}

/** How long the issuer's endpoints and keys are cached, ms. */
const METADATA_LIFE_MS = 60 * 60_000;
const TIMEOUT_MS = 10_000;

/** The cache, by issuer. It lives as long as the isolate. */
const metadata = new Map<string, { server: oauth.AuthorizationServer; readAt: number }>();

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(320),
  email_verified: z.union([z.boolean(), z.stringbool()]).default(false),
  name: z.string().max(300).default(""),
});

/**
 * Google login over OpenID Connect: authorization code with state, nonce and PKCE. An identity token counts only if the
 * issuer signed it for our client id, with our nonce, and it hasn't expired.
 */
export function createGoogleSignIn(config: GoogleConfig, deps: { fetch: typeof fetch; now(): number }): GoogleSignIn {
  const client: oauth.Client = { client_id: config.clientId };
  const options = () => ({
    [oauth.customFetch]: (url: string, init: RequestInit) => deps.fetch(url, init),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });

  async function findServer(): Promise<oauth.AuthorizationServer> {
    const known = metadata.get(config.issuer);
    if (known && deps.now() - known.readAt < METADATA_LIFE_MS) return known.server;
    const issuer = new URL(config.issuer);
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options()));
    metadata.set(config.issuer, { server, readAt: deps.now() });
    return server;
  }

  return {
    async start() {
      const server = await findServer();
      if (!server.authorization_endpoint) throw new Error("the issuer names no authorization endpoint");
      const pending = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        codeVerifier: oauth.generateRandomCodeVerifier(),
      };
      const url = new URL(server.authorization_endpoint);
      const parameters = {
        client_id: config.clientId,
        redirect_uri: config.redirectUri,
        response_type: "code",
        scope: "openid email profile",
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: "S256",
        prompt: "select_account",
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, pending };
    },

    async finish(callback, pending) {
      const server = await findServer();
      try {
        const parameters = oauth.validateAuthResponse(server, client, callback, pending.state);
        const secret = oauth.ClientSecretPost(config.clientSecret);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          secret,
          parameters,
          config.redirectUri,
          pending.codeVerifier,
          options(),
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: pending.nonce,
          requireIdToken: true,
        });
        await oauth.validateApplicationLevelSignature(server, response, options());
        return identityOf(oauth.getValidatedIdTokenClaims(tokens));
      } catch (error) {
        throw refusalOf(error);
      }
    },
  };
}

function identityOf(claims: oauth.IDToken | undefined): GoogleIdentity {
  const { sub, email, email_verified, name } = claimsSchema.parse(claims);
  return { subject: sub, email, emailVerified: email_verified, name };
}

/** Passes a lost connection on. Any other failure means that Google has not identified anybody. */
function refusalOf(error: unknown): unknown {
  if (error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError")) return error;
  return new GoogleRefused(error instanceof oauth.AuthorizationResponseError && error.error === "access_denied", error);
}
