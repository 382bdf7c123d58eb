/**
 * Which emails would have left in a simulated campus, as `decideDelivery` says: the simulation sends none, but keeps
 * when each was queued and when its reader saw the same in the app. What was no longer true counts, so it is an upper
 * limit.
 */
import { decideDelivery, waitOf } from "#app/notifications/delivery-rules.ts";
import { type Kind, KINDS } from "#app/notifications/kinds.ts";

interface Row {
  kind: Kind;
  queuedAt: number;
  readAt: number | null;
  /** JSON of [kind, at, readAt] of what its reader was told later about the same thing. */
  later: string;
}

const MAILS = `SELECT o.payload ->> 'template' AS kind, o.created_at AS queuedAt, n.read_at AS readAt,
    (SELECT json_group_array(json_array(l.kind, l.created_at, l.read_at)) FROM notifications l
      WHERE l.user_id = n.user_id AND l.thing = n.thing AND l.id > n.id) AS later
  FROM outbox o LEFT JOIN notifications n ON n.key = o.dedupe_key WHERE o.topic = 'mail'`;

/** Whether each reader uses a device that takes pushes. */
const DEVICES = { "without devices": false, "with devices": true };

export class EmailCount {
  /** Of each kind, how many would have left. */
  readonly #left = Object.fromEntries(Object.keys(DEVICES).map((name) => [name, new Map<string, number>()]));
  #paid = 0;

  async add(d1: D1Database): Promise<void> {
    const [mails, deals] = await d1.batch<Row & { n: number }>([
      d1.prepare(MAILS),
      d1.prepare("SELECT COUNT(*) AS n FROM order_items WHERE paid_at IS NOT NULL AND subtotal > 0"),
    ]);
    this.#paid += deals?.results[0]?.n ?? 0;
    for (const [name, isReached] of Object.entries(DEVICES)) {
      const left = this.#left[name];
      for (const mail of mails?.results ?? [])
        if (leaves(mail, isReached)) left?.set(mail.kind, (left.get(mail.kind) ?? 0) + 1);
    }
  }

  /** By kind, the commonest first: how many would have left for each paid deal. */
  report(): string {
    const each = (n: number) => (n / this.#paid).toFixed(3);
    return Object.entries(this.#left)
      .flatMap(([name, left]) => {
        const all = [...left.values()].reduce((sum, n) => sum + n, 0);
        const kinds = [...left].toSorted(([, a], [, b]) => b - a).map(([kind, n]) => `email ${each(n)} ${kind}`);
        return [`email ${each(all)} in all ${name}, for each of ${this.#paid} paid deals`, ...kinds];
      })
      .join("\n");
  }
}

function leaves({ kind, queuedAt, readAt, later }: Row, isReached: boolean): boolean {
  // The day of an outage queues emails of no kind.
  if (!(kind in KINDS)) return false;
  const now = queuedAt + (waitOf(kind, "email") ?? 0);
  const news = (JSON.parse(later) as [Kind, number, number | null][]).filter(
    ([, at, seenAt]) => at <= now && (seenAt === null || seenAt > now),
  );
  const delivery = decideDelivery({
    kind,
    way: "email",
    account: null,
    isSeen: readAt !== null && readAt <= now,
    isReached,
    later: news.map(([one]) => one),
    isWanted: true,
    quiet: null,
    remindsOf: null,
    now,
  });
  return delivery.do === "send";
}
