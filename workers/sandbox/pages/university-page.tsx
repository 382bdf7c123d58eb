/** @jsxImportSource hono/jsx */
import type { Asked } from "#workers/sandbox/university.ts";
import { Page } from "./layout.tsx";

/** The login of the pretend university: whoever types an address is its owner. */
export function UniversityPage({ asked }: { asked: Asked }) {
  return (
    <Page title="University login" here="university">
      <main>
        <section class="card">
          <h1>University login</h1>
          <p>A pretend university. Type any address, and you are its student.</p>
          <form method="get" action="/sandbox/university/enter">
            {Object.entries(asked).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <p>
              <label>
                Email <input name="email" type="email" required />
              </label>
            </p>
            <button type="submit">Log in</button>{" "}
            <button type="submit" name="cancel" value="1" formnovalidate>
              Cancel
            </button>
          </form>
        </section>
      </main>
    </Page>
  );
}
