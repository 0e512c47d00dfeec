import type { Door } from '@mintmark/server-kit'
import { facilitatorDoor, reasonOf } from '../native/native-responses.ts'

/**
 * The door under `/x402`: x402's own bodies also for failures, because a stock server hands them on to the payer.
 */
export const x402Door: Door = {
  success: (data) => data,
  failure(refusal, operation) {
    if (operation === undefined || operation.id === 'x402.supported')
      return facilitatorDoor.failure(refusal, operation)
    const reason = reasonOf(refusal, operation)
    return operation.id === 'x402.verify'
      ? { isValid: false, invalidReason: reason, invalidMessage: refusal.message }
      : { success: false, errorReason: reason, errorMessage: refusal.message, transaction: '', network: '' }
  },
}
