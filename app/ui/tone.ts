/**
 * The meaning of colours: gold for the brand, gray for neutral, orange processing, blue in transit, green done or paid,
 * red failed.
 */
export const TONES = ["gold", "gray", "orange", "blue", "green", "red"] as const;
export type Tone = (typeof TONES)[number];
