import type { payerQuotas, webhooks } from '@mintmark/facilitator'
import type { ErrorsOf, Rule } from '@mintmark/operation'
import type { RuleAnswer, RuleAnswers } from '@mintmark/server-kit'

type RulesOf<Group> = Extract<{ [Name in keyof Group]: ErrorsOf<Group[Name]> }[keyof Group], string>
type FacilitatorRule = RulesOf<typeof payerQuotas> | RulesOf<typeof webhooks>

/** The responses of refused rules for which the handler has no specific message. */
export const ruleResponses: RuleAnswers = {
  [PAYER_MISMATCH]: { status: 403, message: "The payer is not the wallet of the key's account" },
  [INVALID_QUOTA_SIGNATURE]: {
    status: 400,
    message: "The signature is not the payer's over these terms",
  },
  nonce_used: {
    status: 409,
    message: 'The nonce must be larger than every earlier one',
  },
  [WEBHOOK_URL_REFUSED]: { status: 400, message: 'The URL cannot receive webhooks' },
  [TOO_MANY_WEBHOOKS]: { status: 409, message: 'The account has reached the maximum number of webhooks' },
} satisfies Record<FacilitatorRule, RuleAnswer>
