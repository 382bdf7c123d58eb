import { createHash } from "node:crypto";
import { and, eq, or } from "drizzle-orm";
import { accountKey } from "#app/accounts/login/devices.server.ts";
import type { Database } from "#app/db/client.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { write } from "#app/db/batch.ts";
import { writeTo } from "#app/notifications/notify.server.ts";
import { networkOf } from "#app/platform/network.ts";
import type { Services } from "#app/request/services.ts";
import { CONTACTS_A_DAY } from "./contact-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** The order that a question is about, with the items that the asker bought or sold in it. */
export interface ContactOrder {
  id: string;
  items: readonly string[];
}

/** Null where there is no such order, or it is of others. */
export async function findContactOrder(db: Database, userId: string, orderId: string): Promise<ContactOrder | null> {
  const rows = await db
    .select({ name: orderItems.productName })
    .from(orderItems)
    .innerJoin(orders, eq(orders.id, orderItems.orderId))
    .where(and(eq(orders.id, orderId), or(eq(orders.userId, userId), eq(orderItems.sellerId, userId))));
  return rows.length > 0 ? { id: orderId, items: rows.map(({ name }) => name) } : null;
}

interface Question {
  formKey: string;
  /** Null for a visitor. */
  userId: string | null;
  /** Where our team answers. */
  email: string;
  order: ContactOrder | null;
  text: string;
  /** Where the request came from. */
  address: string | null;
}

/**
 * Emails a question to our team. Sent twice with one key, it leaves once. Other words under the same key, as after
 * "Back", are another question.
 */
export async function askTeam(services: Services, question: Question): Promise<{ ok: boolean }> {
  const { formKey, userId, email, order, text, address } = question;
  const allowances =
    userId === null
      ? [
          { key: `contact:email:${accountKey(email, services.passwordPepper)}`, max: CONTACTS_A_DAY.email },
          { key: `contact:network:${networkOf(address)}`, max: CONTACTS_A_DAY.network },
        ]
      : [{ key: `contact:${userId}`, max: CONTACTS_A_DAY.member }];
  const allowed = await takeAllowance(
    services,
    allowances.map((allowance) => ({ ...allowance, windowMs: DAY_MS })),
  );
  if (!allowed) return { ok: false };
  const words = createHash("sha256")
    .update(JSON.stringify([email, order?.id, text]))
    .digest("base64url");
  const data = {
    email,
    userId,
    order: order && `${shortOrderId(order.id)} (${order.id}): ${order.items.join(", ")}`,
    text: text.trim(),
  };
  const key = `team_question:${userId ?? "visitor"}:${formKey}:${words}`;
  const team = { id: null, email: services.supportEmail, name: "" };
  await write(services.db, [writeTo(team, { kind: "team_question", data }, key, services.now())]);
  services.drainOutbox();
  return { ok: true };
}
