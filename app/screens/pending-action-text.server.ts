import { type PressedAction, pressedPath } from "#app/catalogue/product/pending-action.server.ts";
import type { Services } from "#app/request/services.ts";

const TEXTS = {
  buy: "Log in or sign up to buy this item. Your order goes on right after that.",
  message: "Log in or sign up to message the seller.",
} as const satisfies Record<PressedAction["action"], string>;

/**
 * What the login and the sign-up say to somebody who comes from a button on a public page. `to` is where they go on.
 */
export async function pendingActionText(
  { pendingAction }: Pick<Services, "pendingAction">,
  request: Request,
  to: string | null,
): Promise<string | undefined> {
  const pressed = await pendingAction.read(request);
  return pressed !== null && to === pressedPath(pressed) ? TEXTS[pressed.action] : undefined;
}
