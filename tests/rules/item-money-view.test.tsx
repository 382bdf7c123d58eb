/** "Where is my money?" promises that a report stops the money only while there is money to stop. */
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { ItemMoneyView } from "#app/screens/item-money/item-money-view.tsx";

test.each([true, false])("held: %s", (isHeld) => {
  const page = renderToStaticMarkup(
    <MemoryRouter>
      <ItemMoneyView
        side="buyer"
        itemId="i1"
        name="Kettle"
        subtotal={900}
        orderPath="/orders/o1"
        isHeld={isHeld}
        now={{ tone: "green", icon: "circle-check", title: "We hold it", sentences: [] }}
        next={null}
        timeline={[]}
      />
    </MemoryRouter>,
  );
  expect(page.includes("that also stops the money")).toBe(isHeld);
});
