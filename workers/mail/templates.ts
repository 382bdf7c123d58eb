import type { Mail } from "#app/accounts/mailer.ts";

/** A mail as it goes out. */
export interface WrittenMail {
  subject: string;
  text: string;
  html: string;
}

interface Parts {
  subject: string;
  heading: string;
  paragraphs: string[];
  /** A path of ours. */
  action: { label: string; path: string };
}

/** Writes a mail in plain text and HTML; links lead to `origin`. */
export function writeMail(mail: Mail, origin: string): WrittenMail {
  const parts = describe(mail);
  const link = `${origin}${parts.action.path}`;
  const greeting = `Hello ${mail.data.name},`;
  const text = [greeting, ...parts.paragraphs, `${parts.action.label}: ${link}`, "Chuoni, the student marketplace"].join("\n\n");
  return { subject: parts.subject, text, html: page(parts, greeting, link) };
}

function describe(mail: Mail): Parts {
  switch (mail.template) {
    case "payment_received": {
      if (mail.data.amount === 0) {
        return {
          subject: `Order ${short(mail.data.orderId)} is confirmed`,
          heading: "Your order is confirmed",
          paragraphs: [`Your order ${short(mail.data.orderId)} is free: there is nothing to pay.`, "The seller has been told and will be in touch."],
          action: { label: "Follow your order", path: `/orders/${mail.data.orderId}` },
        };
      }
      const receipt = mail.data.receipt ? ` M-Pesa receipt: ${mail.data.receipt}.` : "";
      return {
        subject: `Paid: ${money(mail.data.amount)} for order ${short(mail.data.orderId)}`,
        heading: "Payment received",
        paragraphs: [`We received ${money(mail.data.amount)} for your order ${short(mail.data.orderId)}.${receipt}`, "The seller has been told and will be in touch."],
        action: { label: "Follow your order", path: `/orders/${mail.data.orderId}` },
      };
    }
    case "new_sale":
      return {
        subject: mail.data.subtotal === 0 ? `Taken: ${mail.data.productName}` : `Sold: ${mail.data.productName}`,
        heading: mail.data.subtotal === 0 ? "Someone takes your giveaway" : "You made a sale",
        paragraphs: [
          mail.data.subtotal === 0
            ? `${mail.data.quantity} × ${mail.data.productName} has found someone who needs it.`
            : `${mail.data.quantity} × ${mail.data.productName} is paid: ${money(mail.data.subtotal)} is yours once it is delivered.`,
          "Write to the buyer to agree how it reaches them.",
        ],
        action: { label: "Open the order", path: `/seller/orders/${mail.data.orderItemId}` },
      };
    case "item_shipped":
      return {
        subject: `On its way: ${mail.data.productName}`,
        heading: "On its way",
        paragraphs: [`The seller has sent ${mail.data.productName}.`],
        action: { label: "Follow your order", path: `/orders/${mail.data.orderId}` },
      };
    case "item_delivered":
      return {
        subject: `Delivered: ${mail.data.productName}`,
        heading: "Delivered",
        paragraphs: [`The seller says ${mail.data.productName} has reached you. If it has not, tell us right away from the order's page.`],
        action: { label: "Open the order", path: `/orders/${mail.data.orderId}` },
      };
    case "payout_sent":
      return {
        subject: `${money(mail.data.amount)} sent to your M-Pesa`,
        heading: "You have been paid",
        paragraphs: [`We sent ${money(mail.data.amount)} to your M-Pesa. Transaction: ${mail.data.transactionId}.`],
        action: { label: "Open the order", path: `/seller/orders/${mail.data.orderItemId}` },
      };
    case "payout_parked":
      return {
        subject: `Your payout of ${money(mail.data.amount)} is waiting`,
        heading: "Your payout is waiting",
        paragraphs: [`We could not send ${money(mail.data.amount)} to your M-Pesa yet: ${mail.data.reason}`, "Your money is safe. We will try again or be in touch."],
        action: { label: "Open the order", path: `/seller/orders/${mail.data.orderItemId}` },
      };
    case "refund_due":
      return {
        subject: `You paid order ${short(mail.data.orderId)} twice`,
        heading: "We owe you a refund",
        paragraphs: [`A second payment of ${money(mail.data.amount)} reached us for an order that was paid already. We are sending it back to you.`],
        action: { label: "Open the order", path: `/orders/${mail.data.orderId}` },
      };
  }
}

function money(amount: number): string {
  return `KES ${amount.toLocaleString("en-KE")}`;
}

function short(orderId: string): string {
  return orderId.slice(0, 8);
}

function page(parts: Parts, greeting: string, link: string): string {
  const paragraphs = [greeting, ...parts.paragraphs].map((paragraph) => `<p style="margin:0 0 16px;line-height:1.6">${escape(paragraph)}</p>`).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(parts.subject)}</title></head>
<body style="margin:0;padding:24px;background:#f6f4ef;color:#262118;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:16px">
<p style="margin:0 0 24px;font-weight:800;font-size:20px">Chuoni</p>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.3">${escape(parts.heading)}</h1>${paragraphs}
<p style="margin:24px 0 0"><a href="${escape(link)}" style="display:inline-block;padding:12px 20px;border-radius:12px;background:#e7c65f;color:#221a05;font-weight:700;text-decoration:none">${escape(parts.action.label)}</a></p>
</div></body></html>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
