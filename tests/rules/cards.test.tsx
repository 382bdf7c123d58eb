import { globSync, readFileSync } from "node:fs";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { PhotoCard } from "#app/ui/product-grid.tsx";

test("every screen with hearts and cart buttons has the forms that they submit", () => {
  const screens = globSync("app/{routes,screens}/**/*.tsx").filter((file) =>
    readFileSync(file, "utf8").includes("useBasketCardParts"),
  );
  expect(screens.length).toBeGreaterThan(3);
  expect(screens.filter((file) => !readFileSync(file, "utf8").includes("<CardForms"))).toEqual([]);
});

test("a card below the first screen can announce its route, without a photo that loads first", () => {
  const card = (props: { priority?: boolean; discover?: boolean }) =>
    renderToString(
      <MemoryRouter>
        <PhotoCard to="/product/1" name="Kettle" shape="square" photo={null} price={null} {...props} />
      </MemoryRouter>,
    );
  expect(card({ discover: true })).toContain("data-discover");
  expect(card({ discover: true })).not.toContain("data-tour");
  expect(card({ priority: true })).toContain("data-discover");
  expect(card({})).not.toContain("data-discover");
});
