/** The shops of the demo campus. */
import type { Backdrop } from "./backdrops.ts";
import type { CategoryId } from "./listings/listing.ts";
import type { PersonName } from "./people.ts";
import type { Placement, Recipe } from "./studio.ts";

interface Shop {
  owner: PersonName;
  name: string;
  description: string;
  delivers: boolean;
  /** JSON or plain text, as the owner typed it. */
  hours: string;
  policies: string;
  contact: string;
  /** The categories that it sells new, for listings that name no seller. */
  sells: CategoryId[];
  banner: Recipe;
}

/** Objects side by side from left to right, the middle ones nearer to the camera. */
function banner(backdrop: Backdrop, ...objects: [string, number, Partial<Placement>?][]): Recipe {
  const things = objects.map(([object, size, more], at) => ({
    object,
    size,
    x: 0.14 + (0.72 * at) / (objects.length - 1),
    y: 0.86 + (at % 2) * 0.04,
    ...more,
  }));
  return { stage: "sweep", backdrop, shape: "banner", things };
}

const WEEKDAYS = JSON.stringify({ "Mon–Fri": "8:00–18:30", Sat: "9:00–15:00", Sun: "Closed" });
const EVENINGS = JSON.stringify({ "Mon–Fri": "16:30–20:30", Sat: "10:00–18:00", Sun: "13:00–18:00" });
const DAILY = JSON.stringify({ "Mon–Sat": "7:30–20:00", Sun: "10:00–17:00" });

export const SHOPS: readonly Shop[] = [
  {
    owner: "seller",
    name: "Otieno Tech Corner",
    description:
      "Ex-UK laptops, phones and honest specifications. Everything is tested on the table in front of you, and I tell you what is wrong before you find it.",
    delivers: true,
    hours: WEEKDAYS,
    policies:
      "Seven days to return anything that does not match its description. Warranty repairs are done by me, not sent to town.",
    contact: "Chat here, or find me at the tech corner behind the student centre",
    sells: ["electronics"],
    banner: banner(
      "sand",
      ["2328-fe0f", 0.52],
      ["1f4bb", 0.74],
      ["1f5a5-fe0f", 0.72],
      ["1f4f1", 0.62],
      ["1f3a7", 0.56],
    ),
  },
  {
    owner: "pro",
    name: "Amina's Closet",
    description:
      "Dresses, bags and small luxuries picked one by one. New stock every Thursday evening, gone by Saturday.",
    delivers: true,
    hours: EVENINGS,
    policies: "Try before you pay at City Campus. Exchanges within three days with the tag on.",
    contact: "Chat first, I reply between lectures",
    sells: ["fashion", "beauty"],
    banner: banner(
      "blush",
      ["1f460", 0.5],
      ["1f457", 0.78],
      ["1f45c", 0.62],
      ["1f576-fe0f", 0.44, { y: 0.74 }],
      ["1f45f", 0.56],
    ),
  },
  {
    owner: "wholesaler",
    name: "Muthoni Stationers Wholesale",
    description:
      "Books, biros, calculators and paper by the piece or by the carton. Supplying class representatives and printing bureaus since 2014.",
    delivers: true,
    hours: DAILY,
    policies: "Cartons are delivered free to any campus. Faulty calculators are replaced on the spot within a year.",
    contact: "Phone or chat, and e-mail for quotations",
    sells: ["stationery"],
    banner: banner(
      "butter",
      ["1f4da", 0.6],
      ["calculator", 0.76],
      ["1f4d2", 0.6],
      ["1f5c2-fe0f", 0.62],
      ["1f4d0", 0.58],
    ),
  },
  {
    owner: "kevin",
    name: "Bedsitter Sorted",
    description:
      "Beds, desks and mattresses that go through hostel doors. We buy from finalists in December and sell to first-years in September.",
    delivers: true,
    hours: WEEKDAYS,
    policies:
      "Delivery and assembly in Westlands is free above KES 5,000. Used furniture is sold as seen, so come and sit on it.",
    contact: "Chat, or call before six",
    sells: ["furniture"],
    banner: banner("clay", ["1fa91", 0.66], ["desk", 0.86], ["1f6cb-fe0f", 0.84], ["bookshelf", 0.8], ["1fab4", 0.54]),
  },
  {
    owner: "mercy",
    name: "Jikoni Mini-Mart",
    description: "Everything for a one-ring kitchen: kettles, sufurias, full gas and the duvet for afterwards.",
    delivers: true,
    hours: DAILY,
    policies: "Gas is leak-tested at your door. Electricals carry their maker's warranty.",
    contact: "Chat or call any time before eight",
    sells: ["kitchen"],
    banner: banner("mint", ["kettle", 0.66], ["gas-cooker", 0.78], ["1f372", 0.6], ["blender", 0.76], ["flask", 0.62]),
  },
  {
    owner: "collins",
    name: "Second Chapter Books",
    description: "Set books, course texts and novels that deserve another reader. Bring two, take one.",
    delivers: false,
    hours: "Weekdays 12 to 2 and after 4, at the stairs of the old library",
    policies: "If a page is missing, your money comes back, no questions.",
    contact: "Chat with the title and edition you need",
    sells: ["textbooks"],
    banner: banner("sage", ["1f4d7", 0.56], ["1f4da", 0.7], ["1f4d8", 0.62], ["1f4d5", 0.58], ["1f4d9", 0.54]),
  },
  {
    owner: "fatuma",
    name: "Fatuma's Beauty Bar",
    description: "Braids, shea butter and a mirror that tells the truth. By students, for students, at student prices.",
    delivers: false,
    hours: EVENINGS,
    policies: "Bookings need a day's notice. Products are sealed and dated.",
    contact: "Chat to book, walk in to browse",
    sells: ["beauty"],
    banner: banner("lilac", ["1f9f4", 0.56], ["hair-dryer", 0.66], ["1fa9e", 0.74], ["1f484", 0.54], ["braids", 0.66]),
  },
  {
    owner: "samson",
    name: "Kipute Sports",
    description:
      "Balls, boots and gym gear from someone who coaches the hockey seconds. Lekuta knows which racket you can actually use.",
    delivers: true,
    hours: WEEKDAYS,
    policies: "Balls are replaced if they lose air in the first two weeks. Team orders get ten percent off.",
    contact: "Chat, or catch me at the pitch on Wednesday",
    sells: ["sports"],
    banner: banner("sky", ["26bd", 0.52], ["1f3c0", 0.58], ["dumbbells", 0.7], ["1f3d0", 0.54], ["1f94a", 0.6]),
  },
  {
    owner: "joyce",
    name: "Print Haven",
    description: "Printing, binding and past papers. Send it at breakfast, hand it in before lunch.",
    delivers: true,
    hours: DAILY,
    policies: "Our mistake, free reprint. Your typo, half price.",
    contact: "Chat with the PDF, or e-mail it",
    sells: ["services", "study-materials"],
    banner: banner(
      "stone",
      ["1f4c4", 0.5],
      ["1f5a8-fe0f", 0.76],
      ["1f4cb", 0.6],
      ["1f5c2-fe0f", 0.62],
      ["1f4da", 0.56],
    ),
  },
  {
    owner: "dennis",
    name: "Fundi Dennis",
    description:
      "Laptops, screens and chargers brought back to life. If it cannot be repaired, you pay nothing and I buy it for parts.",
    delivers: false,
    hours: EVENINGS,
    policies: "Ninety days on every repair. Your data is yours; I never open a folder.",
    contact: "Chat with a photo of the damage",
    sells: [],
    banner: banner(
      "dusk",
      ["1fa9b", 0.56, { turn: 20 }],
      ["1f9f0", 0.66],
      ["1f4bb", 0.72],
      ["1f527", 0.56],
      ["1f50b", 0.56],
    ),
  },
  {
    owner: "riya",
    name: "Lab & Lecture",
    description:
      "Lab coats, goggles, drawing boards and rackets for after class. Sized properly, priced for HELB week.",
    delivers: true,
    hours: WEEKDAYS,
    policies: "Unworn coats can be exchanged for another size within a week.",
    contact: "Chat here",
    sells: ["study-materials"],
    banner: banner(
      "mint",
      ["1f52c", 0.66],
      ["1f97c", 0.76],
      ["2697-fe0f", 0.64],
      ["drawing-board", 0.74],
      ["1f97d", 0.5],
    ),
  },
  {
    owner: "peter",
    name: "Mitumba Gold",
    description: "First-camera mitumba, washed and pressed before you see it. Denim is the speciality of the house.",
    delivers: true,
    hours: EVENINGS,
    policies: "Wrong size? Swap it within two days.",
    contact: "Chat your size and I will send what I have",
    sells: ["fashion"],
    banner: banner(
      "butter",
      ["1f456", 0.74],
      ["1f9e5", 0.78, { hue: 185, saturation: 0.9 }],
      ["1f455", 0.64],
      ["1f9e2", 0.48],
      ["1f45e", 0.5],
    ),
  },
  {
    owner: "halima",
    name: "Gadget Duka",
    description: "Genuine earbuds, power banks and chargers with the scratch code intact. No copies, ever.",
    delivers: true,
    hours: DAILY,
    policies: "One-to-one replacement for six months on everything sealed.",
    contact: "Chat or call",
    sells: ["gadgets"],
    banner: banner("lilac", ["power-bank", 0.62], ["1f3a7", 0.66], ["speaker", 0.72], ["earbuds", 0.5], ["231a", 0.6]),
  },
  {
    owner: "esther",
    name: "Akinyi Bakes & Crafts",
    description: "Cakes to order, honey from Kitui and house plants that forgive. Wrapped with a ribbon if you ask.",
    delivers: true,
    hours: "Orders by Thursday, pick-up on Saturday",
    policies: "Half is paid on order. Allergies: tell me, I bake at home with groundnuts.",
    contact: "Chat with the date and the name on the cake",
    sells: ["other"],
    banner: banner("blush", ["1f36f", 0.52], ["1f382", 0.7], ["1fab4", 0.66], ["1f381", 0.56], ["1f951", 0.5]),
  },
  {
    owner: "victor",
    name: "Sound & Strings",
    description: "Guitars, keyboards and drums for chapel, club and corridor. Come and play before you pay.",
    delivers: false,
    hours: "Weekends, and weekday evenings after choir",
    policies: "Instruments are tuned and set up before they leave. Free restring in the first month.",
    contact: "Chat, or follow the noise at Parklands",
    sells: [],
    banner: banner("clay", ["1fa98", 0.6], ["1f3b8", 0.78], ["1f3b9", 0.6], ["1f399-fe0f", 0.6], ["1f3bb", 0.68]),
  },
];
