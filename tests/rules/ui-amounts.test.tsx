import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { asOneWithWholeAmounts, withWholeAmounts } from "#app/ui/amounts.tsx";

const html = (content: Parameters<typeof withWholeAmounts>[0]) =>
  renderToStaticMarkup(<p>{withWholeAmounts(content)}</p>);

test("an amount in a sentence stays together, and the words stay as they are", () => {
  expect(html("You get KES 1,200. The buyer gets KES 300.50 back, and pays KES 9.")).toBe(
    '<p>You get <span class="amount">KES 1,200.</span> The buyer gets <span class="amount">KES 300.50</span> back, and pays <span class="amount">KES 9.</span></p>',
  );
  expect(html("Prices are in KES.")).toBe("<p>Prices are in KES.</p>");
});

test("the marks that touch an amount stay with it, because WebKit would break the line between them", () => {
  expect(html("Pay KES 5! (KES 6) now, “KES 7”")).toBe(
    '<p>Pay <span class="amount">KES 5!</span> <span class="amount">(KES 6)</span> now, <span class="amount">“KES 7”</span></p>',
  );
});

test("a short word with a hyphen stays together, and a long one or a date may break", () => {
  expect(html("65 W USB-C charger, by M-Pesa")).toBe(
    '<p><span class="amount">65 W</span> <span class="amount">USB-C</span> charger, by <span class="amount">M-Pesa</span></p>',
  );
  expect(html("a 6-digit code")).toBe('<p>a <span class="amount">6-digit</span> code</p>');
  for (const text of ["Second-hand", "2026-11-28", "WH-CH510-X", "- and -"]) expect(html(text)).toBe(`<p>${text}</p>`);
});

test("a number stays with its unit", () => {
  expect(html("MacBook Air 2017, 8 GB, 1.5 TB, for the 3 m desk")).toBe(
    '<p>MacBook Air 2017, <span class="amount">8 GB,</span> <span class="amount">1.5 TB,</span> for the <span class="amount">3 m</span> desk</p>',
  );
  for (const text of ["Form 2 girls", "Top 10 Gadgets", "Hot 40i, 8+256 GB", "4 GB/64 GB"])
    expect(html(text)).toBe(`<p>${text}</p>`);
});

test("elements between texts stay, and so does nothing", () => {
  expect(html(["Pay KES 5 ", <b key="b">KES 6</b>, null])).toBe(
    '<p>Pay <span class="amount">KES 5</span> <b>KES 6</b></p>',
  );
  expect(html(undefined)).toBe("<p></p>");
});

test("a button's words with an amount are one element, and others stay as they are", () => {
  const button = (content: Parameters<typeof asOneWithWholeAmounts>[0]) =>
    renderToStaticMarkup(<p>{asOneWithWholeAmounts(content)}</p>);
  expect(button(["Pay ", "KES 5.00", " now"])).toBe('<p><span>Pay <span class="amount">KES 5.00</span> now</span></p>');
  expect(button("Pay now")).toBe("<p>Pay now</p>");
  expect(button([<b key="b">KES 6</b>, " now"])).toBe("<p><b>KES 6</b> now</p>");
});
