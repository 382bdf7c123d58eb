/** docs/states.md shows the same states and transitions as the tables in the code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { issueReports, orders } from "#app/orders/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import { verificationDocuments } from "#app/accounts/tables.server.ts";
import { CASE_TRANSITIONS } from "#app/moderation/cases/case-rules.ts";
import { MEETING_TRANSITIONS } from "#app/meetings/meeting-rules.ts";
import { OFFER_TRANSITIONS } from "#app/offers/offer-rules.ts";
import { DEAL_TRANSITIONS } from "#app/deals/deal-rules.ts";
import { ATTEMPT_TRANSITIONS } from "#app/payments/collect/attempt-rules.ts";
import { TRANSFER_TRANSITIONS } from "#app/payments/transfers/transfer-rules.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/states.md"), "utf8");

interface Diagram {
  states: string[];
  /** "from -> to: event", or "from -> to" if the diagram names no event. */
  edges: string[];
}

/** The diagram under the heading `title`. */
function diagramOf(title: string): Diagram {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  const block = /```mermaid\n([\s\S]*?)```/.exec(section ?? "")?.[1] ?? "";
  const edges: string[] = [];
  const states = new Set<string>();
  for (const [, from = "", to = "", event] of block.matchAll(/^ {2}(\S+) --> (\S+?)(?:: (.+))?$/gm)) {
    for (const state of [from, to]) if (state !== "[*]") states.add(state);
    if (from === "[*]" || to === "[*]") continue;
    for (const one of event?.split(", ") ?? [""])
      edges.push(one === "" ? `${from} -> ${to}` : `${from} -> ${to}: ${one}`);
  }
  return { states: [...states].toSorted(), edges: edges.toSorted() };
}

/** The edges of a table of events. */
function edgesOfEvents(table: Record<string, Partial<Record<string, string>>>): string[] {
  return Object.entries(table)
    .flatMap(([from, events]) => Object.entries(events).map(([event, to]) => `${from} -> ${to}: ${event}`))
    .toSorted();
}

test.each([
  ["Payment attempts", ATTEMPT_TRANSITIONS],
  ["Transfers", TRANSFER_TRANSITIONS],
  ["Offers", OFFER_TRANSITIONS],
  ["Meetings", MEETING_TRANSITIONS],
  ["Moderation cases", CASE_TRANSITIONS],
] as const)("the diagram of %s shows each transition of its table, and no other", (title, table) => {
  const diagram = diagramOf(title);
  expect(diagram.edges).toEqual(edgesOfEvents(table));
  expect(diagram.states).toEqual(Object.keys(table).toSorted());
});

test("the diagram of deals shows each transition of its table, and that unpaid orders are closed", () => {
  const { edges, states } = diagramOf("Deals");
  expect(edges.filter((edge) => !edge.endsWith(": order closed"))).toEqual(edgesOfEvents(DEAL_TRANSITIONS));
  expect(states).toEqual(Object.keys(DEAL_TRANSITIONS).toSorted());
});

test.each([
  ["Orders", orders.orderStatus],
  ["The payment of an order", orders.paymentStatus],
  ["Listings", products.status],
  ["Plans", subscriptions.status],
  ["Verification documents", verificationDocuments.verificationStatus],
  ["Issue reports", issueReports.status],
] as const)("the diagram of %s shows each state that the column may hold", (title, column) => {
  expect(diagramOf(title).states).toEqual([...column.enumValues].toSorted());
});
