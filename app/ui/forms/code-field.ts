/** Characters that a code's field takes: people put spaces and dashes between them. */
export const CODE_FIELD_LENGTH = 60;
