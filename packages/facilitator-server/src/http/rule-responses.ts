import type { payerQuotas, payments, webhooks } from '@mintmark/facilitator'
import type { ErrorsOf, Rule } from '@mintmark/operation'
import type { RuleResponse, RuleResponses } from '@mintmark/server-kit'

type RulesOf<Group> = Extract<{ [Name in keyof Group]: ErrorsOf<Group[Name]> }[keyof Group], Rule>['reason']
type FacilitatorRule = RulesOf<typeof payerQuotas> | RulesOf<typeof payments> | RulesOf<typeof webhooks>

/** The responses of refused rules for which the handler has no specific message. */
export const ruleResponses: RuleResponses = {
  duplicate_settlement: { status: 400, message: 'The settlement of this payment was delivered before' },
  payer_mismatch: { status: 403, message: "The payer is not the wallet of the key's account" },
  invalid_signature: {
    status: 400,
    message: "The signature is not the payer's over these terms",
  },
  nonce_used: { status: 409, message: 'The nonce must be larger than every earlier one' },
  webhook_url_refused: { status: 400, message: 'The URL cannot receive webhooks' },
  too_many_webhooks: { status: 409, message: 'The account has reached the maximum number of webhooks' },
} satisfies Record<FacilitatorRule, RuleResponse>
