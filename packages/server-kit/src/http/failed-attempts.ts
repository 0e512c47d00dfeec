import { createRateLimiter, type RateLimit } from './rate-limit.ts'

/** How many calls of one remote address may fail with 401. */
export const FAILED_ATTEMPT_LIMIT: RateLimit = { perSecond: 2, burst: 20 }

const MAX_ACCEPTED_CREDENTIALS = 10_000
/** The maximum number of addresses whose last failure is remembered. */
const MAX_ADDRESSES = 100_000

/** A call whose credential is not verified yet. */
export interface Attempt {
  /** The credential is valid: the call does not count, and the credential is remembered. */
  succeed(): void
  /** The call fails with 401; throws 429 when too many calls of its address failed. */
  fail(): void
}

/**
 * Returns the first 64 bits of an IPv6 address, because one host can choose the others; any other address
 * unchanged.
 */
export function toAddressGroup(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [start = '', end] = address.split('::')
  const listGroups = (text: string | undefined) => (text ? text.split(':') : [])
  const [first, last] = [listGroups(start), listGroups(end)]
  const omitted = end === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array<string>(omitted).fill('0'), ...last].slice(0, 4).join(':')
}

/**
 * Creates a limiter of the calls of a remote address that fail with 401, so that guessed credentials cost few
 * lookups.
 *
 * @returns Begins a call, before its credential is looked up; throws 429 when too many calls of the address
 * failed. A credential that was accepted before always passes, because many callers can share the address of
 * a proxy.
 */
export function createFailedAttemptLimiter(
  limit: RateLimit = FAILED_ATTEMPT_LIMIT,
  now: () => number = Date.now,
): (address: string | undefined, credential: string | undefined) => Attempt {
  const { take } = createRateLimiter(limit, now)
  const accepted = new Set<string>()
  const lastFailures = new Map<string, number>()
  const refillMs = (limit.burst / limit.perSecond) * 1000
  const hasRecentFailure = (group: string) => now() - (lastFailures.get(group) ?? 0) < refillMs
  function recordFailure(group: string): void {
    if (lastFailures.size >= MAX_ADDRESSES) lastFailures.clear()
    lastFailures.set(group, now())
  }
  function remember(credential: string | undefined): void {
    if (credential === undefined) return
    const [oldest] = accepted
    if (accepted.size >= MAX_ACCEPTED_CREDENTIALS && oldest !== undefined) accepted.delete(oldest)
    accepted.add(credential)
  }
  return (address, credential) => {
    if (address === undefined) return UNCOUNTED
    if (credential !== undefined && accepted.has(credential)) {
      return { succeed() {}, fail: () => take(toAddressGroup(address)) }
    }
    const group = toAddressGroup(address)
    if (!hasRecentFailure(group)) {
      const fail = () => {
        recordFailure(group)
        take(group)
      }
      return { succeed: () => remember(credential), fail }
    }
    // After a failure of the address its calls count in advance, so that concurrent ones do not all pass the
    // check. Without a failure they do not: otherwise callers with valid credentials would exhaust the limit
    // of their common address when a server has just started.
    take(group)
    return {
      succeed() {
        take(group, -1)
        remember(credential)
      },
      fail: () => recordFailure(group),
    }
  }
}

/** An application that is called without a server has no remote address. */
const UNCOUNTED: Attempt = { succeed() {}, fail() {} }
