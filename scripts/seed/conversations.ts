/** Conversations on the demo campus before a purchase. */
import type { PersonName } from "./people.ts";

export interface Conversation {
  between: [PersonName, PersonName];
  /** The listing that it is about. */
  about?: string;
  /** How many hours ago the last line was written. */
  hoursAgo: number;
  /** How many of the last lines are unread. */
  unread?: number;
  /** Speaker and text; 0 is the first person. */
  lines: [0 | 1, string][];
}

export const CONVERSATIONS: readonly Conversation[] = [
  {
    between: ["buyer", "pro"],
    about: "Two-tone leather handbag",
    hoursAgo: 1,
    unread: 2,
    lines: [
      [0, "Hi Amina, is the brown bag still there?"],
      [1, "Hi Wanjiru! Yes, one left."],
      [0, "Does it really fit a 13 inch laptop?"],
      [1, "Mine goes in with the charger on top. The zip closes, I tried this morning."],
      [1, "I can bring it to Main on Thursday if you like."],
    ],
  },
  {
    between: ["buyer", "collins"],
    about: "Fathers of Nations – Paul B. Vitta",
    hoursAgo: 7,
    unread: 1,
    lines: [
      [0, "Habari Collins, could you do 450 for Fathers of Nations?"],
      [1, "For a second chapter, yes. 480 and I add a cover."],
      [0, "Sawa, 480."],
      [1, "I am at the old library stairs until two."],
    ],
  },
  {
    between: ["buyer", "kevin"],
    about: "Study desk with two drawers",
    hoursAgo: 26,
    lines: [
      [0, "Is the desk 120 wide? My space is 125."],
      [1, "118. You will have room for your elbow."],
      [0, "And delivery to Main Campus?"],
      [1, "300 with the pick-up, free if you also take a chair."],
      [0, "Let me ask my roommate and come back."],
    ],
  },
  {
    between: ["achieng", "seller"],
    about: "HP EliteBook 840 G3, i5, 8 GB, 256 SSD",
    hoursAgo: 2,
    unread: 1,
    lines: [
      [0, "Hello, is this EliteBook the touch screen one?"],
      [1, "Not touch, Full HD matte. Better in the sun."],
      [0, "Can I come and test it after my 2 o'clock?"],
      [1, "Yes, I am here until half past six. Bring a heavy file to open."],
      [0, "On my way, ten minutes."],
    ],
  },
  {
    between: ["simiyu", "seller"],
    about: "Lenovo ThinkPad T480, i5 8th gen",
    hoursAgo: 19,
    lines: [
      [0, "Best price for the ThinkPad?"],
      [1, "31,500 with both batteries. I can go 30,500 if you collect today."],
      [0, "Deal if you add a mouse :)"],
      [1, "A mouse you shall have."],
    ],
  },
  {
    between: ["hussein", "seller"],
    about: "Infinix Hot 40i, 8+256 GB",
    hoursAgo: 52,
    lines: [
      [0, "Does it come with the receipt?"],
      [1, "Box, receipt and the unused earphones."],
      [0, "Good. I am in City today, can we meet at the gate tomorrow?"],
      [1, "Tomorrow, 1 p.m., main gate. I will have a green cap."],
    ],
  },
  {
    between: ["kiptoo", "pro"],
    about: "Laptop backpack, 15.6 inch",
    hoursAgo: 30,
    unread: 1,
    lines: [
      [0, "Is there a black one?"],
      [1, "Black comes on Thursday. Should I keep one for you?"],
      [0, "Yes please, I will pay when it arrives."],
    ],
  },
  {
    between: ["wairimu", "wholesaler"],
    about: "A4 hardcover notebooks, 4-quire, set of 3",
    hoursAgo: 75,
    lines: [
      [0, "Good morning. We are 40 in class, what is the price for 40 sets?"],
      [1, "Good morning Cynthia. From 30 sets it is 650, delivered to Parklands."],
      [0, "And a receipt for the department?"],
      [1, "Of course, with our PIN and stamp."],
    ],
  },
  {
    between: ["seller", "wholesaler"],
    about: "Casio fx-991ES Plus, new in box",
    hoursAgo: 120,
    lines: [
      [0, "Madam Grace, do you still have the Casio by the dozen?"],
      [1, "Twelve for 24,000. You sell to your side, I sell to mine."],
      [0, "Agreed. I will collect on Monday."],
    ],
  },
  {
    between: ["jamila", "mercy"],
    about: "6 kg gas complete, new burner",
    hoursAgo: 44,
    lines: [
      [0, "Can you deliver the gas to Westlands hostel, third floor?"],
      [1, "We deliver to the door, stairs included. When?"],
      [0, "Saturday morning."],
      [1, "Eight o'clock. Clear the corner where it will stand, please."],
    ],
  },
  {
    between: ["nduku", "esther"],
    about: "Birthday cakes, 1 kg",
    hoursAgo: 60,
    lines: [
      [0, 'Hi! Red velvet for Saturday, with "Happy 21 Ndanu"?'],
      [1, "Booked. Buttercream or plain?"],
      [0, "Buttercream. And no nuts at all, she is allergic."],
      [1, "Noted in red pen. I will wash everything twice."],
    ],
  },
  {
    between: ["nduku", "seller"],
    about: "65 W USB-C laptop charger",
    hoursAgo: 125,
    lines: [
      [0, "Will this charger work with an HP EliteBook 830?"],
      [1, "Yes, the 830 from G5 on charges over USB-C."],
      [0, "Mine is a G6. Thanks!"],
    ],
  },
  {
    between: ["ruto", "seller"],
    about: "TP-Link Archer C20 router",
    hoursAgo: 150,
    lines: [
      [0, "Does the router work with Faiba fibre?"],
      [1, "It does. I can set it up for you when we meet."],
    ],
  },
  {
    between: ["mwende", "seller"],
    about: "65 W USB-C laptop charger",
    hoursAgo: 200,
    lines: [
      [0, "Is there a guarantee on the charger?"],
      [1, "Three months. Keep the box."],
    ],
  },
  {
    between: ["makena", "riya"],
    about: "Lab coats, new, sizes S to XL",
    hoursAgo: 11,
    lines: [
      [0, "Do you have S that is actually small?"],
      [1, "Length 92, shoulder 38. Come and try, Parklands block B."],
      [0, "Perfect, tomorrow at noon."],
    ],
  },
];
