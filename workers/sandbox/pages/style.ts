/** The style sheet of the pages. Light or dark, as the system is set. */
export const STYLE = `
:root {
  --paper: #f5f2eb; --card: #fffdf9; --ink: #1f1c16; --quiet: #6a6456; --line: #e3ddcf; --gold: #e7c65f;
    --gold-ink: #755700;
  --green: #1b7a36; --red: #b3261e; --blue: #1d5fa8; --orange: #9a5200;
    --shade: 0 1px 2px rgb(40 30 0 / .06), 0 8px 24px rgb(40 30 0 / .07);
  --wall: #12402f; --wall-2: #174b38; --note: rgb(255 255 255 / .93); --note-ink: #17211c; --note-quiet: #52605a;
  --sheet: #ffffff; --sheet-ink: #16211b; --sheet-quiet: #5b6761; --key: #f1f4f2; --key-down: #dfe6e2;
    --mpesa: #1f8a3d; --mpesa-ink: #ffffff; --bezel: #1a1a1c;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131210; --card: #1d1b18; --ink: #f4efe4; --quiet: #aaa292; --line: #322e28; --gold-ink: #e7c65f;
    --green: #6fce88; --red: #ff9a90; --blue: #8fc1ff; --orange: #f5b36b;
      --shade: 0 1px 2px rgb(0 0 0 / .4), 0 8px 24px rgb(0 0 0 / .35);
    --wall: #0b241b; --wall-2: #0f2d22; --note: rgb(35 43 39 / .95); --note-ink: #eef4f0; --note-quiet: #a3b1aa;
    --sheet: #1b211e; --sheet-ink: #eef4f0; --sheet-quiet: #a3b1aa; --key: #29312d; --key-down: #37423c;
      --mpesa: #53c274; --mpesa-ink: #06210f; --bezel: #000;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; min-height: 100dvh; }
h1, h2, h3, p, dl, dd, ol, ul { margin: 0; padding: 0; }
ol, ul { list-style: none; }
h2 { font-size: 17px; line-height: 1.3; }
a { color: var(--gold-ink); }
code { font: 14px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
button, input { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 3px solid var(--gold); outline-offset: 2px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.empty { color: var(--quiet); padding: 16px 0; }

.bar { display: flex; align-items: center; justify-content: space-between; gap: 8px 24px; flex-wrap: wrap;
  max-width: 1200px; margin: 0 auto; padding: 8px 24px; min-height: 60px; }
.brand { display: flex; align-items: center; gap: 10px; color: var(--ink); text-decoration: none; font-weight: 700;
  font-size: 18px; letter-spacing: -.01em; min-height: 44px; }
.brand em { font-style: normal; font-weight: 400; color: var(--quiet); }
.brand img { width: 26px; height: 26px; display: block; }
.bar nav { display: flex; flex-wrap: wrap; gap: 4px; min-width: 0; }
.bar nav a { display: flex; align-items: center; min-height: 44px; padding: 0 14px; border-radius: 12px;
  color: var(--quiet); text-decoration: none; font-weight: 600; }
.bar nav a:hover { color: var(--ink); }
.bar nav a[aria-current] { color: var(--ink); background: var(--card); box-shadow: var(--shade); }

.sandbox { max-width: 1200px; margin: 0 auto; padding: 24px 24px 64px; }
.intro { max-width: 640px; margin-bottom: 28px; }
.intro h1 { font-size: clamp(28px, 5vw, 40px); line-height: 1.12; letter-spacing: -.025em; margin-bottom: 12px;
  text-wrap: balance; }
.intro p { color: var(--quiet); font-size: 17px; }
.doors { display: grid; grid-template-columns: repeat(auto-fit, minmax(260px, 1fr)); gap: 16px; margin-bottom: 16px; }
.door { display: block; background: var(--gold); color: #1f1c16; text-decoration: none; border-radius: 20px;
  padding: 22px 24px; transition: transform .18s ease-out; }
.door + .door { background: var(--card); color: var(--ink); box-shadow: var(--shade); }
.door:hover { transform: translateY(-2px); }
.door strong { display: block; font-size: 22px; letter-spacing: -.01em; }
.columns { columns: 2 400px; column-gap: 16px; margin-bottom: 16px; }
.columns .card { break-inside: avoid; }
.columns .card:not(:last-child) { margin-bottom: 16px; }
.card { background: var(--card); border-radius: 20px; box-shadow: var(--shade); padding: 22px 24px; }
.card h2 { margin-bottom: 10px; }
.card > p { color: var(--quiet); margin-bottom: 10px; }
.card dl > div { border-top: 1px solid var(--line); padding: 9px 0; }
.card dl > div:first-child { border-top: 0; }
.card dd { color: var(--quiet); font-size: 15px; }
.endings > div { display: flex; gap: 16px; align-items: baseline; }
.endings dt { font: 600 17px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--gold-ink); }
.endings dd { color: var(--ink); }
.accounts > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; }
.faults { columns: 2 420px; column-gap: 40px; }
.faults > div { break-inside: avoid; }
.card .faults > div:first-child { border-top: 1px solid var(--line); }
.value { font: 13px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--quiet); float: right; }
.changed .value { color: var(--gold-ink); font-weight: 700; }

.phone-page { max-width: 1200px; margin: 0 auto; padding: 8px 24px 48px; display: grid;
  grid-template-columns: minmax(390px, 1fr) minmax(0, 460px); gap: 48px; align-items: start; }
.device { justify-self: center; width: 396px; background: var(--bezel); border-radius: 58px; padding: 11px;
  box-shadow: 0 0 0 2px #3a3a3d, 0 30px 60px -20px rgb(0 0 0 / .45); }
.glass { position: relative; isolation: isolate; overflow: hidden; display: flex; flex-direction: column;
  height: min(782px, calc(100dvh - 110px)); min-height: 690px; border-radius: 47px; background: var(--wall);
  color: #fff; }
.glass::before { content: ""; position: absolute; z-index: -1; width: 620px; height: 620px; left: -200px;
  bottom: -310px; border-radius: 50%; background: var(--wall-2); box-shadow: 0 0 0 90px rgb(255 255 255 / .022); }
.statusbar { display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; padding: 14px 26px 4px;
  font-size: 14px; font-weight: 600; }
.carrier { font-weight: 500; opacity: .85; }
.signs { display: flex; gap: 6px; align-items: center; justify-content: flex-end; font-size: 12px; }
.signs svg { height: 11px; fill: currentColor; }
.home { text-align: center; padding: 20px 20px 14px; }
.bigclock { font-size: 68px; line-height: 1; font-weight: 300; letter-spacing: -.03em;
  font-variant-numeric: tabular-nums; }
.day { margin-top: 8px; font-size: 16px; opacity: .92; }
.owner { margin-top: 4px; font-size: 13px; opacity: .8; letter-spacing: .02em; }
.screen { flex: 1; min-height: 0; overflow-y: auto; padding: 4px 12px 20px; scrollbar-width: none; }
.messages { display: grid; gap: 8px; }
.messages li { display: flex; flex-wrap: wrap; gap: 0 8px; background: var(--note); color: var(--note-ink);
  border-radius: 20px; padding: 11px 16px 13px; font-size: 14.5px; line-height: 1.42; }
.messages p { width: 100%; overflow-wrap: anywhere; }
.push-actions { display: flex; gap: 20px; }
.push-actions a { min-height: 44px; display: flex; align-items: center; font-weight: 700; color: inherit; }
.from { font-weight: 700; font-size: 13px; }
.at { font-size: 13px; color: var(--note-quiet); }
.messages time { margin-left: auto; font-size: 13px; color: var(--note-quiet); font-variant-numeric: tabular-nums; }
.messages .fresh { animation: drop .25s ease-out; }
@keyframes drop { from { opacity: 0; transform: translateY(-14px) scale(.97); } }
.quiet-phone { margin: 40px auto 0; max-width: 250px; text-align: center; font-size: 15px; opacity: .85; }
.scrim { position: absolute; inset: 0; background: rgb(0 0 0 / .5); display: flex; align-items: flex-end; }
.sheet { position: static; margin: 0; border: 0; width: 100%; max-width: none; max-height: 100%; overflow-y: auto;
  background: var(--sheet); color: var(--sheet-ink); border-radius: 28px 28px 0 0; padding: 18px 22px 22px; }
.sheet.fresh { animation: rise .25s ease-out; }
@keyframes rise { from { transform: translateY(40%); opacity: 0; } }
.sheet.sending { pointer-events: none; opacity: .6; transition: opacity .15s; }
.sheet header { display: flex; align-items: baseline; gap: 10px; font-size: 14px; color: var(--sheet-quiet); }
.mpesa { font-weight: 800; font-size: 17px; letter-spacing: .01em; color: var(--mpesa); }
.left { margin-left: auto; font-variant-numeric: tabular-nums; }
.time { display: block; width: 100%; height: 3px; margin: 10px 0 14px; border: 0; border-radius: 2px; appearance: none;
  background: var(--key); overflow: hidden; }
.time::-webkit-progress-bar { background: var(--key); }
.time::-webkit-progress-value { background: var(--mpesa); transition: inline-size 1s linear; }
.time::-moz-progress-bar { background: var(--mpesa); }
.question { font-size: 19px; line-height: 1.35; font-weight: 600; letter-spacing: -.01em; text-wrap: pretty;
  overflow-wrap: anywhere; }
.by-itself { margin-top: 6px; font-size: 14px; color: var(--sheet-quiet); }
.pin { display: flex; justify-content: center; gap: 18px; margin: 18px 0 8px; }
.pin i { width: 14px; height: 14px; border-radius: 50%; border: 2px solid var(--sheet-quiet);
  transition: background .15s, transform .15s; }
.pin i.filled { background: var(--mpesa); border-color: var(--mpesa); transform: scale(1.12); }
.pin-label { width: 100%; padding: 0; text-align: center; font-size: 13px; color: var(--sheet-quiet);
  margin-bottom: 12px; }
.keypad { display: grid; grid-template-columns: repeat(3, 1fr); gap: 7px; margin: 0; padding: 0; border: 0;
  min-width: 0; }
.keypad button { height: 50px; border: 0; border-radius: 15px; background: var(--key); font-size: 22px;
  font-weight: 500; font-variant-numeric: tabular-nums; touch-action: manipulation; }
.keypad button:active { background: var(--key-down); }
.keypad svg { width: 24px; height: 24px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round;
  stroke-linejoin: round; vertical-align: middle; }
.keypad .send { color: var(--mpesa); }
.pay { width: 100%; height: 52px; margin-top: 12px; border: 0; border-radius: 16px; background: var(--mpesa);
  color: var(--mpesa-ink); font-size: 17px; font-weight: 700; }
.instead { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px; margin-top: 6px; }
.instead button { min-height: 44px; border: 0; border-radius: 14px; background: none; color: var(--sheet-quiet);
  font-weight: 600; font-size: 15px; }
.instead button:hover { background: var(--key); color: var(--sheet-ink); }
.more { text-align: center; font-size: 13px; color: var(--sheet-quiet); margin-top: 6px; }
.notice { grid-column: 1 / -1; background: var(--card); border-left: 4px solid var(--red); border-radius: 12px;
  padding: 12px 16px; }
.phone-page aside { padding-top: 20px; }
.phone-page aside h2 { font-size: 24px; letter-spacing: -.02em; margin-bottom: 14px; }

.pick { display: flex; align-items: center; gap: 8px; margin-bottom: 14px; }
.pick label { color: var(--quiet); font-size: 15px; white-space: nowrap; }
.pick input { flex: 1; min-width: 0; min-height: 44px; padding: 0 14px; border: 1px solid var(--line);
  border-radius: 12px; background: var(--card); }
.pick input::placeholder { color: var(--quiet); opacity: 1; }
.pick button { min-height: 44px; padding: 0 18px; border: 0; border-radius: 12px; background: var(--gold);
  color: #1f1c16; font-weight: 700; }
.chips { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 12px; }
.chip { display: inline-flex; align-items: center; gap: 8px; min-height: 44px; padding: 0 14px; border-radius: 22px;
  background: var(--card); color: var(--ink); text-decoration: none; font-size: 15px;
  font-variant-numeric: tabular-nums; box-shadow: inset 0 0 0 1px var(--line); }
.chip[aria-current] { background: var(--ink); color: var(--paper); box-shadow: none; }
.waiting { width: 9px; height: 9px; border-radius: 50%; background: var(--gold);
  animation: pulse 1.4s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: .35; } }
.history li { display: grid; grid-template-columns: 52px 1fr; padding: 12px 0; border-top: 1px solid var(--line); }
.history time { color: var(--quiet); font-size: 14px; line-height: 24px; font-variant-numeric: tabular-nums; }
.history b { font-variant-numeric: tabular-nums; }
.detail { color: var(--quiet); font-size: 14px; overflow-wrap: anywhere; }
.state { font-size: 14px; font-weight: 600; margin-left: 6px; color: var(--red); }
.is-open, .is-accepted { color: var(--orange); }
.is-paid { color: var(--green); }

.mailbox { max-width: 1200px; margin: 0 auto; padding: 8px 24px 48px; display: grid;
  grid-template-columns: 380px minmax(0, 1fr); gap: 24px; align-items: start; }
.mail-list ol { display: grid; gap: 2px; }
.mail-list a { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; padding: 12px 16px; border-radius: 14px;
  color: inherit; text-decoration: none; }
.mail-list a:hover { background: var(--card); }
.mail-list a[aria-current] { background: var(--card); box-shadow: var(--shade); }
.mail-to, .mail-list time { font-size: 14px; color: var(--quiet); }
.mail-to, .mail-subject { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.mail-subject { grid-column: 1 / -1; font-weight: 650; }
.mail-preview { grid-column: 1 / -1; font-size: 14px; color: var(--quiet); display: -webkit-box; -webkit-line-clamp: 2;
  -webkit-box-orient: vertical; overflow: hidden; }
.reading { background: var(--card); border-radius: 20px; box-shadow: var(--shade); padding: 24px 28px 28px;
  min-width: 0; }
.reading header { margin-bottom: 18px; }
.reading h2 { font-size: 24px; letter-spacing: -.015em; margin-bottom: 4px; overflow-wrap: anywhere; }
.reading header p { color: var(--quiet); font-size: 15px; overflow-wrap: anywhere; }
.reading iframe { display: block; width: 100%; border: 0; border-radius: 14px; background: #fff;
  box-shadow: inset 0 0 0 1px var(--line); }
.nothing { color: var(--quiet); text-align: center; padding: 96px 24px; }
.back { display: none; }
.links { margin-top: 20px; }
.links h3 { font-size: 14px; color: var(--quiet); font-weight: 600; }
.links a { display: inline-block; padding: 8px 0; overflow-wrap: anywhere; }
.reading details { margin-top: 14px; }
.reading summary { color: var(--quiet); font-size: 14px; font-weight: 600; min-height: 44px; line-height: 44px;
  cursor: pointer; }
.reading pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 14px/1.55 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }

@media (max-width: 959px) {
  .phone-page { grid-template-columns: minmax(0, 1fr); gap: 24px; }
  .phone-page aside { padding-top: 0; }
  .mailbox { grid-template-columns: minmax(0, 1fr); }
  .mailbox.has-open .inbox, .mailbox .nothing { display: none; }
  .back { display: inline-flex; align-items: center; min-height: 44px; font-weight: 600; }
}
@media (max-width: 559px) {
  .bar { padding: 4px 12px; gap: 0 8px; flex-wrap: nowrap; }
  .brand { font-size: 0; }
  .bar nav .to-shop { display: none; }
  .bar nav a { padding: 0 10px; }
  .sandbox, .mailbox { padding-inline: 16px; }
  .card { padding: 18px; }
  .phone-page { padding: 0 0 40px; }
  .phone-page aside, .notice { margin-inline: 16px; }
  .device { width: 100%; padding: 0; border-radius: 0; box-shadow: none; background: none; }
  .glass { height: calc(100dvh - 60px); min-height: 600px; border-radius: 26px 26px 0 0; }
  .reading { padding: 12px 18px 22px; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before { animation: none !important; transition: none !important; }
}
`;
