import type { UpstreamResponse } from '../../payment/payment.ts'
import type { EngineSettings } from '../settings/engine-options.ts'
import type { SettleRequest } from './settle-request.ts'

/** How much longer than the timeout the call waits for an upstream that ignores its signal. */
const GRACE_MS = 250

/**
 * Calls the upstream. Returns `lost` if it does not respond in time or throws: whatever goes wrong here, the
 * payment may have been executed.
 */
export async function callUpstream(
  { upstream, upstreamTimeout, log }: EngineSettings,
  { payment, attempt, call: { account } }: SettleRequest,
  settlementId: number,
): Promise<UpstreamResponse> {
  const timeout = new AbortController()
  // An async function, because an upstream may also throw before it returns a promise.
  const upstreamCall = {
    settlementId: String(settlementId),
    attempt,
    signal: timeout.signal,
    ...(account.batchDelayMs !== undefined && { batchDelayMs: account.batchDelayMs }),
  }
  const call = async () => upstream.settle(payment, upstreamCall)
  const response = call().catch((error: unknown) => {
    log.error({ err: error, settlementId }, 'The upstream threw an error')
    return { kind: 'lost', why: 'reset', message: 'The upstream could not be called' } as const
  })
  return new Promise((resolve) => {
    const abort = setTimeout(() => {
      timeout.abort(new DOMException('The upstream did not respond in time', 'TimeoutError'))
    }, upstreamTimeout)
    // Does not wait for an upstream that ignores the signal.
    const giveUp = setTimeout(() => {
      resolve({ kind: 'lost', why: 'timeout', message: 'The upstream did not respond in time' })
    }, upstreamTimeout + GRACE_MS)
    response.then((received) => {
      clearTimeout(abort)
      clearTimeout(giveUp)
      resolve(received)
    })
  })
}
