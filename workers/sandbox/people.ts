const FIRST_NAMES = [
  "AMINA",
  "BRIAN",
  "CHEBET",
  "DENNIS",
  "ESTHER",
  "FAITH",
  "GITHINJI",
  "HALIMA",
  "IAN",
  "JOY",
  "KEVIN",
  "LILIAN",
];
const LAST_NAMES = [
  "ACHIENG",
  "BARASA",
  "KIPTOO",
  "KAMAU",
  "MUTUA",
  "NJERI",
  "OCHIENG",
  "WAIRIMU",
  "HASSAN",
  "KILONZO",
  "MOHAMED",
];

/** The name of an M-PESA account. A phone (254XXXXXXXXX) always has the same one. */
export function registeredName(phone: string): string {
  const number = Number(phone.slice(-6));
  return `${FIRST_NAMES[number % FIRST_NAMES.length]} ${LAST_NAMES[number % LAST_NAMES.length]}`;
}
