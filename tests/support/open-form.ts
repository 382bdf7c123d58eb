/** Forms of pages as browsers without scripts fill them in. */
import { visit } from "./visit.ts";

/** The values of a page's form that has a field called `having`, as a browser would send them. */
export async function openForm(path: string, as: string, having: string): Promise<Record<string, string>> {
  const page = await (await visit(path, { as })).text();
  const form = [...page.matchAll(/<form\b[^>]*>([^]*?)<\/form>/g)]
    .map(([, content = ""]) => content)
    .find((content) => content.includes(`name="${having}"`));
  return form === undefined ? {} : fieldsOf(form);
}

export function fieldsOf(form: string): Record<string, string> {
  const values: Record<string, string> = {};
  const read = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  const text = (html: string) => html.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const [name, type] = [read(tag, "name"), read(tag, "type")];
    if (name === undefined || type === "file" || type === "submit") continue;
    if ((type === "checkbox" || type === "radio") && !/\schecked\b/.test(tag)) continue;
    values[name] = text(read(tag, "value") ?? (type === "checkbox" ? "on" : ""));
  }
  for (const [, attributes = "", content = ""] of form.matchAll(/<textarea\b([^>]*)>([^]*?)<\/textarea>/g))
    values[read(attributes, "name") ?? ""] = text(content.replace(/^\n/, ""));
  for (const [, attributes = "", options = ""] of form.matchAll(/<select\b([^>]*)>([^]*?)<\/select>/g)) {
    const chosen = /<option\b[^>]*\sselected\b[^>]*>/.exec(options)?.[0] ?? "";
    values[read(attributes, "name") ?? ""] = text(read(chosen, "value") ?? "");
  }
  return values;
}

export function multipart(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.append(name, value);
  return form;
}
