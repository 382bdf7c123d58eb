import "#app/ui/forms/range-slider.css";
import { useState } from "react";
import { Button, IconButton, LinkButton } from "#app/ui/button.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { AmountField } from "#app/ui/forms/amount-field.tsx";
import { Checkbox, RadioCards } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { FileField } from "#app/ui/forms/file-field.tsx";
import { FormError } from "#app/ui/forms/form-error.tsx";
import { PasswordField, Select, TextArea } from "#app/ui/forms/form-fields.tsx";
import { QuantityStepper } from "#app/ui/forms/quantity-stepper.tsx";
import { RangeSlider } from "#app/ui/forms/range-slider.tsx";
import { SearchField } from "#app/ui/forms/search-field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { SwitchButton } from "#app/ui/forms/switch-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";
import { formatKes } from "#app/ui/money.ts";
import { RefreshLink } from "#app/ui/refresh-link.tsx";
import { CopyButton } from "#app/ui/sharing/copy-button.tsx";
import { LinkField } from "#app/ui/sharing/link-field.tsx";
import { ShareButton } from "#app/ui/sharing/share-button.tsx";
import { Row, Sample } from "./sample-parts.tsx";

const HERE = "/sandbox/components";
const press = () => toast.info("You pressed it.");

export function ButtonSamples() {
  return (
    <Sample name="Buttons">
      <p className="quiet">
        Solid is the main thing to do, one a screen. Soft is what else can be done, ghost the rest.
      </p>
      <Row>
        <Button onClick={press}>Solid</Button>
        <Button variant="soft" onClick={press}>
          Soft
        </Button>
        <Button variant="ghost" onClick={press}>
          Ghost
        </Button>
      </Row>
      <Row>
        <Button busy>Busy</Button>
        <Button disabled>Disabled</Button>
        <Button variant="soft" icon="plus" onClick={press}>
          With an icon
        </Button>
        <LinkButton to={HERE} variant="soft">
          A link
        </LinkButton>
      </Row>
      <Row>
        <Button size="small" variant="soft" onClick={press}>
          Small
        </Button>
        <CopyButton text="Chuoni" label="Copy" what="the name" size="small" />
      </Row>
      <LinkField url="https://chuoni.test/p/1" label="Link" />
      <Row>
        <Button danger onClick={press}>
          Delete
        </Button>
        <Button danger variant="soft" onClick={press}>
          Delete
        </Button>
        <Button danger variant="ghost" onClick={press}>
          Delete
        </Button>
      </Row>
      <Row>
        <IconButton icon="share-2" label="Soft icon" onClick={press} />
        <IconButton icon="x" label="Ghost icon" variant="ghost" onClick={press} />
        <ShareButton variant="soft" shared={{ name: "Desk lamp", price: 1500, path: "/campus", posterPath: HERE }} />
        <RefreshLink variant="soft" failed="This page couldn't be loaded.">
          Refresh
        </RefreshLink>
      </Row>
      <SubmitButton variant="soft" busy busyLabel="Sending...">
        Send
      </SubmitButton>
    </Sample>
  );
}

export function FieldSamples() {
  const [quantity, setQuantity] = useState(2);
  return (
    <Sample name="Fields">
      <form className="stack" onSubmit={(event) => event.preventDefault()}>
        <FormError error="Nothing was saved. Please check the fields." />
        <Field label="Empty" hint="What to know before typing." optional>
          <TextField />
        </Field>
        <Field label="Filled">
          <TextField icon="store" defaultValue="Otieno Tech Corner" />
        </Field>
        <Field label="Wrong" error="Write your name.">
          <TextField defaultValue="7" />
        </Field>
        <Field label="Disabled">
          <TextField disabled defaultValue="It can't be changed" />
        </Field>
        <Field label="Search">
          <SearchField text="calculator" icon="search" />
        </Field>
        <Field label="Price">
          <AmountField defaultValue="1,500" />
        </Field>
        <Field label="Password">
          <PasswordField autoComplete="off" defaultValue="campus" />
        </Field>
        <Field label="Condition">
          <Select>
            <option>New</option>
            <option>Used - Good</option>
          </Select>
        </Field>
        <Field label="Description">
          <TextArea rows={3} />
        </Field>
        <TextWarning>Keep phone numbers out of listings.</TextWarning>
        <Field label="Document">
          <FileField
            name="document"
            accept="image/*"
            accepted="A photo of up to 10 MB"
            sizeOf={(bytes) => `${Math.ceil(bytes / 1024)} KB`}
          />
        </Field>
        <Checkbox id="sample-tick">A tick</Checkbox>
        <Checkbox id="sample-tick-wrong" error="Tick this to go on.">
          A tick that is missing
        </Checkbox>
        <RadioCards
          legend="A choice"
          name="choice"
          defaultValue="pickup"
          choices={[
            { value: "pickup", label: "Pickup", detail: "You meet on campus." },
            { value: "delivery", label: "Delivery", detail: "The seller brings it." },
            { value: "post", label: "Post", disabled: true },
          ]}
        />
        <SwitchButton name="switch" isOn busy={false} hint="It sends its form when it is pressed.">
          A switch
        </SwitchButton>
        <QuantityStepper value={quantity} maximum={5} onChange={setQuantity} />
        <RangeSlider
          legend="Price from and to"
          min={0}
          max={5000}
          step={100}
          defaultValue={[500, 2000]}
          names={["from", "to"]}
          labels={["Least", "Most"]}
          format={formatKes}
        />
      </form>
    </Sample>
  );
}
