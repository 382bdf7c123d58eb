import { html } from "hono/html";
import { questionPage } from "./question-page.ts";

/** The page that asks again where a form's question has no tick. It holds the whole form, so nothing is lost. */
export function askWhetherSure(request: Request, fields: readonly (readonly [name: string, value: string])[]) {
  const { pathname, search } = new URL(request.url);
  const referer = request.headers.get("Referer") ?? "";
  const back = new URL(URL.canParse(referer) ? referer : request.url);
  return questionPage(
    "Are you sure?",
    html`<p>You sent the form without a tick at its question. Nothing has happened yet.</p>
      <form method="post" action="${pathname + search}">
        ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <a href="${back.pathname + back.search}">No, Go Back</a>
        <button name="sure" value="yes">Yes, Do It</button>
      </form>`,
  );
}
