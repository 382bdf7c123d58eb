import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import { readForm } from "#app/request/form-data.server.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { refuse } from "./refuse.ts";
import { readJson } from "./request-reading.ts";

/** What the OpenAPI document says about one endpoint. */
export interface Operation {
  /** The name that generated clients give it. */
  id: string;
  tag: "Payments" | "Email" | "Messages" | "Notifications" | "Files" | "Installed app" | "Search engines" | "Operation";
  summary: string;
  /** The parameters in its path: what each is. */
  path?: Record<string, string>;
  /** A body that the handler reads itself. */
  body?: { type: string; schema: z.ZodType };
  /** Answers by status: the schema of a JSON answer, the media type of another, or null when there is no body. */
  answers: Record<number, z.ZodType | string | null>;
  /** Statuses that are answered with `refuse`, each with the reason. With a 401 the endpoint needs a session. */
  refusals?: Record<number, string>;
}

/** What an endpoint takes, and what it answers with status 400 where that does not fit the schema. */
interface Input<Schema extends z.ZodType> {
  from: "json" | "form" | "query";
  schema: Schema;
  unreadable: string | ((error: z.ZodError) => string);
}

type DescribedHandler = MiddlewareHandler & { operation: Operation & { input?: Input<z.ZodType> } };

/** The largest form, in bytes: 2,000 characters at their widest encoding, and the other fields. */
export const MAX_FORM = 40_000;

/**
 * Describes an endpoint for the OpenAPI document, and checks its input against the very schema that is described there.
 * The handler behind it finds the checked input in `c.get("input")`. A field that a form sends several times becomes an
 * array.
 */
export function endpoint(operation: Operation): MiddlewareHandler<HttpEnv>;
export function endpoint<Schema extends z.ZodType>(
  operation: Operation & { input: Input<Schema> },
): MiddlewareHandler<HttpEnv & { Variables: { input: z.output<Schema> } }>;
export function endpoint(operation: DescribedHandler["operation"]): MiddlewareHandler {
  const { input } = operation;
  const handler: MiddlewareHandler = async (c, next) => {
    if (!input) return next();
    const parsed = input.schema.safeParse(
      input.from === "query" ? c.req.query() : await readBody(c.req.raw, input.from),
    );
    if (!parsed.success)
      return refuse(c, 400, typeof input.unreadable === "string" ? input.unreadable : input.unreadable(parsed.error));
    c.set("input", parsed.data);
    return next();
  };
  return Object.assign(handler, { operation });
}

/** The description that `endpoint` attached to a handler; undefined for other handlers. */
export function operationOf(handler: object): DescribedHandler["operation"] | undefined {
  return "operation" in handler ? (handler as DescribedHandler).operation : undefined;
}

async function readBody(request: Request, from: "json" | "form"): Promise<unknown> {
  if (from === "json") return readJson(request);
  const sent = await readForm(request, MAX_FORM);
  if (!sent.ok) return undefined;
  const { form } = sent;
  return Object.fromEntries(
    [...form.keys()].map((name) => {
      const values = form.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}
