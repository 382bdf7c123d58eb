/** Asking the whole app for something, as somebody: pages, actions and endpoints alike. */
import { env } from "cloudflare:workers";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import type { Env } from "#workers/env.ts";
import { ORIGIN, sessionCookie } from "./accounts.ts";
import { makeUser } from "./fixtures.ts";
import { askedWho } from "./power.ts";
import { http } from "./worker.ts";

interface Asking {
  /** The session that it carries; undefined for a visitor. */
  as?: string | null;
  /** A form to send. */
  form?: Record<string, string> | FormData;
  /** A body to send as it is. */
  body?: BodyInit;
  method?: string;
  headers?: Record<string, string>;
  /** Bindings that differ from the usual ones. */
  bindings?: Partial<Env>;
}

/** Limits that let everything pass: for tests that ask for more in a minute than a person does. */
const unlimited = { limit: async () => ({ success: true }) };
export const UNLIMITED = {
  LIMIT_ADDRESS: unlimited,
  LIMIT_SIGN_IN: unlimited,
  LIMIT_PAYMENT: unlimited,
  LIMIT_WRITE: unlimited,
} as const satisfies Partial<Env>;

/** By user id: each person keeps one session, as a browser does. */
const cookies = new Map<string, Promise<string>>();

function cookieOf(userId: string): Promise<string> {
  const cookie = cookies.get(userId) ?? sessionCookie(userId);
  cookies.set(userId, cookie);
  return cookie;
}

/** One request, from our own pages, redirects not followed; waits for what goes on after the answer. */
export async function visit(
  path: string,
  { as, form, body, method, headers, bindings }: Asking = {},
): Promise<Response> {
  const content = form ? (form instanceof FormData ? form : new URLSearchParams(form)) : body;
  const request = new Request(`${ORIGIN}${path}`, {
    method: method ?? (content === undefined ? "GET" : "POST"),
    body: content,
    headers: { Origin: ORIGIN, ...(as ? { Cookie: await cookieOf(as) } : {}), ...headers },
    redirect: "manual",
  });
  const send = async () => {
    const context = createExecutionContext();
    const response = await http.fetch(request, { ...env, ...UNLIMITED, ...bindings }, context);
    await waitOnExecutionContext(context);
    return response;
  };
  const isOfTeam = path.startsWith("/admin/") && (content instanceof FormData || content instanceof URLSearchParams);
  return isOfTeam ? askedWho(path, content, send) : send();
}

export async function makeAdmin(name = "Daniel Kiprono"): Promise<{ id: string; email: string }> {
  const id = await makeUser({ name });
  await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(id).run();
  return { id, email: `${id}@campus.test` };
}

/** What people read of a page: its words, without the elements that hold them together. */
export function wordsOf(html: string): string {
  return html.replaceAll(/<[^>]+>/g, "").replaceAll("&#x27;", "'");
}
