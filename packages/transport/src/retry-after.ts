/**
 * Reads how long a server wants its callers to wait, in seconds. Undefined if it does not say so in whole
 * seconds or as a date to come.
 *
 * @param now The time of the client, in milliseconds since the epoch.
 */
export function getRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return seconds >= 0 ? seconds : undefined
}
