import type { ResponseFormat } from '@mintmark/server-kit'
import { nativeResponses, toX402Reason } from '../native/native-responses.ts'

/**
 * The responses under `/x402`. Errors have x402's own bodies too, because a stock server forwards them to the
 * payer.
 */
export const x402Responses: ResponseFormat = {
  success: (data) => data,
  failure(refusal, operation) {
    if (operation === undefined || operation.id === 'x402.supported')
      return nativeResponses.failure(refusal, operation)
    const reason = toX402Reason(refusal, operation)
    return operation.id === 'x402.verify'
      ? { isValid: false, invalidReason: reason, invalidMessage: refusal.message }
      : { success: false, errorReason: reason, errorMessage: refusal.message, transaction: '', network: '' }
  },
}
