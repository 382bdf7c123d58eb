import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { Button } from "#app/ui/button.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";

const page = vi.hoisted(() => ({ isScripted: false }));

vi.mock("#app/ui/browser/use-scripted.ts", () => ({ useScripted: () => page.isScripted }));
vi.mock("react-router", () => ({ useNavigation: () => ({ state: "submitting", formMethod: "POST" }) }));

test("a button that starts while a form is being sent first renders what the server did", () => {
  const button = renderToString(<SubmitButton busyLabel="Sending...">Send</SubmitButton>);
  expect(button).toContain("Send</");
  expect(button).not.toContain("Sending");
  expect(button).not.toContain("disabled");
});

test("a button whose form is being sent takes no second press, and says so", () => {
  page.isScripted = true;
  const html = renderToString(<SubmitButton busyLabel="Sending...">Send</SubmitButton>);
  page.isScripted = false;
  expect(html).toContain('aria-disabled="true"');
  const presses = { busy: 0, idle: 0, stopped: 0 };
  const press = { preventDefault: () => (presses.stopped += 1) } as never;
  const buttons = { busy: true, idle: false } as const;
  for (const [state, busy] of Object.entries(buttons)) {
    const button = Button({ type: "submit", busy, onClick: () => (presses[state as "busy"] += 1), children: "Send" });
    button.props.onClick(press);
  }
  expect(presses).toEqual({ busy: 0, idle: 1, stopped: 1 });
});
