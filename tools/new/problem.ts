/** A group that cannot be made. Its text is for the person at the terminal: why, and what would do. */
export class Problem extends Error {}
