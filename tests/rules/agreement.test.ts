/** What buyers write to a seller who has proposed how the item reaches them, and whether it agrees. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readsAsAgreement } from "#app/messaging/sending/agreement-rules.ts";

/** Messages, with " | " or a new line between them. */
function texts(list: string): string[] {
  return list
    .trim()
    .split(/\s*[|\n]\s*/)
    .filter((text) => text !== "");
}

/** The words that the product promises to understand, each as the whole answer. */
const PROMISED = texts(`
  yes | ok | okay | sure | agreed | agree | confirm | confirmed | sounds good | perfect | works for me
  that works | good | fine | alright | accept | go ahead
`);

const AGREES = texts(`
  Yes. | YES!! | Ok | OK 👍 | okay 👍🏾 | Sounds good! | “Sure” | Go ahead… | Works for me :) | yeah | Yep | yup!
  Great | Deal | Of course | Definitely | For sure | Absolutely! | No problem, yes | sawa | Sawa sawa | sawasawa
  Poa | poa poa | Fiti | ndio | Ndiyo | Naam | Iko sawa | iko poa | Sawa kabisa | nakubali | Nimekubali, asante
  Endelea | sawa basi | sawa tu | Sawa, hakuna shida | Yes please | Yes, thank you | Ok thanks
  Okay, thank you so much | ok bro | Sawa boss | Ndio, asante sana | Yes, no problem | I agree | I accept
  Yes I agree | Ok, agreed | Ok fine | Okay good | Fine, go ahead | That's fine | thats ok | It’s okay
  Fine by me | Fine with me | Ok with me | That works for me, thanks | Good morning, that works | Hi, yes
  Yes, see you there | Sure, see you then | Sure, see you tomorrow | You can go ahead | Please go ahead
  Please proceed | All good | Sounds great | Ok then | Yes yes yes | Sawa, tuonane kesho
`);

const DOES_NOT: Record<string, string[]> = {
  "asks for the money back": texts(`
    Okay I want my money back | OK return my cash | Good. Rudisha pesa yangu | sawa, nirudishie pesa
    Ok refund me | Yes, I need a refund | okay refund | Fine, send my money back
  `),
  complains: texts(`
    Fine, I'll report you | yes you scammed me | Alright I'm calling the police | Yes it's broken
    ok this is wrong | Great, another thief | Sure, whatever | ok wewe ni mwizi | Yes, it came damaged
    Perfect, now the screen is cracked | Ok you are late | ok 😡 | Yes 👎 | Fine 🙄
  `),
  refuses: texts(`
    no | No thanks | not ok | no, sure | I don't agree | I don’t agree | i dont agree | It isn't fine | Hapana
    Hapana, sawa kwa wengine | sitaki | si sawa | Haiwezekani | ok cancel it | yes cancel the order
    Nah it's fine | I can't accept | not sure | never mind, ok | zii | Ok no
  `),
  "changes their mind or puts it off": texts(`
    okay I changed my mind | Ok wait | Sure, but later | okay let me ask my roommate | ok baadaye
    I'll confirm tomorrow | Yes but not today | sawa lakini kesho | ngoja kidogo, sawa
    Fine, let me think about it
  `),
  "sets a condition": texts(`
    ok if you bring it to Main | Yes if the charger is included | Sure, as long as it's new | sawa ukileta leo
    Yes, only in cash | Okay but bring the receipt | ok after I see it | Agreed, unless it rains
  `),
  asks: texts(`
    ok? | Yes? | sawa? | Are you sure | ok is it charged | Ok. What time? | is it in good condition
    How about four. Would that be fine | Good? | Yes, where are you | uko sawa | Sure which gate | fiti ama
  `),
  "answers another question": texts(`
    I'm fine thanks | how are you? I am fine | Fine thanks | Good, thank you | Am good | Poa sana, asante
    I'm okay | Fine, and you | good morning | Good evening | Niko poa | Niko fiti | Fiti sana bro
    Great, thanks | Yes I'm the one from Block C | Yes, I stay in Nyayo hostel | Yes I paid | yes it is me
  `),
  "speaks of something else": texts(`
    good price | Great price! | You agreed to 500 | Please confirm the place | I want to make sure it is new
    It's a fine phone | Perfect condition | he said yes | You said it works | ok-ish | Thanks | Asante | 👍
    No problem | Hakuna shida | see you there | I saw it in the book yesterday, surely Oklahoma
  `),
};

describe("words that agree", () => {
  test.each(PROMISED)("%s agrees, in any case and with any punctuation", (word) => {
    const written = [word, word.toUpperCase(), `${word}!`, `"${word}"`, `  ${word}... `, `${word}\n`];
    expect(written.filter((text) => !readsAsAgreement(text))).toEqual([]);
  });

  test("short answers in English, Swahili and Sheng agree", () => {
    expect(AGREES.filter((text) => !readsAsAgreement(text))).toEqual([]);
  });

  test.each(Object.entries(DOES_NOT))("who %s does not agree", (_, messages) => {
    expect(messages.filter((text) => readsAsAgreement(text))).toEqual([]);
  });

  test("the lists hold more than a hundred sentences of either kind together", () => {
    expect(AGREES.length).toBeGreaterThanOrEqual(60);
    expect(Object.values(DOES_NOT).flat().length).toBeGreaterThanOrEqual(100);
  });

  const word = fc.constantFrom(...PROMISED);
  // "thx" is known.
  const other = fc.stringMatching(/^[b-df-hj-np-tv-xz]{2,8}$/).filter((text) => text !== "thx");

  test("a word that is not known, anywhere in the message, undoes it", () => {
    fc.assert(
      fc.property(
        word,
        other,
        fc.boolean(),
        fc.constantFrom(" ", ". ", ", ", "\n"),
        (agreeing, unknown, first, gap) => {
          expect(readsAsAgreement(first ? `${unknown}${gap}${agreeing}` : `${agreeing}${gap}${unknown}`)).toBe(false);
        },
      ),
    );
  });

  test("a question never agrees, whatever it asks", () => {
    fc.assert(fc.property(fc.array(word, { minLength: 1 }), (words) => !readsAsAgreement(`${words.join(" ")}?`)));
  });

  test("an empty message does not agree, and a thank-you on a line of its own changes nothing", () => {
    expect(readsAsAgreement("")).toBe(false);
    expect(readsAsAgreement("Ok.\nThanks.")).toBe(true);
  });

  test("a long message never agrees, and any text is answered soon", () => {
    expect(readsAsAgreement("yes ".repeat(20))).toBe(false);
    expect(readsAsAgreement("sawa ".repeat(400))).toBe(false);
    expect(readsAsAgreement("ok! ".repeat(500))).toBe(false);
    fc.assert(
      fc.property(
        fc.string({ maxLength: 2000, unit: "grapheme" }),
        (text) => typeof readsAsAgreement(text) === "boolean",
      ),
    );
  });
});
