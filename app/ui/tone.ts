/** What a colour says: gold for the brand, gray for the neutral, orange processing, blue in transit, green done or paid, red failed. */
export type Tone = "gold" | "gray" | "orange" | "blue" | "green" | "red";
