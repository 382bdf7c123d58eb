import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApiDocument } from "#workers/api/openapi.ts";

const document = openApiDocument("https://chuoni.test");

test("the published document is valid OpenAPI 3.1", async () => {
  const verdict = await new Validator().validate(structuredClone(document));
  expect(verdict).toMatchObject({ valid: true });
});

test("every operation names itself once, and every reference leads somewhere", () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name ?? "",
  );
  for (const name of new Set(references)) expect(Object.keys(document.components.schemas)).toContain(name);
});

test("a caller reads what may be left out: what has a default is not required", () => {
  const body = document.paths["/api/email/welcome"]?.post?.requestBody?.content["application/json"].schema;
  expect(body).toMatchObject({ required: ["email"] });
});
