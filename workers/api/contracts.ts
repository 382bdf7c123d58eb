/** The bodies and answers of the API, as the specifications give them (commerce §7, accounts §7): checked at the door, and published. */
import { z } from "zod";
import { normaliseEmail } from "#app/accounts/rules.ts";

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
    .meta({ description: "Whole Kenyan shillings. Held against the order's total, never used." }),
  orderId: z.string().max(64).meta({ description: "An order of the signed-in buyer." }),
  accountReference: z.string().max(64).optional().meta({
    description:
      "'Order #' and the first 8 characters of the order id. Taken, and not used: M-Pesa shows ORD and 8 digits.",
  }),
});

export const payoutBody = z.object({
  orderItemId: z.string().max(64).meta({ description: "A delivered item of the signed-in seller." }),
  phoneNumber: phone
    .transform(String)
    .optional()
    .meta({ description: "Held against the phone of the seller's profile, which the payout goes to; never used." }),
  amount: z
    .number()
    .optional()
    .meta({ description: "Held against the item's subtotal, which is paid out; never used." }),
  orderId: z.string().max(64).optional().meta({ description: "Held against the item's order." }),
  sellerId: z.string().max(64).optional().meta({ description: "Held against the signed-in seller." }),
  remarks: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Taken, and not used: M-Pesa is given the item's number." }),
});

export const refusal = z.object({
  success: z.literal(false),
  error: z.string().meta({ description: "For people, in plain words." }),
  requestId: z.string().optional().meta({ description: "Names an unexpected failure in our log." }),
});

export const pushAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.object({
    CheckoutRequestID: z.string().nullable().meta({
      description: "To ask for the status with. Null where M-Pesa's answer was lost: the prompt may come all the same.",
    }),
  }),
});

export const statusAnswer = z.object({
  success: z.literal(true),
  data: z.object({
    paymentStatus: z.enum(["pending", "processing", "completed", "failed"]),
    receipt: z
      .string()
      .nullable()
      .meta({ description: "M-Pesa's receipt; null while it is not known, which may outlast the payment." }),
    error: z.string().nullable().meta({ description: "Why it failed or waits, in plain words." }),
  }),
});

export const payoutAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  transactionId: z.string().nullable(),
});

const address = z.string().trim().min(3).max(254).includes("@").transform(normaliseEmail).meta({ format: "email" });
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
