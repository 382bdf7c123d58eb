import { readListingForm } from "#app/catalogue/selling/listing-form-rules.ts";
import { postRows, postValues } from "#app/catalogue/selling/post-values.ts";
import { isPost, POST_MAX, readPost } from "#app/catalogue/selling/read-post-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { fillForm } from "#app/ui/forms/fill-control.ts";

interface PostPanelProps {
  text: string;
  form: HTMLFormElement;
  /** Called once it is used, or not. */
  onEnd: () => void;
}

/**
 * Shows what was read from a post, and fills in the form only when its seller says so. Nothing for a mere name, and a
 * text of any length isn't read: the page would stand still.
 */
export function PostPanel({ text, form, onEnd }: PostPanelProps) {
  if (text.length > POST_MAX) {
    return (
      <Callout role="alert" tone="orange" icon="notebook-pen" title="This is too long for us to read">
        <div className="stack stack--tight">
          <p>
            We read posts of up to {POST_MAX.toLocaleString("en")} characters. Yours stays as it is: shorten it, or fill
            in each field yourself.
          </p>
          <div className="row">
            <Button size="small" variant="ghost" onClick={onEnd}>
              Keep as It Is
            </Button>
          </div>
        </div>
      </Callout>
    );
  }
  const reading = readPost(text);
  if (!isPost(text, reading)) return null;
  const before = readListingForm(new FormData(form));

  function use(): void {
    fillForm(form, postValues(reading, before));
    onEnd();
    form.querySelector<HTMLInputElement>("[name=name]")?.focus();
  }
  return (
    <Callout role="alert" tone="gold" icon="notebook-pen" title="We read this from your post">
      <div className="stack stack--tight">
        <ul role="list">
          {postRows(reading, before).map(([label, value]) => (
            <li key={label}>
              {label}: {value}
            </li>
          ))}
        </ul>
        {reading.hasPrices && <p>It has several prices. Do you sell several things? List each one by itself.</p>}
        {reading.hadContact && <p>Without your number: buyers message you here.</p>}
        <div className="row">
          <Button size="small" variant="soft" onClick={use}>
            Use It
          </Button>
          <Button size="small" variant="ghost" onClick={onEnd}>
            Keep as It Is
          </Button>
        </div>
      </div>
    </Callout>
  );
}
