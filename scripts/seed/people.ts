/**
 * The people of the demo campus. Their phones end in 20 or in 27 to 99, because the payment sandbox gives the other
 * endings a special outcome.
 */

interface Person {
  fullName: string;
  phone: string;
  campus: 1 | 2 | 3 | 4;
  /** Addresses at students.campus.test verify a student. */
  email: string;
  sells?: boolean;
}

function person(fullName: string, phone: string, campus: Person["campus"], email: string, sells = false): Person {
  return { fullName, phone, campus, email, sells };
}

export const PEOPLE = {
  // The demo accounts; the newcomer has no profile yet.
  buyer: person("Wanjiru Kamau", "254712345678", 1, "buyer@campus.test"),
  seller: person("Brian Otieno", "254722000020", 1, "seller@campus.test", true),
  pro: person("Amina Hassan", "254733000061", 2, "pro@campus.test", true),
  wholesaler: person("Grace Muthoni Karanja", "254710000062", 1, "wholesaler@campus.test", true),
  admin: person("Daniel Kiprono", "254720000063", 1, "admin@campus.test"),
  // Shopkeepers
  kevin: person("Kevin Mwangi", "254714208564", 4, "kevin.mwangi@students.campus.test", true),
  mercy: person("Mercy Chepkoech", "254728331965", 3, "mercy.chepkoech@students.campus.test", true),
  collins: person("Collins Wafula", "254791450366", 2, "collins.wafula@students.campus.test", true),
  fatuma: person("Fatuma Ali Mwinyi", "254745118727", 3, "fatuma.mwinyi@students.campus.test", true),
  samson: person("Samson Lekuta", "254701662928", 1, "samson.lekuta@students.campus.test", true),
  joyce: person("Joyce Nyaboke Momanyi", "254112873529", 2, "joyce.nyaboke@students.campus.test", true),
  dennis: person("Dennis Mutua", "254796014330", 4, "dennis.mutua@students.campus.test", true),
  riya: person("Riya Patel", "254735906131", 3, "riya.patel@students.campus.test", true),
  peter: person("Peter Njoroge", "254724577232", 1, "peter.njoroge@students.campus.test", true),
  halima: person("Halima Abdi Noor", "254757340833", 4, "halima.noor@students.campus.test", true),
  esther: person("Esther Akinyi Odhiambo", "254798125434", 2, "esther.akinyi@students.campus.test", true),
  victor: person("Victor Kimani", "254115679035", 3, "victor.kimani@students.campus.test", true),
  // Students who sell sometimes
  lydia: person("Lydia Jepkosgei", "254713904636", 1, "lydia.jepkosgei@students.campus.test", true),
  ouma: person("Felix Ouma", "254727481237", 1, "felix.ouma@campus.test", true),
  mwende: person("Mwende Musyoka", "254742367838", 2, "mwende.musyoka@students.campus.test", true),
  barasa: person("Emmanuel Barasa", "254790812439", 2, "emmanuel.barasa@campus.test", true),
  zawadi: person("Zawadi Charo", "254111295640", 3, "zawadi.charo@students.campus.test", true),
  githinji: person("Ian Githinji", "254719638241", 3, "ian.githinji@students.campus.test", true),
  naserian: person("Naserian Ole Sankale", "254746051842", 4, "naserian.sankale@students.campus.test", true),
  kinoti: person("Kinoti Mugambi", "254723719443", 4, "kinoti.mugambi@students.campus.test", true),
  shiru: person("Shiru Wambui", "254799284044", 1, "shiru.wambui@campus.test", true),
  ekai: person("Joseph Ekai", "254702573645", 2, "joseph.ekai@students.campus.test", true),
  bosibori: person("Bosibori Nyakundi", "254116840246", 4, "bosibori.nyakundi@students.campus.test", true),
  yusuf: person("Yusuf Omar Said", "254734162847", 3, "yusuf.said@campus.test", true),
  cheruiyot: person("Gideon Cheruiyot", "254725398448", 1, "gideon.cheruiyot@students.campus.test", true),
  mwakio: person("Priscilla Mwakio", "254748506049", 2, "priscilla.mwakio@campus.test", true),
  // Students who buy
  achieng: person("Achieng Adhiambo", "254717253650", 1, "achieng.adhiambo@students.campus.test"),
  simiyu: person("Nelson Simiyu", "254793147251", 2, "nelson.simiyu@campus.test"),
  jamila: person("Jamila Guyo", "254741960852", 4, "jamila.guyo@students.campus.test"),
  wairimu: person("Cynthia Wairimu", "254113582453", 3, "cynthia.wairimu@students.campus.test"),
  kiptoo: person("Elvis Kiptoo", "254729704054", 1, "elvis.kiptoo@students.campus.test"),
  nduku: person("Nduku Kioko", "254705418655", 3, "nduku.kioko@campus.test"),
  ruto: person("Sharon Jerono", "254792635256", 4, "sharon.jerono@students.campus.test"),
  hussein: person("Hussein Dida", "254736087857", 2, "hussein.dida@students.campus.test"),
  makena: person("Makena Kirimi", "254118321458", 1, "makena.kirimi@students.campus.test"),
} as const satisfies Record<string, Person>;

export type PersonName = keyof typeof PEOPLE;

/** Has signed up and confirmed the email, but has no profile yet. */
export const NEWCOMER = { fullName: "Baraka Mutiso", email: "newcomer@campus.test" };

/** Names by id, as in the migration. */
export const CAMPUSES = { 1: "Main Campus", 2: "City Campus", 3: "Parklands Campus", 4: "Westlands Campus" } as const;
