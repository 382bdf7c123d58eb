/** The product's name and signature. The name is written here and nowhere else. */
export const brand = {
  name: "Chuoni",
  tagline: "Student Marketplace",
  description: "Buy and sell on campus: books, electronics, fashion and more, paid by M-Pesa.",
  /** Browser chrome colours: the page background of each theme. */
  themeColour: { light: "#ffffff", dark: "#13120f" },
} as const;
