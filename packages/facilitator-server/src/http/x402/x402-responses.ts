import type { ResponseFormat } from '@mintmark/server-kit'
import { readNetwork, readPayer } from '../../schemes/read-payer.ts'
import { nativeResponses, parseBody, toX402Reason } from '../native/native-responses.ts'

/**
 * The responses under `/x402`. Errors have x402's own bodies too, because a stock server forwards them to the
 * payer.
 */
export const x402Responses: ResponseFormat = {
  success: (data) => data,
  failure(refusal, operation, body) {
    if (operation === undefined || operation.id === 'x402.supported')
      return nativeResponses.failure(refusal, operation)
    const reason = toX402Reason(refusal, operation)
    const { message, issues } = refusal
    const request = parseBody(body)
    const payer = readPayer(request)
    const details = { ...(issues.length > 0 && { issues }), ...(payer !== undefined && { payer }) }
    if (operation.id === 'x402.verify')
      return { isValid: false, invalidReason: reason, invalidMessage: message, ...details }
    return {
      success: false,
      errorReason: reason,
      errorMessage: message,
      ...details,
      transaction: '',
      network: readNetwork(request),
    }
  },
}
