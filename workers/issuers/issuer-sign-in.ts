import * as oauth from "oauth4webapi";
import { z } from "zod";
import { type Issuer, type IssuerIdentity, IssuerRefused, type IssuerSignIn } from "#app/accounts/login/issuer.ts";
import { readAtMost } from "#app/request/form-data.server.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

export interface IssuerConfig extends Pick<Issuer, "url" | "clientId"> {
  /** Null for a public client. */
  clientSecret: string | null;
  /** The redirect address that is registered at the issuer. */
  redirectUri: string;
}

export interface IssuerDeps {
  fetch: typeof fetch;
  now(): number;
  /** Which addresses we ask. The discovery document of an issuer may name any. */
  mayAsk(url: string): boolean;
}

/** How long the issuer's endpoints and keys are cached, ms. */
const METADATA_LIFE_MS = HOUR_MS;
const TIMEOUT_MS = 10_000;
/** Longer than any issuer's list of keys, bytes. */
const MAX_ANSWER = 512 * 1024;

/** The cache, by issuer. It lives as long as the isolate. */
const metadata = new Map<string, { server: oauth.AuthorizationServer; readAt: number }>();

const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(320),
  email_verified: z.union([z.boolean(), z.stringbool()]).nullable().default(null),
  name: z.string().max(300).default(""),
});

/**
 * Login over OpenID Connect: authorization code with state, nonce and PKCE. An identity token counts only if the issuer
 * signed it for our client id, with our nonce, and it hasn't expired.
 */
export function createIssuerSignIn(config: IssuerConfig, deps: IssuerDeps): IssuerSignIn {
  const client: oauth.Client = { client_id: config.clientId };
  const options = () => ({
    [oauth.customFetch]: (url: string, init: RequestInit) => askIssuer(deps, url, init),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });

  async function findServer(): Promise<oauth.AuthorizationServer> {
    const known = metadata.get(config.url);
    if (known && deps.now() - known.readAt < METADATA_LIFE_MS) return known.server;
    const issuer = new URL(config.url);
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options()));
    metadata.set(config.url, { server, readAt: deps.now() });
    return server;
  }

  /** An issuer may change its keys at any time, and then signs with one that isn't cached. */
  async function checkSignature(server: oauth.AuthorizationServer, response: Response): Promise<void> {
    try {
      await oauth.validateApplicationLevelSignature(server, response, options());
    } catch {
      metadata.delete(config.url);
      await oauth.validateApplicationLevelSignature(await findServer(), response, options());
    }
  }

  /** What the issuer says of the person. Some tell the email only when they are asked for it. */
  async function findClaims(server: oauth.AuthorizationServer, tokens: oauth.TokenEndpointResponse): Promise<unknown> {
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (!claims || claims["email"] !== undefined || !server.userinfo_endpoint) return claims;
    const answer = await oauth.userInfoRequest(server, client, tokens.access_token, options());
    return oauth.processUserInfoResponse(server, client, claims.sub, answer);
  }

  return {
    async start() {
      const server = await findServer();
      if (!server.authorization_endpoint || !deps.mayAsk(server.authorization_endpoint))
        throw new Error("the issuer names no authorization endpoint");
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
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authenticationAt(server, config.clientSecret),
          parameters,
          config.redirectUri,
          pending.codeVerifier,
          options(),
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: pending.nonce,
          requireIdToken: true,
        });
        await checkSignature(server, response);
        return identityOf(await findClaims(server, tokens));
      } catch (error) {
        throw refusalOf(error);
      }
    },
  };
}

/** How we say who we are: by the issuer's own list, else in the way that the standard expects. */
function authenticationAt(server: oauth.AuthorizationServer, secret: string | null): oauth.ClientAuth {
  if (secret === null) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_post") ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** Asks an issuer, and reads no more of its answer than it may have. Redirects aren't followed. */
async function askIssuer({ fetch, mayAsk }: IssuerDeps, url: string, init: RequestInit): Promise<Response> {
  if (!mayAsk(url)) throw new Error("an address of the issuer is no public one with https");
  const answer = await fetch(url, { ...init, redirect: "manual" });
  const body = await readAtMost(answer.body, MAX_ANSWER);
  if (body === null) throw new Error("an answer of the issuer is too long");
  return new Response(body.byteLength === 0 ? null : body, answer);
}

function identityOf(claims: unknown): IssuerIdentity {
  const { sub, email, email_verified, name } = claimsSchema.parse(claims);
  return { subject: sub, email, emailVerified: email_verified, name };
}

/** Passes a lost connection on. Any other failure means that the issuer has not identified anybody. */
function refusalOf(error: unknown): unknown {
  if (error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError")) return error;
  return new IssuerRefused(error instanceof oauth.AuthorizationResponseError && error.error === "access_denied", error);
}
