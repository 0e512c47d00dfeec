import { type RateLimit, rateLimiter } from './rate-limit.ts'

/** How many calls of one remote address may be refused with 401. */
export const REFUSED_CALLS_LIMIT: RateLimit = { perSecond: 2, burst: 20 }

/** Credentials that were accepted are remembered: this many. */
const MAX_ACCEPTED = 10_000

/** A call whose credential is not proved yet. */
export interface Attempt {
  /** The credential was proved: the call does not count, and the credential is remembered. */
  accept(): void
  /** The call is refused; throws 429 when too many calls of its address were. */
  refuse(): void
}

/** The first 64 bits of an IPv6 address, which one host can choose the rest of; any other address as it is. */
function groupOf(address: string): string {
  const groups = address.split(':')
  return groups.length > 2 && !address.includes('.') ? groups.slice(0, 4).join(':') : address
}

/**
 * Limits how many calls of a remote address are refused with 401, so that guessed credentials cost few look-ups.
 *
 * @returns Begins a call, before its credential is looked up; throws 429 when too many calls of the address were refused. A credential that
 * was accepted before always passes, because many callers can share the address of a proxy.
 */
export function refusedCalls(
  limit: RateLimit = REFUSED_CALLS_LIMIT,
  now?: () => number,
): (address: string | undefined, credential: string | undefined) => Attempt {
  const take = rateLimiter(limit, now)
  const accepted = new Set<string>()
  function remember(credential: string): void {
    const [oldest] = accepted
    if (accepted.size >= MAX_ACCEPTED && oldest !== undefined) accepted.delete(oldest)
    accepted.add(credential)
  }
  return (address, credential) => {
    if (address === undefined) return UNCOUNTED
    const group = groupOf(address)
    if (credential !== undefined && accepted.has(credential)) {
      return { accept() {}, refuse: () => take(group) }
    }
    // Counted in advance, so that calls in progress at once are not all checked before the first of them is refused.
    take(group)
    return {
      accept() {
        take(group, -1)
        if (credential !== undefined) remember(credential)
      },
      refuse() {},
    }
  }
}

/** An application that is called without a server has no remote address. */
const UNCOUNTED: Attempt = { accept() {}, refuse() {} }
