import { serverOnly } from '@mintmark/envelope'

/**
 * The settlement is not `unknown`, so its outcome is known or still being found out.
 *
 * Read the settlement again. A `sent` one becomes `settled`, `failed` or `unknown` by itself.
 */
export const SETTLEMENT_NOT_UNKNOWN = {
  status: 409,
  reason: 'settlement_not_unknown',
  message: serverOnly('Only an unknown settlement can be resolved'),
} as const
/**
 * The chain of the settlement can be read, so the chain decides the outcome.
 *
 * Wait until the server has read the outcome. If that can never happen, repeat the decision with `force`.
 */
export const CHAIN_DECIDES = {
  status: 409,
  reason: 'chain_decides',
  message: serverOnly('The chain can be read, so it decides'),
} as const
/**
 * The state does not allow the decision of an operator. The message says why.
 *
 * Read the health again, and decide by what it shows.
 */
export const DECISION_REFUSED = {
  status: 409,
  reason: 'decision_refused',
  message: serverOnly('The state does not allow this decision'),
} as const
/**
 * The credit would make the balance too large to be stored.
 *
 * Send a smaller amount. Amounts are in wei: 1 native token is 1000000000000000000.
 */
export const BALANCE_TOO_LARGE = {
  status: 409,
  reason: 'balance_too_large',
  message: serverOnly('The balance would be too large. Send a smaller amount'),
} as const
