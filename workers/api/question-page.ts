import { html, raw } from "hono/html";
import { brand } from "#app/ui/page/brand.ts";

/** The colours are those of styles/theme.css, which this page doesn't load. */
const STYLE = `
body { margin: 0; padding: 24px 16px; background: #faf9f6; color: #211e18; font: 16px/24px system-ui, sans-serif; }
main { max-width: 560px; margin: 0 auto; }
h1 { font-size: 24px; line-height: 30px; }
p { margin: 0 0 16px; }
.mark { font-weight: 800; color: #7a5d11; }
.words { padding: 12px 16px; border-radius: 12px; background: #ebe8e3; white-space: pre-line; overflow-wrap: anywhere; }
form { display: grid; gap: 12px; }
a, button { box-sizing: border-box; min-height: 48px; padding: 12px; border: 0; border-radius: 12px; font: inherit;
  font-weight: 600; text-align: center; }
a { text-decoration: none; }
a, button.main { background: #e7c65f; color: #3b2d0e; }
button, .other { background: #e4e1da; color: #211e18; cursor: pointer; }
textarea { box-sizing: border-box; width: 100%; padding: 12px; border: 1px solid #8a8477; border-radius: 12px;
  background: #fff; color: inherit; font: inherit; }
@media (prefers-color-scheme: dark) {
  body { background: #13120f; color: #efece7; }
  .mark { color: #e9c970; }
  .words, button, .other { background: #2d2a24; color: #efece7; }
  textarea { background: #13120f; }
}
`;

/** A page that asks browsers without scripts something, before what they sent is done. `title` is the question. */
export function questionPage(title: string, content: ReturnType<typeof html>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} – ${brand.name}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <p class="mark">${brand.name}</p>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}
