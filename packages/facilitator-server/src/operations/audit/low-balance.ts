/** A signer whose balance pays for fewer prices of a settle than this is reported. */
export const LOW_BALANCE_PRICES = 50n
