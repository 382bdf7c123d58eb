/** Fills a database with the rows of sales that are over, in bulk, for tests and the benchmark of the books. */

const PRICE = 1_900;
const LEGS = [
  ["charge", "mpesa_collection", PRICE],
  ["charge", "escrow", -PRICE],
  ["release", "escrow", PRICE],
  ["release", "seller_payable", -PRICE],
  ["payout", "seller_payable", PRICE],
  ["payout", "mpesa_payout_float", -PRICE],
];
/** How many ledger entries a finished sale has. */
export const ENTRIES_OF_A_DEAL = LEGS.length;

/** D1 as a worker has it, or as Miniflare gives it to Node. Their types differ. */
interface Database<Statement> {
  prepare(query: string): Statement;
  batch(statements: Statement[]): Promise<unknown>;
}

/** The parties of all these sales. Their rows must exist. */
interface Parties {
  buyerId: string;
  sellerId: string;
  productId: string;
}

/** Adds finished sales numbered from `first` up to, and without, `until`: each paid, released and paid out. */
export async function addFinishedDeals<Statement>(
  database: Database<Statement>,
  { buyerId, sellerId, productId }: Parties,
  first: number,
  until: number,
  /** When all of it happened, ms since 1970. */
  now = Date.now(),
): Promise<void> {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers
    WHERE n + 1 < ${until})`;
  const insert = (table: string, columns: Record<string, string | number>, from = "") => {
    const values = Object.values(columns);
    return database.prepare(
      `${numbers} INSERT INTO ${table} (${Object.keys(columns).join(", ")}) SELECT ${values.join(", ")}
        FROM numbers ${from}`,
    );
  };
  const id = (name: string) => `'${name}-' || n`;
  const [buyer, seller, product] = [buyerId, sellerId, productId].map((value) => `'${value}'`) as [
    string,
    string,
    string,
  ];
  const times = { created_at: now, updated_at: now };
  await database.batch([
    insert("orders", {
      id: id("order"),
      user_id: buyer,
      amount: PRICE,
      payment_status: "'completed'",
      order_status: "'delivered'",
      idempotency_key: id("order"),
      source: "'buy_now'",
      ...times,
    }),
    insert("order_items", {
      id: id("item"),
      order_id: id("order"),
      product_id: product,
      seller_id: seller,
      product_name: "'Casio fx-991ES'",
      quantity: 1,
      price_per_unit: PRICE,
      subtotal: PRICE,
      status: "'completed'",
      paid_at: now,
      ...times,
    }),
    insert("payment_attempts", {
      id: id("attempt"),
      purpose: "'order'",
      order_id: id("order"),
      user_id: buyer,
      phone: "'254722000020'",
      amount: PRICE,
      state: "'succeeded'",
      callback_token: id("attempt"),
      settled_at: now,
      ...times,
    }),
    insert("payouts", {
      id: id("payout"),
      order_item_id: id("item"),
      seller_id: seller,
      amount: PRICE,
      state: "'done'",
      conversation_id: id("payout"),
      callback_token: id("payout"),
      done_at: now,
      ...times,
    }),
    insert("payout_items", { order_item_id: id("item"), payout_id: id("payout"), amount: PRICE, created_at: now }),
    insert(
      "ledger_entries",
      {
        id: "'entry-' || n || leg.account || leg.kind",
        transaction_id: "leg.kind || ':' || n",
        account: "leg.account",
        kind: "leg.kind",
        amount: "leg.amount",
        order_id: id("order"),
        order_item_id: id("item"),
        created_at: now,
      },
      `CROSS JOIN (SELECT value ->> 0 AS kind, value ->> 1 AS account, value ->> 2 AS amount
        FROM json_each('${JSON.stringify(LEGS)}')) leg`,
    ),
  ]);
}
