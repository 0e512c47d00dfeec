import { media } from '@mintmark/cards'
import { createRateLimiter, type RateLimit, type UnauthenticatedCall } from '@mintmark/server-kit'

const BODY_BYTES_PER_TOKEN = 2048
/** A file costs little to parse, and waits for its turn to be processed. */
const FILE_BYTES_PER_TOKEN = 65_536
const RESPONSE_CHARACTERS_PER_TOKEN = 16_384
/** Operations of keys whose responses are large. Beyond that, all are forgotten. */
const MAX_RESPONSE_COSTS = 10_000

/**
 * Creates the charge of a call: one token of its key's rate limit, and one more for every 2 KiB of its body
 * and 16 KiB of its response. The time that a call takes of the process grows with both, and all projects
 * share the process. A response costs in advance what the key's last one of the operation cost, so that
 * concurrent calls for large responses do not all pass.
 */
export function createCharge(rateLimit: RateLimit, now: () => number) {
  const limiter = createRateLimiter(rateLimit, now)
  const responseCosts = new Map<string, number>()
  return (call: UnauthenticatedCall, key: string, bodyBytes: number): void => {
    const name = `${key}/${call.operation.id}`
    const isFile = call.operation.id === media.upload.id
    const bytesPerToken = isFile ? FILE_BYTES_PER_TOKEN : BODY_BYTES_PER_TOKEN
    const expected = responseCosts.get(name) ?? 0
    limiter.take(key, 1 + Math.floor(bodyBytes / bytesPerToken) + expected)
    call.onResponse((length) => {
      const cost = Math.floor(length / RESPONSE_CHARACTERS_PER_TOKEN)
      limiter.charge(key, cost - expected)
      if (responseCosts.size >= MAX_RESPONSE_COSTS) responseCosts.clear()
      // An error in between is small and no reason to expect small responses.
      const next = Math.max(cost, Math.floor(expected / 2))
      if (next > 0) responseCosts.set(name, next)
      else responseCosts.delete(name)
    })
  }
}
