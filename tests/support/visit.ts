/** Asking the whole app for something, as somebody: pages, actions and endpoints alike. */
import { env } from "cloudflare:workers";
import { ORIGIN, sessionCookie } from "./accounts.ts";
import { makeUser } from "./house.ts";

interface Asking {
  /** Whose session it carries; nobody's where absent. */
  as?: string | null;
  /** A form to send. */
  form?: Record<string, string> | FormData;
  /** A body to send as it is. */
  body?: BodyInit;
  method?: string;
  headers?: Record<string, string>;
}

/** One request, from our own pages, redirects not followed. */
export async function visit(path: string, { as, form, body, method, headers }: Asking = {}): Promise<Response> {
  const content = form ? (form instanceof FormData ? form : new URLSearchParams(form)) : body;
  return env.APP.fetch(`${ORIGIN}${path}`, {
    method: method ?? (content === undefined ? "GET" : "POST"),
    body: content,
    headers: { Origin: ORIGIN, ...(as ? { Cookie: await sessionCookie(as) } : {}), ...headers },
    redirect: "manual",
  });
}

export async function makeAdmin(name = "Daniel Kiprono"): Promise<{ id: string; email: string }> {
  const id = await makeUser({ name });
  await env.DB.prepare("UPDATE profiles SET is_admin = 1 WHERE id = ?").bind(id).run();
  return { id, email: `${id}@campus.test` };
}
