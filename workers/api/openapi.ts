/** `/api/openapi.json`: the API in OpenAPI 3.1, drawn from the very schemas that check its bodies. */
import { z } from "zod";
import { brand } from "#app/ui/brand.ts";
import {
  confirmationBody,
  mailAnswer,
  payoutAnswer,
  payoutBody,
  pushAnswer,
  pushBody,
  refusal,
  resendBody,
  resetBody,
  statusAnswer,
  welcomeBody,
} from "./contracts.ts";

interface Operation {
  method: "get" | "post";
  path: string;
  id: string;
  tag: "Payments" | "E-mail";
  summary: string;
  /** Without it, anybody may call. */
  signedIn?: boolean;
  /** Names of path parameters, each with what it is. */
  parameters?: Record<string, string>;
  body?: z.ZodType;
  /** Absent where every answer is a refusal. */
  answer?: z.ZodType;
  /** Other statuses, each with when. */
  refusals: Record<number, string>;
}

const SIGNED_OUT = "Nobody is signed in.";
const ELSEWHERE = "Sent by a page of another site.";
const TOO_MANY = "Too many requests; try again later.";
const BROKEN = "Something of ours broke; the requestId names it in our log.";
const UNREADABLE = "The body cannot be read, or a field is missing or wrong.";

const OPERATIONS: Operation[] = [
  {
    method: "post",
    path: "/api/mpesa/stkpush",
    id: "requestPayment",
    tag: "Payments",
    summary: "Ask a phone to pay an order",
    signedIn: true,
    body: pushBody,
    answer: pushAnswer,
    refusals: {
      400: UNREADABLE,
      401: SIGNED_OUT,
      403: ELSEWHERE,
      404: "No such order of this buyer.",
      409: "Already paid, closed, another amount, a request is still open for this order or phone, or there were too many of them today.",
      429: TOO_MANY,
      502: "M-Pesa refused before anybody was asked.",
    },
  },
  {
    method: "get",
    path: "/api/mpesa/status/{checkoutRequestId}",
    id: "readPaymentStatus",
    tag: "Payments",
    summary: "What is known of a payment",
    signedIn: true,
    parameters: { checkoutRequestId: "From the answer to the payment request." },
    answer: statusAnswer,
    refusals: { 401: SIGNED_OUT, 404: "No such payment of this buyer.", 429: TOO_MANY },
  },
  {
    method: "get",
    path: "/api/mpesa/status",
    id: "readPaymentStatusWithoutId",
    tag: "Payments",
    summary: "Says that the id of a payment request is needed",
    signedIn: true,
    refusals: { 400: "Checkout request ID is required.", 401: SIGNED_OUT },
  },
  {
    method: "post",
    path: "/api/mpesa/b2c",
    id: "requestPayout",
    tag: "Payments",
    summary: "Pay a delivered item out to its seller",
    signedIn: true,
    body: payoutBody,
    answer: payoutAnswer,
    refusals: {
      400: UNREADABLE,
      401: SIGNED_OUT,
      403: ELSEWHERE,
      404: "The item has no payout: it is not delivered, or not this seller's.",
      409: "The payout waits for something first, or the amount, order, seller or phone sent is not ours.",
      429: TOO_MANY,
    },
  },
  {
    method: "post",
    path: "/api/email/confirmation",
    id: "sendConfirmation",
    tag: "E-mail",
    summary: "Mail the link that confirms an address, to whom it was issued for",
    body: confirmationBody,
    answer: mailAnswer,
    refusals: { 400: "Unreadable, or the token is not this address's.", 403: ELSEWHERE, 429: TOO_MANY },
  },
  {
    method: "post",
    path: "/api/email/confirmation/resend",
    id: "resendConfirmation",
    tag: "E-mail",
    summary: "Mail a new confirmation link; answers the same for every address",
    body: resendBody,
    answer: mailAnswer,
    refusals: { 400: UNREADABLE, 403: ELSEWHERE, 429: TOO_MANY },
  },
  {
    method: "post",
    path: "/api/email/password-reset",
    id: "sendPasswordReset",
    tag: "E-mail",
    summary: "Mail the link that sets a new password, to whom it was issued for",
    body: resetBody,
    answer: mailAnswer,
    refusals: { 400: "Unreadable, or the token is not this address's.", 403: ELSEWHERE, 429: TOO_MANY },
  },
  {
    method: "post",
    path: "/api/email/welcome",
    id: "sendWelcome",
    tag: "E-mail",
    summary: "Mail the welcome to one's own address, once",
    signedIn: true,
    body: welcomeBody,
    answer: mailAnswer,
    refusals: { 400: UNREADABLE, 401: SIGNED_OUT, 403: "Another's address, or a page of another site.", 429: TOO_MANY },
  },
];

/** What a caller sends: defaults may be left out, and transformed fields are described as they are typed. */
function sent(schema: z.ZodType) {
  return schemaOf(schema, "input");
}

function schemaOf(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, target: "draft-2020-12" });
  return rest;
}

function json(schema: object) {
  return { "application/json": { schema } };
}

function describe(operation: Operation) {
  const refused = { $ref: "#/components/schemas/Refusal" };
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    security: operation.signedIn ? [{ session: [] }] : [],
    ...(operation.parameters && {
      parameters: Object.entries(operation.parameters).map(([name, description]) => ({
        name,
        in: "path",
        required: true,
        description,
        schema: { type: "string" },
      })),
    }),
    ...(operation.body && { requestBody: { required: true, content: json(sent(operation.body)) } }),
    responses: {
      ...(operation.answer && { 200: { description: "Done.", content: json(schemaOf(operation.answer, "output")) } }),
      ...Object.fromEntries(
        Object.entries({ ...operation.refusals, 500: BROKEN }).map(([status, description]) => [
          status,
          { description, content: json(refused) },
        ]),
      ),
    },
  };
}

/** The document. `origin`: scheme, host and port of the server that it is about. */
export function openApiDocument(origin: string) {
  const paths: Record<string, Record<string, ReturnType<typeof describe>>> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation) };
  return {
    openapi: "3.1.0",
    info: {
      title: `${brand.name} API`,
      version: "1.0.0",
      description: [
        "Amounts are whole Kenyan shillings.",
        "The server decides amounts and recipients: what a caller says of them is held against its own, and refused where it differs.",
        "A payment asks the phone that the buyer names; a payout goes to the phone of the seller's profile.",
      ].join(" "),
    },
    servers: [{ url: origin }],
    tags: [{ name: "Payments" }, { name: "E-mail" }],
    paths,
    components: {
      schemas: { Refusal: schemaOf(refusal, "output") },
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: origin.startsWith("https:") ? "__Host-session" : "session",
          description: "Set by signing in.",
        },
      },
    },
  };
}
