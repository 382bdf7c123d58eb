import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, thing } from "./write-type.ts";

const BOOKS: ItemType[] = [
  thing("book", "Book", "textbooks", "kitabu, vitabu"),
  thing("textbook", "Textbook", "textbooks", "course book, course text, study text, course reader", {
    parent: "book",
    signs: "# th edition, # rd edition, # nd edition, # th ed, # rd ed",
  }),
  thing("novel", "Novel", "textbooks", "storybook, story book, fiction book, riwaya, set book", {
    parent: "book",
    signs: "fathers of nations, the samaritan, a silent song, bembea ya maisha, nguu za jadi, rich dad poor dad",
  }),
  thing("dictionary", "Dictionary", "textbooks", "kamusi", { parent: "book" }),
  thing("bible", "Bible", "textbooks", "biblia, quran, koran", { parent: "book" }),
  thing("revision-book", "Revision book", "textbooks", "revision text, topical revision", { parent: "book" }),
  thing("e-book", "E-book", "textbooks", "pdf book", { parent: "book" }),
];

const STUDY_MATERIALS: ItemType[] = [
  thing(
    "notes",
    "Notes",
    "study-materials",
    `lecture note, summary note, class note, short note, revision note,
    handwritten note, study note, handout, revision card, flash card`,
    { plural: "Notes" },
  ),
  thing(
    "past-papers",
    "Past papers",
    "study-materials",
    `past paper, revision paper, exam paper, pastpaper,
    cat and exam paper`,
    { plural: "Past papers" },
  ),
  thing("lab-coat", "Lab coat", "study-materials", "dust coat, dustcoat, laboratory coat, white coat"),
  thing("scrubs", "Scrubs", "study-materials", "scrub, nursing scrub, medical scrub", { plural: "Scrubs" }),
  thing("goggles", "Safety goggles", "study-materials", "goggles, lab goggles, safety glasses", {
    plural: "Safety goggles",
  }),
  thing("gloves", "Gloves", "study-materials", "glove, latex glove, nitrile glove, surgical glove", {
    plural: "Gloves",
  }),
  thing("stethoscope", "Stethoscope", "study-materials", "", { signs: "littmann" }),
  thing("bp-machine", "BP machine", "study-materials", "blood pressure machine, sphygmomanometer, bp monitor"),
  thing("thermometer", "Thermometer", "study-materials", "digital thermometer"),
  thing("dissecting-kit", "Dissecting kit", "study-materials", "dissection kit, dissecting set"),
  thing("microscope", "Microscope", "study-materials", "student microscope"),
  thing(
    "model-kit",
    "Model kit",
    "study-materials",
    "chemistry model kit, molecular model kit, anatomy model, skeleton model",
  ),
  thing("glassware", "Lab glassware", "study-materials", "burette, pipette, beaker, test tube", {
    plural: "Lab glassware",
  }),
  thing("logbook", "Logbook", "study-materials", "attachment logbook, log book"),
  thing("map", "Map", "study-materials", "world map, wall map, atlas, ramani"),
  thing("pocket-guide", "Pocket guide", "study-materials", "clinical guide"),
  thing(
    "helmet-and-safety",
    "Safety helmet",
    "study-materials",
    "reflector jacket, reflective jacket, hard hat, safety vest",
  ),
  thing("multimeter", "Multimeter", "study-materials", "digital multimeter"),
  thing(
    "electronics-kit",
    "Electronics kit",
    "study-materials",
    `arduino, arduino kit, arduino uno, raspberry pi,
    breadboard, soldering iron, soldering gun`,
  ),
];

const STATIONERY: ItemType[] = [
  thing("pen", "Pen", "stationery", "biro, ballpoint pen, ball pen, fountain pen, gel pen, kalamu", {
    signs: "parker jotter",
  }),
  thing("pencil", "Pencil", "stationery", "drawing pencil, mechanical pencil"),
  thing("highlighter", "Highlighter", "stationery", "highlighter pen"),
  thing("marker", "Marker", "stationery", "marker pen, felt pen, whiteboard marker"),
  thing("colour-pencils", "Colour pencils", "stationery", "coloured pencil, colored pencil, color pencil, crayon", {
    plural: "Colour pencils",
  }),
  thing(
    "art-supplies",
    "Art supplies",
    "stationery",
    `watercolour, water colour, acrylic paint, paint set, paint brush,
    acrylic set, painting set, oil paint, canvas board, acrylic starter set`,
    { plural: "Art supplies" },
  ),
  thing(
    "notebook",
    "Notebook",
    "stationery",
    `exercise book, counter book, hardcover notebook, hardcover book,
    spiral notebook, writing pad, foolscap, journal, sketchbook, sketch pad, quire book, diary`,
  ),
  thing(
    "paper",
    "Paper",
    "stationery",
    "printing paper, photocopy paper, ream, ream of paper, graph paper, manila paper",
    {
      plural: "Paper",
    },
  ),
  thing("file", "File", "stationery", "box file, spring file, document folder, folder, binder, faili"),
  thing("clipboard", "Clipboard", "stationery"),
  thing("drawing-board", "Drawing board", "stationery", "drafting board, drawing table", { signs: "parallel motion" }),
  thing("t-square", "T-square", "stationery", "tee square"),
  thing(
    "geometry-set",
    "Geometry set",
    "stationery",
    `geometrical set, mathematical set, set square, math set,
    compass set, drawing set`,
  ),
  thing("ruler", "Ruler", "stationery", "scale ruler, rula"),
  thing("scissors", "Scissors", "stationery", "scissor, makasi, cutting mat", { plural: "Scissors" }),
  thing("stapler", "Stapler", "stationery", "staple pin, paper punch"),
  thing("glue", "Glue", "stationery", "glue stick, glue gun, super glue, masking tape, cellotape", { plural: "Glue" }),
  thing("sticky-notes", "Sticky notes", "stationery", "sticky note, post it note", { plural: "Sticky notes" }),
  thing("whiteboard", "Whiteboard", "stationery", "dry erase board, noticeboard, blackboard"),
  accessory("pencil-case", "Pencil case", "stationery", "pencil pouch, pen case"),
];

export const STUDY: ItemType[] = [...BOOKS, ...STUDY_MATERIALS, ...STATIONERY];
