/** From this many years on, an end means that nobody has set one: the gateway's default is ten years. */
const OPEN_END_YEARS = 9

/** A time from its start to its end, in ISO 8601. */
interface Period {
  readonly startTime: string
  readonly endTime: string
}

/**
 * Whether a listing or a phase ends at a time that somebody has chosen, as opposed to the default of the
 * gateway.
 */
export function hasChosenEnd({ startTime, endTime }: Period): boolean {
  const years = new Date(endTime).getUTCFullYear() - new Date(startTime).getUTCFullYear()
  return years < OPEN_END_YEARS
}
