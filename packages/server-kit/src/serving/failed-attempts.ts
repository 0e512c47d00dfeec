import { type RateLimit, rateLimiter } from './rate-limit.ts'

/** How many calls of one remote address may be refused with 401. */
export const REFUSED_CALLS_LIMIT: RateLimit = { perSecond: 2, burst: 20 }

/** Credentials that were accepted are remembered: this many. */
const MAX_ACCEPTED = 10_000

/** Addresses whose last refusal is kept. */
const MAX_ADDRESSES = 100_000

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
  now: () => number = Date.now,
): (address: string | undefined, credential: string | undefined) => Attempt {
  const take = rateLimiter(limit, now)
  const accepted = new Set<string>()
  const lastRefusal = new Map<string, number>()
  const refillMs = (limit.burst / limit.perSecond) * 1000
  const isSuspect = (group: string) => now() - (lastRefusal.get(group) ?? 0) < refillMs
  function noteRefusal(group: string): void {
    if (lastRefusal.size >= MAX_ADDRESSES) lastRefusal.clear()
    lastRefusal.set(group, now())
  }
  function remember(credential: string): void {
    const [oldest] = accepted
    if (accepted.size >= MAX_ACCEPTED && oldest !== undefined) accepted.delete(oldest)
    accepted.add(credential)
  }
  return (address, credential) => {
    if (address === undefined) return UNCOUNTED
    if (credential !== undefined && accepted.has(credential)) {
      return { accept() {}, refuse: () => take(groupOf(address)) }
    }
    const group = groupOf(address)
    const keep = () => {
      if (credential !== undefined) remember(credential)
    }
    if (!isSuspect(group)) {
      const refuse = () => {
        noteRefusal(group)
        take(group)
      }
      return { accept: keep, refuse }
    }
    // Counted in advance while calls of the address are refused, so that those in progress at once do not all pass the check. Otherwise
    // callers with good credentials would refuse each other when a server has just started.
    take(group)
    return {
      accept() {
        take(group, -1)
        keep()
      },
      refuse: () => noteRefusal(group),
    }
  }
}

/** An application that is called without a server has no remote address. */
const UNCOUNTED: Attempt = { accept() {}, refuse() {} }
