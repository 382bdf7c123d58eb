import { TextField, type TextFieldProps } from "./text-field.tsx";

/** An amount in KES, as people write it ("25,000", "Ksh 25,000/="). `readAmount` reads it. */
export function AmountField(props: Omit<TextFieldProps, "prefix" | "inputMode" | "maxLength" | "autoComplete">) {
  return <TextField {...props} prefix="KES" inputMode="numeric" maxLength={30} autoComplete="off" />;
}
