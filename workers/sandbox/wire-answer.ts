/** Answers Daraja gives on the spot: JSON, a firewall's or gateway's HTML, or nothing at all. */

export interface WireAnswer {
  status: number;
  type: "application/json" | "text/html" | null;
  text: string;
  /** Kept back this long before it is sent, ms. */
  afterMs: number;
}

/** A JSON answer. */
export function answerJson(status: number, body: object): WireAnswer {
  return { status, type: "application/json", text: JSON.stringify(body), afterMs: 0 };
}

/** A refusal before M-PESA acts or decides: errorCode, errorMessage and HTTP status (Daraja facts §3.3, §5.3). */
export interface Refusal {
  status: number;
  code: string;
  message: string;
}

export function answerRefusal(refusal: Refusal, requestId: string): WireAnswer {
  return answerJson(refusal.status, { requestId, errorCode: refusal.code, errorMessage: refusal.message });
}

/** "Bad Request - Invalid X". */
export function invalid(field: string): Refusal {
  return { status: 400, code: "400.002.02", message: `Bad Request - Invalid ${field}` };
}

/** Refusals that do not name a field. */
export const REFUSALS = {
  badAuthentication: { status: 400, code: "400.008.01", message: "Invalid Authentication passed" },
  badGrantType: { status: 400, code: "400.008.02", message: "Invalid grant type passed" },
  notFound: { status: 404, code: "404.001.01", message: "Resource not found" },
  methodNotAllowed: { status: 405, code: "405.001", message: "Method Not Allowed" },
  unknownMerchant: { status: 500, code: "500.001.1001", message: "Merchant does not exist" },
  wrongCredentials: { status: 500, code: "500.001.1001", message: "Wrong credentials" },
  subscriberLocked: {
    status: 500,
    code: "500.001.1001",
    message: "Unable to lock subscriber, a transaction is already in process for the current subscriber",
  },
  unknownTransaction: { status: 500, code: "500.001.1001", message: "The transaction does not Exist" },
  stillProcessing: { status: 500, code: "500.001.1001", message: "The transaction is being processed" },
  noise: { status: 500, code: "500.001.1001", message: "" },
  systemBusy: { status: 500, code: "500.003.02", message: "System is busy. Please try again in few minutes." },
  duplicatePayout: { status: 500, code: "500.002.1001", message: "Duplicate OriginatorConversationID." },
} as const satisfies Record<string, Refusal>;

/** The APIs word a bad token differently; the second one echoes the token (Daraja facts §2). */
export const TOKEN_REFUSALS = {
  payment: () => ({ status: 404, code: "404.001.03", message: "Invalid Access Token" }),
  payout: (token: string) => ({
    status: 401,
    code: "401.002.01",
    message: `Error Occurred - Invalid Access Token - ${token}`,
  }),
  status: () => ({ status: 400, code: "400.003.01", message: "Invalid Access Token" }),
} satisfies Record<string, (token: string) => Refusal>;

/** The API gateway's own fault, which knows nothing of errorCode (Daraja facts §3.3). Its status was never logged; 429 is the gateway's default. */
export function answerSpikeArrest(): WireAnswer {
  return answerJson(429, {
    fault: {
      faultstring:
        "Spike arrest violation. Allowed rate : MessageRate{messagesPerPeriod=5, periodInMicroseconds=60000000, maxBurstMessageCount=1.0}",
      detail: { errorcode: "policies.ratelimit.SpikeArrestViolation" },
    },
  });
}

/** The web firewall's page (Daraja facts §3.3). */
export function answerFirewall(incident: string): WireAnswer {
  return {
    status: 403,
    type: "text/html",
    afterMs: 0,
    text:
      '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head>' +
      `<body style="margin:0px;height:100%"><iframe id="main-iframe" src="about:blank">Request unsuccessful. Incapsula incident ID: ${incident}</iframe></body></html>`,
  };
}

/** What a caller sees of a request whose answer got lost: the gateway gave up waiting, and says nothing about the request. */
export function answerLost(): WireAnswer {
  return {
    status: 504,
    type: "text/html",
    afterMs: 0,
    text: "<html><head><title>504 Gateway Time-out</title></head><body><center><h1>504 Gateway Time-out</h1></center></body></html>",
  };
}

/** A status and nothing else. */
export function answerEmpty(status: number): WireAnswer {
  return { status, type: null, text: "", afterMs: 0 };
}
