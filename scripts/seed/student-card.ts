import sharp from "sharp";
import { CAMPUSES, PEOPLE, type PersonName } from "./people.ts";
import { objectFile } from "./studio.ts";

/** A student ID as if photographed with a phone, as PNG. Bars replace the small print. */
export async function drawStudentCard(name: PersonName): Promise<Buffer> {
  const { fullName, campus, phone } = PEOPLE[name];
  const face = await sharp(objectFile("1f9d1-200d-1f393")).resize(190, 190).png().toBuffer();
  const card = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="460"
    font-family="Helvetica, Arial, sans-serif">
    <rect width="720" height="460" fill="#8d7558"/>
    <g transform="rotate(-2 360 230)">
      <rect x="48" y="40" width="632" height="388" rx="26" fill="#2a1a12" opacity="0.25"/>
      <rect x="40" y="30" width="632" height="388" rx="26" fill="#fdfaf2"/>
      <path d="M40 56a26 26 0 0 1 26-26h580a26 26 0 0 1 26 26v52H40z" fill="#1f5f4f"/>
      <text x="72" y="82" font-size="30" font-weight="700" fill="#ffffff">STUDENT CARD</text>
      <rect x="72" y="136" width="214" height="222" rx="14" fill="#e7efe9"/>
      <text x="316" y="178" font-size="30" font-weight="700" fill="#22302b">${fullName}</text>
      <text x="316" y="222" font-size="22" fill="#4c5a54">${CAMPUSES[campus]}</text>
      <text x="316" y="258" font-size="22" fill="#4c5a54">No. C01/${phone.slice(-4)}/2025</text>
      <rect x="316" y="288" width="300" height="10" rx="5" fill="#cfd8d2"/>
        <rect x="316" y="312" width="240" height="10" rx="5" fill="#cfd8d2"/>
      <g fill="#22302b">${Array.from(
        { length: 34 },
        (_, at) => `<rect x="${316 + at * 9}" y="344"
        width="${2 + ((at * 7) % 5)}" height="38"/>`,
      ).join("")}</g>
    </g></svg>`;
  return sharp(Buffer.from(card))
    .composite([{ input: face, left: 88, top: 152 }])
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}
