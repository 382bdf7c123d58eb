/** `/api/openapi.json`: the API in OpenAPI 3.1, made from the routes and the schemas that check their input. */
import { z } from "zod";
import { VERSION } from "#app/platform/version.ts";
import { brand } from "#app/ui/page/brand.ts";
import { refusal } from "./contracts.ts";
import { operationOf } from "./endpoint.ts";

interface Route {
  method: string;
  path: string;
  handler: object;
}

type Described = NonNullable<ReturnType<typeof operationOf>>;

const ANSWERED: Record<number, string> = {
  101: "The connection becomes a WebSocket.",
  200: "Done.",
  303: "A form sent without scripts: leads back to its page.",
  304: "The caller has the current one.",
  404: "There is no such file, or it is not for this caller.",
  413: "Taken, but the body is too long to be read.",
  503: "A part is down.",
};

/** The document. `routes`: those of the app. `origin`: scheme, host and port of the server. */
export function openApiDocument(routes: readonly Route[], origin: string) {
  const paths: Record<string, Record<string, ReturnType<typeof describe>>> = {};
  for (const route of routes) {
    const operation = operationOf(route.handler);
    if (!operation) continue;
    const path = pathOf(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `${brand.name} API`,
      version: VERSION,
      description: [
        "Amounts are whole Kenyan shillings.",
        "The server decides amounts and recipients. It compares what a caller sends with its own values, and refuses a difference.",
        "A payment asks the phone that the buyer names. A payout goes to the phone of the seller's profile.",
      ].join(" "),
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: { Refusal: schemaOf(refusal, "output") },
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: origin.startsWith("https:") ? "__Host-session" : "session",
          description: "Set when somebody logs in.",
        },
      },
    },
  };
}

/** A route's path as OpenAPI writes it: `/status/:id` is `/status/{id}`, and a wildcard is the parameter `path`. */
export function pathOf({ path }: Pick<Route, "path">): string {
  return path.replaceAll(/:(\w+)/g, "{$1}").replace("*", "{path}");
}

function describe({ id, tag, summary, path = {}, body, input, answers, refusals = {} }: Described) {
  const content =
    body ??
    (input && input.from !== "query"
      ? { type: input.from === "json" ? "application/json" : "application/x-www-form-urlencoded", schema: input.schema }
      : null);
  const parameters = [
    ...Object.entries(path).map(([name, description]) => ({
      name,
      in: "path",
      required: true,
      description,
      schema: { type: "string" },
    })),
    ...(input?.from === "query" ? queryOf(input.schema) : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    security: 401 in refusals ? [{ session: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(content && {
      requestBody: { required: true, content: { [content.type]: { schema: schemaOf(content.schema, "input") } } },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          { description: ANSWERED[Number(status)] ?? "", ...(answer !== null && { content: contentOf(answer) }) },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries({ ...refusals, 500: "Something of ours broke. Our log has the requestId." }).map(
          ([status, description]) => [
            status,
            { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } } },
          ],
        ),
      ),
    },
  };
}

function contentOf(answer: z.ZodType | string) {
  return typeof answer === "string"
    ? { [answer]: { schema: {} } }
    : { "application/json": { schema: schemaOf(answer, "output") } };
}

/** The parameters of a query: an object, or a choice of objects. A field is required if every choice requires it. */
function queryOf(schema: z.ZodType) {
  const whole = schemaOf(schema, "input");
  const choices = (whole.anyOf ?? [whole]) as z.core.JSONSchema.BaseSchema[];
  const fields = Object.assign({}, ...choices.map(({ properties }) => properties)) as Record<string, object>;
  return Object.entries(fields).map(([name, field]) => ({
    name,
    in: "query",
    required: choices.every(({ required }) => required?.includes(name) === true),
    schema: field,
  }));
}

/** As input, what has a default may be left out, and transformed fields are described as they are sent. */
function schemaOf(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
  return rest;
}
