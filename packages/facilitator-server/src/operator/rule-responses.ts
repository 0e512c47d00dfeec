import type {
  BALANCE_TOO_LARGE,
  CHAIN_DECIDES,
  DECISION_REFUSED,
  PAYER_HAS_ACCOUNT,
  SETTLEMENT_NOT_UNKNOWN,
} from '@mintmark/facilitator/operator'
import type { RuleResponse, RuleResponses } from '@mintmark/server-kit'

type OperatorRule =
  | typeof BALANCE_TOO_LARGE
  | typeof CHAIN_DECIDES
  | typeof DECISION_REFUSED
  | typeof PAYER_HAS_ACCOUNT
  | typeof SETTLEMENT_NOT_UNKNOWN

/** The responses of refused rules for which the handler has no specific message. */
export const operatorRuleResponses: RuleResponses = {
  balance_too_large: { status: 409, message: 'The balance would be too large. Send a smaller amount' },
  chain_decides: { status: 409, message: 'The chain can be read, so it decides' },
  decision_refused: { status: 409, message: 'The state does not allow this decision' },
  payer_has_account: { status: 409, message: 'The wallet already has an account' },
  settlement_not_unknown: { status: 409, message: 'Only an unknown settlement can be resolved' },
} satisfies Record<OperatorRule['reason'], RuleResponse>
