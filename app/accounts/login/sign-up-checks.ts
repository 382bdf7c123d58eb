/** All that the forms of a sign-up and of a profile must contain. The server checks it. */
import { nameError } from "#app/accounts/trust/name-rules.ts";
import {
  campusFieldError,
  checkProfileForm,
  checkSignUpForm,
  found,
  type ProfileErrors,
  type ProfileValues,
  type SignUpErrors,
  type SignUpValues,
} from "./sign-up-rules.ts";

/** The errors of a sign-up, by field; empty when there are none. */
export function checkSignUp(values: SignUpValues, hasDocument: boolean): SignUpErrors {
  const names = found({
    fullName: nameError(values.fullName, "person"),
    campusLocation: nameError(values.campusLocation, "campus"),
    businessName: values.accountType === "wholesaler" ? nameError(values.businessName, "shop") : null,
  });
  return { ...names, ...checkSignUpForm(values, hasDocument) };
}

/** The errors of a profile, by field. */
export function checkProfile(values: ProfileValues): ProfileErrors {
  const names = found({
    fullName: nameError(values.fullName, "person"),
    campusLocation: nameError(values.campusLocation, "campus"),
  });
  return { ...names, ...checkProfileForm(values) };
}

/** The error of a campus. It is shown next to names, so the rules for names apply. */
export function campusError(campus: string): string | null {
  return campusFieldError(campus) ?? nameError(campus, "campus");
}
