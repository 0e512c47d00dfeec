/** How long a sale lasts without an end time, as in thirdweb's marketplace. */
const DEFAULT_YEARS = 10

/** Returns the end of a sale that has none. */
export function getDefaultEnd(start: Date): Date {
  const end = new Date(start)
  end.setUTCFullYear(end.getUTCFullYear() + DEFAULT_YEARS)
  return end
}
