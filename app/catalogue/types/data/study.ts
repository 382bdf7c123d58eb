import type { ItemType } from "#app/catalogue/types/item-type.ts";
import { accessory, inCategory, thing } from "./write-type.ts";

const BOOKS = inCategory("textbooks", [
  thing("book", "Book", "kitabu, vitabu"),
  thing("textbook", "Textbook", "course book, course text, study text, course reader", {
    parent: "book",
    signs: "# th edition, # rd edition, # nd edition, # th ed, # rd ed",
  }),
  thing("novel", "Novel", "storybook, story book, fiction book, riwaya, set book", {
    parent: "book",
    signs: "fathers of nations, the samaritan, a silent song, bembea ya maisha, nguu za jadi, rich dad poor dad",
  }),
  thing("dictionary", "Dictionary", "kamusi", { parent: "book" }),
  thing("bible", "Bible", "biblia, quran, koran", { parent: "book" }),
  thing("revision-book", "Revision book", "revision text, topical revision", { parent: "book" }),
  thing("e-book", "E-book", "pdf book", { parent: "book" }),
]);

const STUDY_MATERIALS = inCategory("study-materials", [
  thing(
    "notes",
    "Notes",
    `lecture note, summary note, class note, short note, revision note,
    handwritten note, study note, handout, revision card, flash card`,
    { plural: "Notes" },
  ),
  thing(
    "past-papers",
    "Past papers",
    `past paper, revision paper, exam paper, pastpaper,
    cat and exam paper`,
    { plural: "Past papers" },
  ),
  thing("lab-coat", "Lab coat", "dust coat, dustcoat, laboratory coat, white coat"),
  thing("scrubs", "Scrubs", "scrub, nursing scrub, medical scrub", { plural: "Scrubs" }),
  thing("goggles", "Safety goggles", "goggles, lab goggles, safety glasses", { plural: "Safety goggles" }),
  thing("gloves", "Gloves", "glove, latex glove, nitrile glove, surgical glove", { plural: "Gloves" }),
  thing("stethoscope", "Stethoscope", "", { signs: "littmann" }),
  thing("bp-machine", "BP machine", "blood pressure machine, sphygmomanometer, bp monitor"),
  thing("thermometer", "Thermometer", "digital thermometer"),
  thing("dissecting-kit", "Dissecting kit", "dissection kit, dissecting set"),
  thing("microscope", "Microscope", "student microscope"),
  thing("model-kit", "Model kit", "chemistry model kit, molecular model kit, anatomy model, skeleton model"),
  thing("glassware", "Lab glassware", "burette, pipette, beaker, test tube", { plural: "Lab glassware" }),
  thing("logbook", "Logbook", "attachment logbook, log book"),
  thing("map", "Map", "world map, wall map, atlas, ramani"),
  thing("pocket-guide", "Pocket guide", "clinical guide"),
  thing("helmet-and-safety", "Safety helmet", "reflector jacket, reflective jacket, hard hat, safety vest"),
  thing("multimeter", "Multimeter", "digital multimeter"),
  thing(
    "electronics-kit",
    "Electronics kit",
    `arduino, arduino kit, arduino uno, raspberry pi,
    breadboard, soldering iron, soldering gun`,
  ),
]);

const STATIONERY = inCategory("stationery", [
  thing("pen", "Pen", "biro, ballpoint pen, ball pen, fountain pen, gel pen, kalamu", { signs: "parker jotter" }),
  thing("pencil", "Pencil", "drawing pencil, mechanical pencil"),
  thing("highlighter", "Highlighter", "highlighter pen"),
  thing("marker", "Marker", "marker pen, felt pen, whiteboard marker"),
  thing("colour-pencils", "Colour pencils", "coloured pencil, colored pencil, color pencil, crayon", {
    plural: "Colour pencils",
  }),
  thing(
    "art-supplies",
    "Art supplies",
    `watercolour, water colour, acrylic paint, paint set, paint brush,
    acrylic set, painting set, oil paint, canvas board, acrylic starter set`,
    { plural: "Art supplies" },
  ),
  thing(
    "notebook",
    "Notebook",
    `exercise book, counter book, hardcover notebook, hardcover book,
    spiral notebook, writing pad, foolscap, journal, sketchbook, sketch pad, quire book, diary`,
  ),
  thing("paper", "Paper", "printing paper, photocopy paper, ream, ream of paper, graph paper, manila paper", {
    plural: "Paper",
  }),
  thing("file", "File", "box file, spring file, document folder, folder, binder, faili"),
  thing("clipboard", "Clipboard"),
  thing("drawing-board", "Drawing board", "drafting board, drawing table", { signs: "parallel motion" }),
  thing("t-square", "T-square", "tee square"),
  thing(
    "geometry-set",
    "Geometry set",
    `geometrical set, mathematical set, set square, math set,
    compass set, drawing set`,
  ),
  thing("ruler", "Ruler", "scale ruler, rula"),
  thing("scissors", "Scissors", "scissor, makasi, cutting mat", { plural: "Scissors" }),
  thing("stapler", "Stapler", "staple pin, paper punch"),
  thing("glue", "Glue", "glue stick, glue gun, super glue, masking tape, cellotape", { plural: "Glue" }),
  thing("sticky-notes", "Sticky notes", "sticky note, post it note", { plural: "Sticky notes" }),
  thing("whiteboard", "Whiteboard", "dry erase board, noticeboard, blackboard"),
  accessory("pencil-case", "Pencil case", "pencil pouch, pen case"),
]);

export const STUDY: ItemType[] = [...BOOKS, ...STUDY_MATERIALS, ...STATIONERY];
