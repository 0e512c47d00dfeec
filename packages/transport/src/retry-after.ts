/**
 * Reads how long a server wants its callers to wait, in seconds. Undefined if it does not say so in whole
 * seconds or as a date.
 *
 * @param now The time of the client, in milliseconds since the epoch.
 */
export function getRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(text)
    ? Math.min(Number(text), Number.MAX_SAFE_INTEGER)
    : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
