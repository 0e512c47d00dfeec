/** What programs may weigh after gzip, in bytes, of 1000 to the kilobyte: the promises of the README. */
export const MOST_IN_ALL = 15_000
export const MOST_OF_OURS = 4_000

/** The heaviest operation of all: a list of records with many fields, with the walking of its pages. */
export const MOST_OF_ANY = 15_400

/** What an operation may add to a program that has another. */
export const MOST_OF_FURTHER = 1_000
