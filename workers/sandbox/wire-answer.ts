/** Daraja's immediate answers: JSON, the HTML of a firewall or gateway, or nothing at all. */

export interface WireAnswer {
  status: number;
  type: "application/json" | "text/html" | null;
  text: string;
  /** How long the answer is held back, in ms. */
  afterMs: number;
}

/** A JSON answer. */
export function answerJson(status: number, body: object): WireAnswer {
  return { status, type: "application/json", text: JSON.stringify(body), afterMs: 0 };
}

/** A refusal before M-PESA acts: errorCode, errorMessage and HTTP status. */
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

/** Each API words a bad token differently. The second one repeats the token. */
export const TOKEN_REFUSALS = {
  payment: () => ({ status: 404, code: "404.001.03", message: "Invalid Access Token" }),
  payout: (token: string) => ({
    status: 401,
    code: "401.002.01",
    message: `Error Occurred - Invalid Access Token - ${token}`,
  }),
  status: () => ({ status: 400, code: "400.003.01", message: "Invalid Access Token" }),
} satisfies Record<string, (token: string) => Refusal>;

/**
 * An error of the API gateway, which doesn't use errorCode. Its status isn't documented; 429 is the gateway's default.
 */
export function answerSpikeArrest(): WireAnswer {
  return answerJson(429, {
    fault: {
      faultstring:
        "Spike arrest violation. Allowed rate : MessageRate{messagesPerPeriod=5, periodInMicroseconds=60000000, maxBurstMessageCount=1.0}",
      detail: { errorcode: "policies.ratelimit.SpikeArrestViolation" },
    },
  });
}

/** The web firewall's page. */
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

/** What the caller receives when the answer is lost: a gateway time-out that says nothing about the request. */
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
