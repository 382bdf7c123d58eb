/** What people share: the message for WhatsApp, and the QR code of a poster. */
import fc from "fast-check";
import jsQR from "jsqr";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { shareableProduct } from "#app/catalogue/product/share-product.ts";
import { publicShopTitle } from "#app/accounts/profile/public-names.ts";
import { shareableShop } from "#app/shops/share-shop.ts";
import { shortProductPath, shortShopPath } from "#app/public-links.ts";
import { drawQr } from "#app/platform/qr-code.ts";
import { QrCode } from "#app/ui/sharing/qr-code.tsx";
import { shareText, whatsAppLink } from "#app/ui/sharing/share-texts.ts";

const id = "0192f0c1-7a3b-4c5d-8e9f-001122334455";

test("a shared product is its public page, with its name and price", () => {
  const shared = shareableProduct({ id, name: "Desk lamp", price: 1_500 });
  expect(shared.path).toMatch(/^\/p\/[0-9a-z]{10}\/desk-lamp$/);
  expect(whatsAppLink(shared, `https://chuoni.test${shared.path}`)).toBe(
    `https://wa.me/?text=Desk%20lamp%20for%20KES%201%2C500%20on%20Chuoni%0A${encodeURIComponent(`https://chuoni.test${shared.path}`)}`,
  );
  expect(shareText({ name: "Old notes", price: 0 })).toBe("Old notes for free on Chuoni");
});

test("a shared shop never says the seller's last name", () => {
  const named = { shopName: "Grace Gadgets", fullName: "Grace Wambui" };
  expect(publicShopTitle(named)).toBe("Grace Gadgets");
  const publicTitle = publicShopTitle({ shopName: "  ", fullName: "Grace Wambui" });
  expect(publicTitle).toBe("Grace's shop");
  const shared = shareableShop({ id, publicTitle });
  expect(JSON.stringify(shared)).not.toMatch(/wambui/i);
  expect(shared.path).toMatch(/^\/s\/[0-9a-z]{10}\/grace-s-shop$/);
  expect(shareText(shared)).toBe("Grace's shop on Chuoni");
});

test("WhatsApp gets every name as it is, with the link on a line of its own", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.option(fc.nat()), (name, price) => {
      const url = "https://chuoni.test/p/0123456789/x";
      const link = whatsAppLink({ name, price }, url);
      expect(link).not.toContain("+");
      expect(link).not.toContain("#");
      const text = new URL(link).searchParams.get("text");
      expect(text).toBe(`${shareText({ name, price })}\n${url}`);
    }),
  );
});

test("a poster's QR code is read as the link of the public page", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom(shortProductPath, shortShopPath), (uuid, pathOf) => {
      const url = `https://chuoni.example${pathOf(uuid)}`;
      expect(
        readQr(renderToStaticMarkup(createElement(QrCode, { drawing: drawQr(url), label: "", className: "" }))),
      ).toBe(url);
    }),
    { numRuns: 20 },
  );
});

/** Draws an SVG code with a white margin, as a camera sees it, and reads it. */
function readQr(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const [scale, margin] = [4, 4];
  const side = (size + 2 * margin) * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let place = 0; place < scale * scale; place += 1) {
      const column = (Number(x) + margin) * scale + (place % scale);
      const row = (Number(y) + margin) * scale + Math.floor(place / scale);
      pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  }
  return jsQR(pixels, side, side)?.data;
}
