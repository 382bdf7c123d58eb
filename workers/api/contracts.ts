/**
 * Bodies and answers of the payment and email API. `endpoint` checks the bodies, and the OpenAPI document shows both.
 */
import { z } from "zod";
import { normalizeEmail } from "#app/accounts/login/account-rules.ts";

const phone = z.union([z.number(), z.string().max(40)]);

export const pushBody = z.object({
  phoneNumber: phone.transform(String).meta({
    description: "The M-Pesa phone that is asked to pay: 07XXXXXXXX, 01XXXXXXXX or 254XXXXXXXXX.",
    examples: [254712345678],
  }),
  amount: z
    .number()
    .int()
    .positive()
    .meta({ description: "Whole Kenyan shillings. Compared with the order's total, and never used." }),
  orderId: z.string().max(64).meta({ description: "An order of the buyer who is logged in." }),
  accountReference: z.string().max(64).optional().meta({
    description: "'Order #' and the first 8 characters of the order id. Not used: M-Pesa shows ORD and 8 digits.",
  }),
});

export const payoutBody = z.object({
  orderItemId: z.string().max(64).meta({ description: "A delivered item of the seller who is logged in." }),
  phoneNumber: phone
    .transform(String)
    .optional()
    .meta({ description: "Compared with the phone of the seller's profile, which the payout goes to." }),
  amount: z.number().optional().meta({
    description: "Compared with what is paid out for the item: its subtotal, less any refund and service fee.",
  }),
  orderId: z.string().max(64).optional().meta({ description: "Compared with the item's order." }),
  sellerId: z.string().max(64).optional().meta({ description: "Compared with the seller who is logged in." }),
  remarks: z.string().max(200).optional().meta({ description: "Not used: M-Pesa is given the item's number." }),
});

export const refusal = z.object({
  success: z.literal(false),
  error: z.string().meta({ description: "A sentence for people." }),
  requestId: z.string().optional().meta({ description: "With status 500: names the failure in our log." }),
});

export const pushAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.object({
    CheckoutRequestID: z.string().nullable().meta({
      description: "The id to ask for the status with. Null where M-Pesa's answer was lost; the prompt may still come.",
    }),
  }),
});

export const statusAnswer = z.object({
  success: z.literal(true),
  data: z.object({
    paymentStatus: z.enum(["pending", "processing", "completed", "failed"]),
    receipt: z.string().nullable().meta({
      description: "M-Pesa's receipt. Null while we do not know it, which can be after the payment is completed.",
    }),
    error: z.string().nullable().meta({ description: "Why it failed or waits: a sentence for people." }),
  }),
});

export const payoutAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  transactionId: z.string().nullable().meta({ description: "M-Pesa's receipt." }),
});

const address = z.string().trim().min(3).max(254).includes("@").transform(normalizeEmail).meta({ format: "email" });
const username = z.string().max(200).default("");

export const confirmationBody = z.object({ email: address, username, confirmationToken: z.string().max(100) });
export const resetBody = z.object({ email: address, username, resetToken: z.string().max(100) });
export const resendBody = z.object({ email: address });
export const welcomeBody = z.object({ email: address, username });

export const mailAnswer = z.object({
  success: z.literal(true),
  data: z.object({ email: z.string() }),
  message: z.string(),
});
