/** The orders of the demo campus: who bought what, how long ago, and the current status. */
import type { ReviewTag } from "#app/db/states/review.ts";
import type { PersonName } from "./people.ts";

/** The status of one line of a paid order. */
export type LineState = "need_contact" | "waiting" | "ready" | "shipped" | "delivered" | "completed";

type Opinion = [rating: 1 | 2 | 3 | 4 | 5, text: string, tags?: ReviewTag[]];

/** What the two sides of one completed line say about each other, and the seller's reply. */
export interface LineReviews {
  buyer?: Opinion;
  seller?: Opinion;
  reply?: string;
  /** The buyer adds a photo of what they got. */
  hasPhoto?: boolean;
}

export interface Deal {
  buyer: PersonName;
  hoursAgo: number;
  /**
   * `unpaid`: at checkout. `failed`: the last payment attempt failed. `expired`: never paid. `paid_twice`: a refund is
   * due. Undefined: paid.
   */
  payment?: "unpaid" | "failed" | "expired" | "paid_twice";
  /** Name of the listing, pieces and, for a paid order, the status of the line. */
  lines: [string, number, LineState?][];
  /** The delivery address; undefined for pickup. */
  deliverTo?: string;
  instructions?: string;
  /** The messages in turns. The seller begins. */
  chat?: string[];
  /**
   * The seller suggested it in the conversation and the buyer accepted. It is tomorrow, at this hour; a missed one was
   * yesterday.
   */
  meeting?: { campus: 1 | 2 | 3 | 4; point: string; hour: number; isMissed?: true };
  /** Of the completed lines, in their order. */
  reviews?: LineReviews[];
}

export const DEALS: readonly Deal[] = [
  // The orders of buyer@
  { buyer: "buyer", hoursAgo: 1.5, payment: "unpaid", lines: [["TP-Link Archer C20 router", 1]] },
  { buyer: "buyer", hoursAgo: 4, payment: "failed", lines: [["65 W USB-C laptop charger", 1]] },
  { buyer: "buyer", hoursAgo: 6, lines: [["Casio fx-991ES Plus", 1, "need_contact"]] },
  {
    buyer: "buyer",
    hoursAgo: 28,
    lines: [["Tecno Spark 20, gravity black", 1, "waiting"]],
    deliverTo: "Hall 6, room 214, Main Campus",
    instructions: "Call when you reach the gate, the askari knows me.",
    chat: ["Hi Wanjiru, thank you for your order! Can I bring the phone to Hall 6 tomorrow around five?"],
  },
  {
    buyer: "buyer",
    hoursAgo: 30,
    lines: [["65 W USB-C laptop charger", 1, "delivered"]],
    chat: ["Your charger is at the reception of Hall 6.", "Okay, I will fetch it after class."],
  },
  {
    buyer: "buyer",
    hoursAgo: 50,
    lines: [["24-inch HP monitor, Full HD", 1, "ready"]],
    chat: [
      "Hello, the monitor is packed. I can bring it to Main Campus tomorrow afternoon.",
      "Tomorrow works for me, thank you!",
    ],
    meeting: { campus: 1, point: "Student centre, ground floor", hour: 16 },
  },
  {
    buyer: "buyer",
    hoursAgo: 98,
    lines: [
      ["Oraimo 20,000 mAh power bank", 1, "shipped"],
      ["Ramtons cordless kettle 1.7 L", 1, "completed"],
      ["Thermos flask 1 litre", 2, "completed"],
    ],
    deliverTo: "Hall 6, room 214, Main Campus",
    chat: ["It goes out with the three o'clock rider, is someone in the room?", "Yes, my roommate is there all day."],
    reviews: [
      {
        buyer: [
          5,
          "Boils fast, came with the original box. Mercy even wrapped the base.",
          ["as_described", "friendly", "good_packaging"],
        ],
        hasPhoto: true,
        seller: [5, "Polite, and somebody was in the room as agreed.", ["friendly", "on_time"]],
      },
      { seller: [5, "", ["paid_promptly"]] },
    ],
  },
  {
    buyer: "buyer",
    hoursAgo: 300,
    lines: [["Dell Latitude 7490 with mouse", 1, "completed"]],
    chat: [
      "Good afternoon, the Latitude is ready and fully charged. Shall we meet at the student centre?",
      "Perfect, I will be there at four.",
    ],
    reviews: [
      {
        buyer: [
          5,
          "Exactly as described, even the sticker mark on the lid. Brian stayed while I tested it.",
          ["as_described", "friendly", "on_time"],
        ],
        seller: [5, "On time, and knew what she wanted.", ["friendly", "on_time"]],
        reply: "Thank you, Wanjiru. Call me if the charger gives you trouble.",
        hasPhoto: true,
      },
    ],
  },
  {
    buyer: "buyer",
    hoursAgo: 20,
    lines: [["Plain wooden chair, free to collect", 1, "ready"]],
    chat: ["Take it any evening, I will be painting anyway.", "Alright, tomorrow at six."],
  },
  { buyer: "buyer", hoursAgo: 400, payment: "expired", lines: [["Blue skater dress", 1]] },
  // The sales of seller@
  { buyer: "achieng", hoursAgo: 9, lines: [["Lenovo ThinkPad T480, i5 8th gen", 1, "need_contact"]] },
  {
    buyer: "hussein",
    hoursAgo: 54,
    lines: [["Infinix Hot 40i, 8+256 GB", 1, "ready"]],
    chat: ["Hi Hussein, tomorrow at one at the main gate?", "Okay, see you there."],
    meeting: { campus: 1, point: "Main gate, security desk", hour: 13 },
  },
  {
    buyer: "kiptoo",
    hoursAgo: 80,
    lines: [["Dell OptiPlex desktop, complete", 1, "shipped"]],
    deliverTo: "Kiptoo's bedsitter, Gate C, blue door",
    chat: ["The pick-up leaves at two with your desktop. Fine?", "Fine, I will help to carry."],
  },
  {
    buyer: "jamila",
    hoursAgo: 400,
    lines: [["Casio fx-991ES Plus with its manual", 1, "completed"]],
    chat: ["I left it with the librarian, as you asked.", "Got it, thank you!"],
  },
  {
    buyer: "simiyu",
    hoursAgo: 700,
    lines: [["Casio fx-991ES Plus, light scratches", 1, "completed"]],
    chat: ["Meet me after the two o'clock lecture?", "Okay, at the steps."],
  },
  {
    buyer: "hussein",
    hoursAgo: 560,
    lines: [["Casio fx-991ES Plus, hardly used", 1, "completed"]],
    chat: ["I am at the library until six.", "Okay, coming at five."],
  },
  {
    buyer: "makena",
    hoursAgo: 210,
    lines: [["Casio fx-991ES Plus", 1, "completed"]],
    chat: ["Your calculator is here.", "Good, coming now."],
    // Not published yet: the seller hasn't written.
    reviews: [{ buyer: [5, "Original, hologram and all.", ["as_described"]] }],
  },
  {
    buyer: "wairimu",
    hoursAgo: 380,
    lines: [["65 W USB-C laptop charger", 2, "completed"]],
    deliverTo: "Parklands Campus, hostel 2 reception",
    chat: ["Two chargers are on the rider to Parklands.", "Perfect."],
    reviews: [
      { buyer: [4, "Works well. The rider needed two calls to find the hostel.", ["as_described", "quick_answers"]] },
    ],
  },
  {
    buyer: "jamila",
    hoursAgo: 520,
    lines: [["TP-Link Archer C20 router", 1, "completed"]],
    chat: ["Router is reset and ready.", "Sure, I will pass by."],
    reviews: [
      {
        buyer: [3, "The router is fine, but I waited forty minutes at the gate.", ["as_described", "late"]],
        seller: [4, "Patient and friendly.", ["friendly"]],
        reply: "Sorry about the wait, Jamila. My lab ran over.",
      },
    ],
  },
  {
    buyer: "simiyu",
    hoursAgo: 700,
    lines: [["Tecno Spark 20, gravity black", 1, "completed"]],
    chat: ["Sealed and ready, with the warranty card.", "Okay, gate B at five."],
    reviews: [{ buyer: [5, "Sealed, warranty stamped, no stories.", ["as_described", "on_time"]] }],
  },
  {
    buyer: "seller",
    hoursAgo: 130,
    lines: [
      ["Bic blue biros, box of 50", 1, "completed"],
      ["Printing paper, 80 gsm, one ream", 2, "completed"],
    ],
    chat: ["The carton is on its way.", "Good, thank you."],
    reviews: [
      {
        buyer: [5, "Always on time, always the right paper.", ["on_time", "good_packaging"]],
        seller: [5, "A regular customer who plans ahead.", ["quick_answers"]],
      },
      { buyer: [4, "One ream had a torn wrapper, the paper was fine."], seller: [5, ""] },
    ],
  },
  // Other shops
  {
    buyer: "achieng",
    hoursAgo: 160,
    lines: [
      ["Shea body lotion 400 ml", 2, "completed"],
      ["Sunscreen SPF 50, 100 ml", 1, "completed"],
    ],
    chat: ["Fresh batch, come by Parklands.", "Sure!"],
    reviews: [
      { buyer: [5, "My skin is grateful.", ["friendly"]], seller: [5, "Lovely to meet.", ["friendly", "on_time"]] },
      { buyer: [5, "Long expiry date, properly sealed.", ["as_described", "good_packaging"]], seller: [5, ""] },
    ],
  },
  {
    buyer: "simiyu",
    hoursAgo: 33,
    lines: [["Size 5 football, match ball", 1, "shipped"]],
    chat: ["Pumped and posted.", "Okay!"],
  },
  {
    buyer: "jamila",
    hoursAgo: 40,
    lines: [["6 kg gas complete, new burner", 1, "ready"]],
    deliverTo: "Westlands hostel, third floor, room 309",
    chat: ["Saturday at eight with the gas, confirmed?", "Confirmed."],
  },
  {
    buyer: "wairimu",
    hoursAgo: 260,
    lines: [["A4 hardcover notebooks, 4-quire, set of 3", 30, "completed"]],
    deliverTo: "Department office, Parklands Campus",
    chat: ["All thirty sets are loaded.", "Perfect, bring the receipt please."],
    reviews: [
      {
        buyer: [5, "Thirty sets, all dry, delivered to the office.", ["as_described", "good_packaging"]],
        seller: [5, "Clear order, easy delivery.", ["quick_answers", "paid_promptly"]],
      },
    ],
  },
  {
    buyer: "kiptoo",
    hoursAgo: 190,
    lines: [["Brown officials, size 44", 1, "completed"]],
    chat: ["They are polished and in the box.", "Great, good price."],
  },
  {
    buyer: "nduku",
    hoursAgo: 62,
    lines: [["Birthday cakes, 1 kg", 1, "ready"]],
    chat: ["Red velvet, no nuts. I bake in the morning.", "Yes, that works."],
    meeting: { campus: 3, point: "Law library, entrance", hour: 10, isMissed: true },
  },
  {
    buyer: "ruto",
    hoursAgo: 340,
    lines: [["New mattress 4 × 6 × 8, quilted", 1, "completed"]],
    deliverTo: "Brookside flats, house 12, Westlands",
    chat: ["Mattress and two strong people, on Sunday?", "Sounds good."],
    reviews: [{ buyer: [5, "They carried it to the fourth floor and took the plastic away.", ["friendly"]] }],
  },
  {
    buyer: "hussein",
    hoursAgo: 230,
    lines: [["The River and the Source – Margaret Ogola", 1, "completed"]],
    chat: ["It is in my bag, find me at the library.", "Okay"],
  },
  {
    buyer: "makena",
    hoursAgo: 12,
    lines: [["Lab coats, new, sizes S to XL", 1, "waiting"]],
    chat: ["Hi Makena, noon tomorrow at block B to try the size?"],
  },
  {
    buyer: "achieng",
    hoursAgo: 440,
    lines: [["Oraimo FreePods 4, noise cancelling", 1, "completed"]],
    chat: ["Scratch the code in front of me.", "Sure, coming."],
    reviews: [{ buyer: [5, "Genuine. The code checked out.", ["as_described"]] }],
  },
  {
    buyer: "ruto",
    hoursAgo: 90,
    payment: "paid_twice",
    lines: [["Hostel duvet 4 × 6 with pillowcases", 1, "shipped"]],
    chat: [
      "Your duvet is on the way. M-Pesa shows two payments, the campus will refund one.",
      "Okay, thank you for telling me.",
    ],
  },
  {
    buyer: "nduku",
    hoursAgo: 610,
    lines: [
      ["Darling braids, pack of 6, colour 1B", 2, "completed"],
      ["Rose soap, hand-cut bars", 2, "completed"],
    ],
    chat: ["Both packs are kept for you.", "Perfect"],
    reviews: [
      {
        buyer: [4, "Lovely texture; one pack was colour 1, not 1B, and Fatuma swapped it at once.", ["quick_answers"]],
        reply: "Thank you for your patience, Nduku.",
      },
      { buyer: [5, "Smells like my grandmother's garden."] },
    ],
  },
  {
    buyer: "kiptoo",
    hoursAgo: 170,
    lines: [["Dumbbells 5 kg, rubber coated", 1, "completed"]],
    chat: ["Heavy parcel, light price. Pitch at five?", "Alright."],
    reviews: [{ buyer: [5, "My neighbours below disagree.", ["as_described"]] }],
  },
  { buyer: "hussein", hoursAgo: 3, payment: "failed", lines: [["Laptop backpack, 15.6 inch", 1]] },
];
