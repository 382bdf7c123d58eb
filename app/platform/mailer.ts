/** The mails this house sends; one entry a template, with what the template needs to be written. */
export interface MailTemplates {
  /** With the link that confirms the address. `tokenId` names an e-mail token; the mailer makes the token of it. */
  confirmation: { name: string; tokenId: string };
  /** Once the address is confirmed. */
  welcome: { name: string };
  password_reset: { name: string; tokenId: string };
  /** To the buyer, when a payment settled. */
  payment_received: { name: string; orderId: string; amount: number; receipt: string | null };
  /** To the buyer, when a request to pay came to nothing. `reason` in plain words. */
  payment_failed: { name: string; orderId: string; amount: number; reason: string };
  payment_held: { name: string; orderId: string; amount: number };
  /** To the seller, when an item of theirs was paid. `taken`: it is not new, so its listing is marked as sold. */
  new_sale: {
    name: string;
    orderItemId: string;
    productName: string;
    quantity: number;
    subtotal: number;
    taken: boolean;
  };
  item_shipped: { name: string; orderId: string; productName: string };
  item_delivered: { name: string; orderId: string; productName: string };
  /** To a seller whose M-Pesa number changed. The numbers by their last two digits; payouts wait until `heldUntil` (ms), null: they do not. */
  payout_phone_changed: { name: string; was: string; is: string; heldUntil: number | null };
  payout_sent: { name: string; orderItemId: string; amount: number; transactionId: string };
  payout_parked: { name: string; orderItemId: string; amount: number; reason: string };
  /** To the buyer, when a second payment arrived for an order that was paid, or (`sold`) one for what somebody else had bought. */
  refund_due: { name: string; orderId: string; amount: number; sold: boolean };
  /** To the seller whose plan is paid. `plan` as people know it; `endsAt` in ms. */
  plan_active: { name: string; plan: string; amount: number; receipt: string | null; endsAt: number };
  /** Two days before its end. */
  plan_ending: { name: string; plan: string; planId: string; endsAt: number };
  plan_ended: { name: string; plan: string; planId: string };
  /** To the seller, when a second payment arrived for a plan that was paid. */
  plan_refund_due: { name: string; plan: string; amount: number };
  /** To the buyer, when a refund has left. */
  refund_sent: { name: string; orderId: string | null; amount: number; receipt: string };
  /** What came of a verification document; `reason` where it was not approved. */
  verification_decided: { name: string; approved: boolean; reason: string };
  /** To who reported something, when it was looked into. */
  report_closed: { name: string; outcome: string };
  account_suspended: { name: string; reason: string };
  /** To the seller, when a listing was taken down. */
  listing_suspended: { name: string; productName: string; reason: string };
}

/** A mail of one of these templates, to be written and sent. Amounts in KES. */
export type MailOf<Template extends keyof MailTemplates> = {
  [T in Template]: { to: string; template: T; data: MailTemplates[T] };
}[Template];

export type Mail = MailOf<keyof MailTemplates>;

export interface Mailer {
  /** Throws when the transport refused or could not be reached; the outbox tries again. `key` lets a transport drop repeats. */
  send(mail: Mail, key: string): Promise<void>;
}
