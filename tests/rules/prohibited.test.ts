import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  findProhibited,
  heldForOf,
  type ProhibitedTerm,
  readList,
  readTerm,
} from "#app/catalogue/selling/prohibited-rules.ts";
import { heldBecause } from "#app/catalogue/selling/held-rules.ts";
import { makeDatabase, readMigrations } from "#scripts/migrations.ts";

/** The list that Chuoni begins with. */
const LIST = readList(startingTerms());

function startingTerms(): ProhibitedTerm[] {
  const db = makeDatabase(readMigrations());
  return db.prepare("SELECT kind, term FROM prohibited_terms ORDER BY term").all() as unknown as ProhibitedTerm[];
}

function found(description: string, name = "Something"): string[] {
  return findProhibited({ name, description, category: "books" }, LIST);
}

describe("the list that Chuoni begins with", () => {
  test.each([
    ["Real gun, call me", "gun"],
    ["Guns!", "gun"],
    ["g u n for sale", "gun"],
    ["G.U.N", "gun"],
    ["a g\u200bu\u200bn", "gun"],
    ["ｇｕｎ", "gun"],
    ["gün", "gun"],
    ["g\u0443n and \u0441\u043ecaine", "cocaine"],
    ["c0ca1ne", "cocaine"],
    ["fresh b.h.a.n.g from Busia", "bhang"],
    ["bh-ang", "bhang"],
    ["W-e-e-d, very good", "weed"],
    ["$tolen phone", "stolen"],
    ["Chang’aa and busaa", "chang'aa"],
    ["Changaa", "chang'aa"],
    ["FAKE IDs made in a day", "fake id"],
    ["fakeid", "fake id"],
    ["Fake  certificates", "fake certificate"],
    ["fake licences", "fake licence"],
    ["leaked exams for end of semester", "leaked exam"],
    ["Registered SIMs", "registered sim"],
    ["The glue gun and the gun are sold together", "gun"],
    ["fixed matches, sure win", "fixed match"],
    ["Bangi safi", "bangi"],
    ["This phone isn't stolen. The other one is stolen", "stolen"],
    // Letters that look like ours, from the table that names are read by.
    ["ɢᴜɴ, call me", "gun"],
    ["ցun", "gun"],
    ["🅶🆄🅽", "gun"],
    ["🇬🇺🇳", "gun"],
    ["🇰🇪Gun🇰🇪", "gun"],
    ["ᴄоϲаіɴе", "cocaine"],
    ["pisтol and ammunition", "pistol"],
    ["pistoӏ", "pistol"],
    ["p1stol", "pistol"],
    ["pisto1", "pistol"],
    ["p!stol", "pistol"],
    ["8hang", "bhang"],
  ])("%j is looked at", (text, term) => {
    expect(found(text)).toContain(term);
    expect(found("Nothing to see", text)).toContain(term);
  });

  test.each([
    "Gunny bag, begun in Gunners colours",
    "Hot glue gun with sticks",
    "Two massage guns",
    "Gun-metal grey kettle",
    "Weed killer for the shamba, weed control",
    "Jembe to remove weeds",
    "Seaweed soap",
    "Bullet journal with bullet points",
    "Passport cover and passport size photos",
    "Exam papers 2019 to 2023 with answers, past papers",
    "Ivory dress, size M",
    "Sim card holder with an ejector pin",
    "My hero in this book is a heroine",
    "Research methods, second edition",
    "Counterfeit money detector",
    "It is not stolen, I have the receipt",
    "This phone isn't stolen, and the charger is not a counterfeit",
    "No counterfeits, no stolen goods",
    "Hammer of drop-forged steel, camera with a pistol grip",
    "Guns N' Roses hoodie",
    "Mekanika notes, class of 2023",
    "Sizes S M L X L, legs 9 to 5, 100 % cotton",
    "KES 1,500, 0722 000 020, model G-1",
  ])("%j is fine", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("what universities forbid", () => {
  test.each([
    ["an assignment", "I can do your assignments, any unit, 300 per page"],
    ["an assignment", "Nafanya assignment zote, bei poa"],
    ["an assignment", "Hire me to do your assignment"],
    ["a thesis", "Thesis writing, from proposal to defence"],
    ["a dissertation", "We write your dissertation in a week"],
    ["an essay", "Essay writing service, no AI"],
    ["a project", "Let me write your project, chapters 1 to 5"],
    ["a CAT", "We do your CATs and quizzes"],
    ["a sat exam", "I do your exam, pay after results"],
    ["an online class", "I do your online class from week 1 to 14"],
    ["what leaked", "Exam leaks for this semester, inbox"],
    ["hidden copying", "Bypass Turnitin, 100 % safe"],
    ["marks", "Change your marks in the portal"],
    ["an earpiece", "Invisible earpiece with a mic, for exams"],
    ["a hall's room", "Selling my hostel space, hall 4, lower bunk"],
    ["a hall's room", "Hall slot for a lady, semester 2"],
  ])("%s is held: %j", (_kind, text) => {
    expect(found(text)).not.toEqual([]);
    expect(found("Nothing to see", text)).not.toEqual([]);
  });

  test.each([
    "Assignment folder, A4, pack of ten",
    "Assignment cover pages, printed while you wait",
    "Thesis binding service, hard cover with gold letters",
    "Thesis printing and binding, near the library",
    "Thesis writing guide, second edition",
    "How to Write Your Thesis in 15 minutes a day, book",
    "Dissertation writing handbook, clean copy",
    "Essay prompts for literature, past papers with answers",
    "Proofreading of essays, you keep your words",
    "Project board, A1, for engineering students",
    "Final year project components: Arduino, sensors, jumpers",
    "Laptop good enough to do your assignments on",
    "Desk where you do your assignments in peace",
    "Maths tuition: I explain how an assignment is solved",
    "Cat litter and a scratching post",
    "CAT and exam past papers, 2019 to 2024",
    "Exam pads, calculators and clear pencil pouches",
    "Exam-approved Casio calculator",
    "Headset for online classes, with a mic",
    "Earpiece, wired, 3.5 mm",
    "Bluetooth earphones for exam revision playlists",
    "Turnitin report, checked within the hour",
    "Marks' lecture notes, graded A",
    "Marking pens and highlighters",
    "Hostel space near gate C, private, own bathroom",
    "Single hostel room to let, Kahawa Wendani",
    "Delivery to your hall room, free on Fridays",
    "Pick it from my hall room, hall 9",
    "Space saver hangers for hostel wardrobes",
    "Gas cooker, two burners, with a 6 kg cylinder",
    "Electric coil cooker and a kettle",
    "Slot in a shared flat, two ladies wanted",
    "Grade 9 workbooks, all subjects",
    "Keyboard to write your project with, silent keys",
  ])("%j is fine", (text) => {
    expect(found(text)).toEqual([]);
    expect(found("Nothing to see", text)).toEqual([]);
  });
});

describe("any word of a list", () => {
  const word = fc.stringMatching(/^[a-z]{4,12}$/).filter((text) => !text.endsWith("s"));
  const terms = (term: string, allowed: ProhibitedTerm[] = []) => readList([{ kind: "word", term }, ...allowed]);
  const finds = (description: string, term: string) =>
    findProhibited({ name: "A", description, category: null }, terms(term)).length > 0;

  test("is found in any case, among any other words, spelled out and with invisible characters", () => {
    fc.assert(
      fc.property(
        word,
        fc.array(fc.stringMatching(/^[0-9a-z]{2,8}$/), { maxLength: 5 }),
        fc.constantFrom(" ", ".", "-", " - ", "_", "\u200b"),
        (term, others, between) => {
          const hidden = [...term].join(between);
          for (const text of [term, term.toUpperCase(), `${term}s`, hidden])
            expect(finds([...others, text, ...others].join(" , "), term)).toBe(true);
        },
      ),
    );
  });

  test("is never found within a longer word, or spread over two longer ones", () => {
    fc.assert(
      fc.property(word, fc.stringMatching(/^[b-df-hj-np-rt-z]{2,5}$/), (term, other) => {
        fc.pre(!other.includes(term) && !term.includes(other));
        expect(finds(`${term}${other} ${other}${term}`, term)).toBe(false);
        expect(finds(`${term.slice(0, 2)} ${term.slice(2)}`, term)).toBe(false);
      }),
    );
  });

  test("is fine in an allowed phrase, and only there", () => {
    fc.assert(
      fc.property(word, word, (term, other) => {
        fc.pre(term !== other && !other.includes(term));
        const list = terms(term, [{ kind: "allowed", term: `${other} ${term}` }]);
        const find = (description: string) => findProhibited({ name: "A", description, category: null }, list);
        expect(find(`A new ${other} ${term}, boxed`)).toEqual([]);
        expect(find(`A ${other} ${term} and a ${term}`)).toEqual([term]);
      }),
    );
  });

  test("any text and any list give an answer", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ maxLength: 20 }), (text, term) => {
        expect(findProhibited({ name: text, description: text, category: text }, terms(term)).length).toBeLessThan(2);
      }),
    );
  });
});

// If the time grew with the square of the length, this would hang.
test.each(["x", "g ", "g-", "gun "])("a long text is checked, whatever it repeats: %j", (part) => {
  const text = part.repeat(300_000 / part.length);
  const matches = findProhibited({ name: "A", description: text, category: null }, LIST);
  expect(matches.length).toBeLessThanOrEqual(1);
});

describe("a listing is held", () => {
  const list = readList([
    { kind: "word", term: "pistol" },
    { kind: "word", term: "bhang" },
    { kind: "category", term: "medicine" },
  ]);
  const plain = { name: "Kettle", description: "Works", category: "kitchen" };

  test("when it is new and mentions a word or is in a category of the list", () => {
    expect(heldForOf(plain, null, list)).toBeNull();
    expect(heldForOf({ ...plain, description: "Bhang, a pistol" }, null, list)).toBe("pistol");
    const inCategory = heldForOf({ ...plain, category: "medicine" }, null, list);
    expect(inCategory && heldBecause(inCategory)).toBe("because we check every listing in its category");
  });

  test("when an edit brings a word in, but not for a word that it had when our team published it", () => {
    const published = { ...plain, description: "A toy pistol" };
    expect(heldForOf({ ...published, name: "A good kettle" }, published, list)).toBeNull();
    expect(heldForOf({ ...published, name: "Bhang" }, published, list)).toBe("bhang");
    expect(heldForOf({ ...published, category: "medicine" }, published, list)).not.toBeNull();
  });
});

test("a term is tidied as it is added, and needs a letter", () => {
  expect(readTerm("  Fake\u200b   ID ")).toBe("fake id");
  expect(readTerm("category:Books")).toBe("category books");
  expect(readTerm("  12 ")).toBeNull();
});
