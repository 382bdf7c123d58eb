import type { CaseSubject, ReportReason } from "#app/db/states/moderation.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import { harmOf } from "#app/moderation/cases/case-rules.ts";
import { chanceOf, idOf } from "./chance.ts";
import { CONVERSATIONS, type Conversation } from "./conversations.ts";
import { PEOPLE, type PersonName } from "./people.ts";
import { idOfPerson, NAMES } from "./residents.ts";
import { DAY, HOUR, MINUTE, type Row, type Rows } from "./rows.ts";
import type { Product } from "./stock.ts";
import { productNamed } from "./trade.ts";

/** The cart of buyer@: products and quantities. */
const CART: [string, number][] = [
  ["Lab coats, new, sizes S to XL", 1],
  ["Plain T-shirts, cotton, pack of 3", 2],
  ["Sufuria set, 5 pieces with lids", 1],
];
const WISHES = [
  "Sony WH-CH510 wireless headphones",
  "Study desk with two drawers",
  "Djembe, goat skin",
  "Hiking rucksack 40 L",
  "Potted money plant",
];

/** What buyer@ looks for, and has asked everybody for. */
export const SHARED_SEARCH = idOf("shared search");

/** A saved search of buyer@. Nothing on the demo campus fits it. */
export function savedSearchRows(now: number): Pick<Rows, "savedQueries" | "savedSearches"> {
  const createdAt = now - 2 * DAY;
  return {
    savedQueries: [{ id: 1, address: "q=ukulele&max=3000&condition=good", maxPrice: 3_000, createdAt }],
    savedSearches: [
      { id: SHARED_SEARCH, userId: idOfPerson("buyer"), queryId: 1, createdAt, sharedAt: createdAt + HOUR },
    ],
  };
}

/** Conversations about listings, oldest first. */
export function conversationMessages(now: number, products: Product[]): Row<"messages">[] {
  return CONVERSATIONS.flatMap((conversation, at) => write(conversation, `conversation ${at}`, now, products));
}

function write(
  { between, about, hoursAgo, unread = 0, lines }: Conversation,
  label: string,
  now: number,
  products: Product[],
): Row<"messages">[] {
  const people = between.map((name) => ({ id: idOfPerson(name), name: PEOPLE[name].fullName }));
  const [first, second] = people;
  if (!first || !second) throw new Error(`${label} needs two people`);
  const chance = chanceOf(label);
  let createdAt = now - hoursAgo * HOUR;
  const written = lines.toReversed().map(([who, message], back): Row<"messages"> => {
    const [sender, recipient] = who === 0 ? [first, second] : [second, first];
    const row = {
      id: idOf(`${label} ${lines.length - back}`),
      thread: threadOf(first.id, second.id),
      senderId: sender.id,
      recipientId: recipient.id,
      productId: about && back === lines.length - 1 ? productNamed(about, products).id : null,
      message,
      senderName: sender.name,
      recipientName: recipient.name,
      read: back >= unread,
      createdAt,
    };
    createdAt -= (2 + chance.below(22)) * MINUTE;
    return row;
  });
  return written.toReversed();
}

/** Carts, wishlists, and the reports that wait for the admin. */
export function cartsAndReports(
  now: number,
  products: Product[],
  { orders, reviews }: { orders: Row<"orders">[]; reviews: Row<"reviews">[] },
): Rows {
  const buyer = idOfPerson("buyer");
  const wished = WISHES.map((name, at) => ({
    userId: buyer,
    product: productNamed(name, products),
    createdAt: now - (at + 1) * 9 * HOUR,
  }));
  return {
    cartItems: CART.map(([name, quantity], at) => {
      const product = productNamed(name, products);
      const createdAt = now - (3 - at) * HOUR;
      return {
        id: idOf(`cart ${name}`),
        userId: buyer,
        productId: product.id,
        quantity,
        priceWhenAdded: product.price,
        createdAt,
        updatedAt: createdAt,
      };
    }),
    wishlistItems: [...wished, ...othersWishes(now, products)].map(({ userId, product, createdAt }) => ({
      id: idOf(`wish ${userId} ${product.id}`),
      userId,
      productId: product.id,
      price: product.price,
      createdAt,
    })),
    issueReports: [report(now, products, orders)],
    ...complaints(now, products, reviews),
  };
}

/** Reports for the queue of moderation. */
function complaints(now: number, products: Product[], reviews: Row<"reviews">[]): Rows {
  const copied = productNamed("Laptop backpack, 15.6 inch", products);
  const reported = reviews.find(({ text }) => text === "Smells like my grandmother's garden.");
  if (!reported) throw new Error("there is no review to report");
  const cases: Complaint[] = [
    {
      subject: "person",
      subjectId: idOfPerson("seller"),
      reportedId: idOfPerson("seller"),
      hoursAgo: 30,
      by: [
        [
          "hussein",
          "scam",
          "He asked me to pay outside the app at first. He has said sorry since, but please remind sellers.",
        ],
      ],
    },
    {
      subject: "listing",
      subjectId: copied.id,
      reportedId: copied.sellerId,
      hoursAgo: 8,
      by: [
        ["kiptoo", "fake", "The photos are from a shop's website."],
        ["wairimu", "spam", ""],
      ],
    },
    {
      subject: "review",
      subjectId: reported.id,
      reportedId: reported.authorId,
      hoursAgo: 20,
      by: [["simiyu", "spam", "I can't tell from it whether the soap is any good."]],
    },
    {
      subject: "message",
      // What Collins answered about the price: nothing is wrong with it.
      subjectId: idOf("conversation 1 2"),
      reportedId: idOfPerson("collins"),
      hoursAgo: 3,
      by: [["buyer", "spam", ""]],
    },
  ];
  return {
    moderationCases: cases.map(({ subject, subjectId, reportedId, hoursAgo, by }) => ({
      id: idOf(`case ${subjectId}`),
      subject,
      subjectId,
      reportedId,
      harm: harmOf({ reasons: by.map(([, reason]) => reason), upheld: 0 }),
      reports: by.length,
      appealToken: idOf(`appeal ${subjectId}`),
      createdAt: now - hoursAgo * HOUR,
      updatedAt: now - hoursAgo * HOUR,
    })),
    reports: cases.flatMap(({ subjectId, hoursAgo, by }) =>
      by.map(([reporter, reason, text]) => ({
        id: idOf(`report of ${subjectId} by ${reporter}`),
        caseId: idOf(`case ${subjectId}`),
        reporterId: idOfPerson(reporter),
        reason,
        text,
        createdAt: now - hoursAgo * HOUR,
      })),
    ),
  };
}

interface Complaint {
  subject: CaseSubject;
  subjectId: string;
  reportedId: string;
  hoursAgo: number;
  by: [reporter: PersonName, reason: ReportReason, text: string][];
}

function othersWishes(now: number, products: Product[]) {
  return NAMES.filter((name) => name !== "buyer").flatMap((name) => {
    const chance = chanceOf(`wishes of ${name}`);
    const wished = chance.shuffle(
      products.filter((product) => product.status === "active" && product.sellerId !== idOfPerson(name)),
    );
    return wished
      .slice(0, chance.below(5))
      .map((product) => ({ userId: idOfPerson(name), product, createdAt: now - chance.below(12 * 24) * HOUR }));
  });
}

function report(now: number, products: Product[], orders: Row<"orders">[]): Row<"issueReports"> {
  const product = productNamed("65 W USB-C laptop charger", products);
  const order = orders.find((candidate) => candidate.userId === idOfPerson("wairimu"));
  return {
    id: idOf("issue report"),
    userId: idOfPerson("wairimu"),
    sellerId: product.sellerId,
    productId: product.id,
    orderId: order?.id ?? null,
    description:
      "One of the two chargers gets very hot after an hour. The seller is willing to swap it, I only want it on record.",
    createdAt: now - DAY,
  };
}
