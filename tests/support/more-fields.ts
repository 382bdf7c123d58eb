import type { Page } from "@playwright/test";

/** Opens the part of a form with this title, if it is closed. */
export async function openFields(page: Page, title: string): Promise<void> {
  const part = page.locator("details.more-fields", { hasText: title });
  await part.waitFor();
  if (!(await part.evaluate((element: HTMLDetailsElement) => element.open))) await part.locator("> summary").click();
}
