/** Who acts in a benchmark. */
import { CommandError } from "#scripts/command.ts";

const PASSWORD = "campus-demo";
export const BUYER = "buyer@campus.test";
export const FEED = "/studentmarketplace";

/** Asks once more where the kept-alive connection was closed just then. */
export async function again(ask: () => Promise<Response>): Promise<Response> {
  return ask().catch(ask);
}

/** Logs in, and returns the Cookie header for what follows. */
export async function logIn(origin: string, email: string): Promise<string> {
  const response = await again(() =>
    fetch(`${origin}/auth`, {
      method: "POST",
      redirect: "manual",
      headers: { accept: "text/html", "user-agent": "Mozilla/5.0 (bench)", origin },
      body: new URLSearchParams({ email, password: PASSWORD }),
    }),
  );
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  if (!cookies.some((cookie) => cookie.startsWith("session="))) throw new CommandError(`${email} couldn't log in.`);
  // A notice is for one page. Benchmarks send the same cookie with every request, so all pages would have it.
  return cookies.filter((cookie) => !cookie.startsWith("flash=")).join("; ");
}
