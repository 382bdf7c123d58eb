/** What is wrong with a copy, or with the database that is made of it, in a sentence for people. */
export class CopyFault extends Error {}
