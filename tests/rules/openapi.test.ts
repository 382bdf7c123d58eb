import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { createApi } from "#workers/api/api.ts";
import { openApiDocument, pathOf } from "#workers/api/openapi.ts";

const { routes } = createApi(async () => ({ version: "test", styles: [], scripts: [] }));
const document = openApiDocument(routes, "https://chuoni.test");

test("the published document is valid OpenAPI 3.1", async () => {
  const verdict = await new Validator().validate(structuredClone(document));
  expect(verdict).toMatchObject({ valid: true });
});

test("every endpoint is in the document", () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  // What answers every method is middleware, or the answer to an unknown path.
  const endpoints = routes
    .filter(({ method }) => method !== "ALL")
    .map((route) => `${route.method.toLowerCase()} ${pathOf(route)}`);
  expect(described.toSorted()).toEqual([...new Set(endpoints)].toSorted());
});

test("every operation has a name of its own", () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a caller reads what may be left out: what has a default is not required", () => {
  const body = document.paths["/api/email/welcome"]?.post?.requestBody?.content["application/json"]?.schema;
  expect(body).toMatchObject({ required: ["email"] });
  expect(document.paths["/api/messages"]?.get).toMatchObject({
    parameters: [
      { name: "with", in: "query", required: false },
      { name: "before", in: "query", required: false },
      { name: "item", in: "query", required: false },
    ],
  });
});
