import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";
import { createRequestHandler, RouterContextProvider } from "react-router";
export class UserHub extends DurableObject {}
const handler = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);
const app = new Hono<{ Bindings: { SANDBOX?: Fetcher } }>();
app.all("/sandbox/*", (c) => c.env.SANDBOX!.fetch(c.req.raw));
app.all("*", (c) => handler(c.req.raw, new RouterContextProvider()));
export default app;
