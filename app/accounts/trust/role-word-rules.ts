/**
 * Whose name nobody may bear: ours, those of M-Pesa, banks, the police and universities, and what only we can say of
 * somebody. One list: each word of a name is folded and looked up here. A word may say several things.
 */
export const CLAIMS = {
  /** Payment brands, and our own. Never in a name, also not within a word. */
  brand: "mpesa empesa safaricom chuoni",
  /** They claim to be us with any name beside them. */
  ours: `customer-care customer-service customer-services customer-support customers-care client-care client-service
    help-desk help-line help-center help-centre call-center call-centre huduma-kwa-wateja huduma-ya-wateja
    huduma-za-wateja huduma-wateja wateja-huduma our-team the-team timu-yetu escrow trust-safety trust-and-safety
    buyer-protection buyers-protection seller-protection sellers-protection purchase-protection`,
  /** Whom people obey, and who keeps or moves their money. A campus or a thing may be named after them. */
  body: `police polisi dci kra helb nssf nhif hustler-fund university-of chuo-kikuu vice-chancellor dean-of-students
    registrar admissions-office exams-office examinations-office student-affairs students-affairs government serikali
    kcb ncba stanbic absa barclays-bank citi-bank eco-bank gt-bank sidian dtb cbk nbk kwft postbank stan-chart
    standard-chartered standard-bank equity-bank equity-group equitel co-op-bank co-operative-bank family-bank
    diamond-trust im-bank i-and-m-bank central-bank national-bank prime-bank credit-bank consolidated-bank sbm-bank
    uba-bank hf-group hfc-bank boa-bank bank-of-africa bank-of-kenya gulf-african-bank first-community-bank faulu-bank
    kingdom-bank victoria-commercial-bank access-bank guaranty-bank housing-finance airtel telkom-kenya t-kash fuliza
    m-shwari pesalink pesapal jambopay paypal western-union moneygram worldremit sendwave remitly skrill payoneer
    flutterwave paystack mastercard visa-card cash-app chipper-cash binance google-pay apple-pay`,
  /** Banks that are called by an everyday word. Only with words of a company: "Equity Kenya", but "Equity Wanjala". */
  bank: "equity coop",
  /** Never the last word: "Jumia Support". Nowhere in a person's name: "Kevin Support KE". */
  helper: `support helpdesk helpline admin administrator moderator usaidizi msimamizi`,
  /** Never the first word: "Admin Kevin". Nowhere in a person's name. */
  title: "admin administrator moderator msimamizi",
  /** Never the first word of a person's name: "Officer Kevin". */
  officer: "officer afisa inspector constable agent manager",
  /** What a company does for its people. Never beside a unit: "Kamau Payments Department". */
  duty: `support admin administrator moderator refund payment payout verification security moderation dispute safety
    protection fraud complaint billing claim finance financial accounts compliance case loan transaction reversal audit
    risk care malipo usalama marejesho migogoro`,
  unit: `team department dept desk office officer unit division committee section bureau kitengo timu
    idara afisa agent manager`,
  /** They claim the same in a name of nothing else: "Official Kenya", "Refunds". */
  alone: "staff system help official verified hotline rasmi msaada huduma wateja",
  /** Words that make no name of such a name. */
  plain: `the center centre line hq app online customer client service campus student marketplace market account
    contact info bot live chat user of for and at in your our my university uni college trust buyer seller resolution
    kwa wa ya za cha la na wanafunzi chuo kampasi sales order delivery group main central senior chief head`,
  place: "kenya kenyan ke nairobi mombasa kisumu nakuru eldoret africa",
  /** What only we say of somebody, also within a word. */
  verified: "verified thibitishwa idhinishwa hakikiwa hakikishwa kaguliwa",
  /** They claim it beside a seller ("Approved shop"), but not in "Official Barber" or "Checked shirts". */
  status: "approved checked certified official authorised authorized vetted trusted confirmed rasmi",
  seller: `seller shop vendor dealer trader merchant supplier listing store
    account page profile member user item product muuzaji wauzaji duka maduka`,
  holder: "student business mwanafunzi wanafunzi biashara bidhaa",
  rating: `top-rated best-rated highest-rated highly-rated most-trusted top-seller top-vendor star-seller power-seller
    super-seller recommended-seller rated-seller number-one-seller no-one-seller`,
} as const;

export type Claim = keyof typeof CLAIMS;

/**
 * Words that resemble honest ones: "Checker Shop", "Polite Collections". A mistake in a short one counts for nothing.
 */
export const RESEMBLING: ReadonlySet<Claim> = new Set([
  "brand",
  "body",
  "bank",
  "plain",
  "place",
  "seller",
  "holder",
  "status",
]);
