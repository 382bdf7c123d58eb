import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";

vi.mock("react-router", () => ({ useNavigation: () => ({ state: "submitting", formMethod: "POST" }) }));

test("a button that starts while a form is being sent first renders what the server did", () => {
  const button = renderToString(<SubmitButton busyLabel="Sending...">Send</SubmitButton>);
  expect(button).toContain("Send</");
  expect(button).not.toContain("Sending");
  expect(button).not.toContain("disabled");
});
