import { expect, test } from "vitest";
import { type AdminAct, FREE_ACTS, MONEY_ACTS, type MoneyAct } from "#app/team/act-rules.ts";
import { adminAccess } from "#app/team/admin-access.ts";
import { ADMIN_TABS } from "#app/team/admin-tabs.ts";
import { ASKING_FORMS, asksAgain } from "#app/team/asking-form-rules.ts";
import { mayDo, mayOpen } from "#app/team/role-rules.ts";
import { ADMIN_ROLES } from "#app/db/states/admin.ts";
import { navigation } from "#app/ui/page/navigation.ts";
import { SCREENS } from "#app/screen-rules.ts";

const ACTS = Object.keys({ ...MONEY_ACTS, ...FREE_ACTS }) as AdminAct[];

const PAGES = Object.keys(SCREENS).filter((path) => /^\/admin(\/|$)/.test(path));

test("every admin page says who opens it, and no other page does", () => {
  expect(Object.keys(SCREENS).filter((path) => SCREENS[path]?.roles)).toEqual(PAGES);
  for (const { to } of ADMIN_TABS) expect(PAGES).toContain(to);
});

test("an owner opens and does everything, and a page that nobody has thought of is for owners alone", () => {
  for (const page of [...PAGES, "/admin/new"]) expect(mayOpen("owner", page)).toBe(true);
  for (const act of ACTS) expect(mayDo("owner", act)).toBe(true);
  for (const role of ["support", "finance"] as const) expect(mayOpen(role, "/admin/new")).toBe(false);
});

test("the link to our team's pages leads every role to one that it may open", () => {
  for (const role of ADMIN_ROLES) expect(mayOpen(role, navigation.admin.to)).toBe(true);
});

test("support decides no payment, payout or refund, finance decides no case and suspends nobody, and neither gives power", () => {
  const doneBy = (role: "support" | "finance") => ACTS.filter((act) => mayDo(role, act));
  expect(doneBy("support").filter((act) => /^(payout|refund|payment)_/.test(act))).toEqual([]);
  expect(doneBy("finance").filter((act) => /^(case|user|listing|document|appeal)_/.test(act))).toEqual([]);
  for (const role of ["support", "finance"] as const)
    expect(
      doneBy(role).filter((act) =>
        /^(admin|second_step|codes|university|category|type|term|campus|meeting_point|missed_search)_/.test(act),
      ),
    ).toEqual([]);
});

test("each act that moves money can be done by somebody besides the owners", () => {
  const acts = Object.keys(MONEY_ACTS) as MoneyAct[];
  expect(acts.filter((act) => !mayDo("support", act) && !mayDo("finance", act))).toEqual([]);
});

test("a form asks again only where it is listed, and is read only there", async () => {
  const form = (intent: string) => {
    const data = new FormData();
    data.set("intent", intent);
    return data;
  };
  for (const [page, intents] of Object.entries(ASKING_FORMS)) {
    expect(PAGES).toContain(page);
    for (const intent of intents) expect(await asksAgain(page, async () => form(intent))).toBe(true);
    expect(await asksAgain(page, async () => form("note"))).toBe(false);
    const both = form("note");
    both.append("intent", intents[0] ?? "");
    expect(await asksAgain(page, async () => both)).toBe(true);
  }
  const unread = () => Promise.reject(new Error("read"));
  expect(await asksAgain("/admin/codes", unread)).toBe(false);
});

test("an admin who needs a second step and logged in without it has no role", () => {
  for (const adminRole of [null, ...ADMIN_ROLES])
    for (const steps of [1, 2] as const) {
      const viewer = { adminRole, confirmed: { at: 0, steps } };
      expect(adminAccess(viewer, true)).toBe(steps === 2 ? adminRole : null);
      expect(adminAccess(viewer, false)).toBe(adminRole);
    }
});
