/** What a campus brings, in WebKit: the end of its semester, friends, and the login of a university. */
import { signIn } from "#tests/support/browser.ts";
import { dayIn } from "#tests/support/day-in.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";
import { newWord } from "#tests/support/new-word.ts";
import { listProduct, originOf, post } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";
import { expect, test } from "#tests/support/webkit.ts";

test("before the semester ends, a seller sees what is leaving, goes on holiday, and brings a friend", async ({
  page: seller,
  openWindow,
  webkit,
}) => {
  const admin = await openWindow();
  await signIn(admin, "admin@campus.test");
  const campus = "Westlands Campus";
  const name = `Desk lamp ${newWord()}`;
  const page = await (await admin.request.get(`${originOf()}/admin/campuses`)).text();
  const [, id = ""] = new RegExp(`${campus}[^]*?name="subject" value="set-semester:(\\d+)"`).exec(page) ?? [];
  const semester = { subject: `set-semester:${id}`, intent: "set-semester", id };
  const days = { closesOn: dayIn(6), opensOn: dayIn(40) };
  await post(admin, "/admin/campuses", { ...semester, ...days, seen: "|" });
  await joinAsSeller(seller, { campus });
  await post(seller, "/myshop/settings", { shopName: `Corner ${newWord()}` });
  // The cheapest come first.
  await listProduct(seller, name, { price: "10" });

  await test.step("Home leads to what is leaving", async () => {
    await webkit.become(seller);
    await webkit.open("/home");
    await webkit.expectText(`The semester at ${campus} ends on`);
    await webkit.expectReadableAtBothSizes();
    await webkit.press("link", "See What's Leaving");
    await webkit.waitForPath(/^\/studentmarketplace\?/);
    // Home has a link to it, too.
    await webkit.find("button", "Filters");
    await webkit.find("link", name);
    await webkit.expectReadableAtBothSizes();
  });

  await test.step("one press sets everything away", async () => {
    await webkit.open("/myshop");
    await webkit.expectReadableAtBothSizes();
    await webkit.press("button", "Holiday until");
    await webkit.expectText("You are on holiday until");
    await webkit.expectReadable();
  });

  await test.step("a friend signs up by the link, and first reads what it brings", async () => {
    await webkit.open("/invite");
    const link = await (await webkit.find("field", "Your link")).getAttribute("value");
    await webkit.expectReadableAtBothSizes();
    await webkit.logOut();
    await webkit.open(new URL(link ?? "").pathname);
    await webkit.expectText("Njeri invites you.");
    const email = `friend-${crypto.randomUUID()}@campus.test`;
    await webkit.fill("Full name", "Asha Kiprono");
    await webkit.fill("Email", email);
    await webkit.fill("Password", "kilimani-7");
    await webkit.fill("Campus location", "Main Campus");
    await webkit.expectReadableAtBothSizes();
    await webkit.press("button", "Create Account");
    await webkit.find("heading", "Check Your Email");
    const { pathname, search } = new URL(await linkMailedTo(seller, email));
    await webkit.open(pathname + search);
    await webkit.expectText("Njeri invited you");
    await webkit.expectReadableAtBothSizes();
  });

  // Everybody there would read of it, and one more campus makes each list of filters longer.
  const seen = `${days.closesOn}|${days.opensOn}`;
  await post(admin, "/admin/campuses", { ...semester, closesOn: "", opensOn: "", seen });
});

test("a university's student logs in with its account, and is verified until October", async ({
  page: admin,
  webkit,
}) => {
  const word = newWord();
  const domain = `chuo-${word}.test`;
  const login = { intent: "add-login", id: domain, clientId: "chuoni", campus: "" };
  await signIn(admin, "admin@campus.test");
  await post(admin, "/admin/universities", { subject: "add:new", intent: "add", name: `Chuo ${word}`, domain });
  const path = `/admin/universities?q=${domain}`;
  const issuer = "https://university.sandbox.internal";
  await post(admin, path, { subject: `add-login:${domain}`, ...login, issuer });

  await test.step("the login leads to the university and back", async () => {
    await webkit.open("/auth");
    await webkit.expectReadableAtBothSizes();
    await webkit.press("link", `Continue with Chuo ${word}`);
    await webkit.waitForPath(/^\/sandbox\/university/);
    await webkit.fill("Email", `achieng@students.${domain}`);
    await webkit.press("button", "Log in");
    await webkit.waitForPath(/^\/complete-profile/);
    await webkit.fill("Full name", "Achieng Odhiambo");
    await webkit.fill("Campus location", "Main Campus");
    await webkit.press("button", "Complete Profile");
    await webkit.waitForPath(/^\/home/);
  });

  await test.step("the settings say until when", async () => {
    await webkit.open("/profile?tab=settings&section=documents");
    await webkit.expectText("Your level: Verified student until October 20");
    await webkit.expectReadableAtBothSizes();
  });

  await test.step("a campus's month is a sheet of figures", async () => {
    await webkit.become(admin);
    await webkit.open("/admin/campus-month");
    await webkit.choose("Campus", "Main Campus");
    await webkit.press("button", "Show");
    await webkit.expectText("Money protected");
    await webkit.expectReadableAtBothSizes();
  });

  // Nobody else's login shows it from now on.
  await post(admin, path, { subject: `turn-off:${domain}`, intent: "turn-off", id: domain });
  await webkit.logOut();
  await webkit.open("/auth");
  await expect.poll(() => webkit.evaluate(() => document.body.innerText)).not.toContain(`Chuo ${word}`);
});
