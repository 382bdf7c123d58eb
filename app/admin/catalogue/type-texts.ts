/** Maximum length of a type's name and of its words, in characters. */
export const WORD_MAX = 40;

export const TYPE_TEXTS = {
  "set-word": "Saved. New listings and searches count it at once, older listings within some hours.",
  "unset-word": "Taken back. Older listings follow within some hours.",
  "add-type": "Added. Say next what people call it.",
  "forget-missed": "Removed. It comes back if people go on searching for it.",
  refused: {
    empty: { field: "word", text: "Enter a word with at least one letter" },
    no_type: { field: "type", text: "Choose a type" },
    no_category: { field: "category", text: "Choose a category" },
    known: { field: "name", text: "There is a type of this name already" },
    full: { field: "form", text: "The list is full. Take back something that you no longer need." },
  },
} as const;
