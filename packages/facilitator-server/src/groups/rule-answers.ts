import type { payerQuotas, webhooks } from '@mintmark/facilitator'
import type { ErrorsOf, Rule } from '@mintmark/operation'
import type { RuleAnswer, RuleAnswers } from '@mintmark/server-kit'

type OfGroup<Group> = Extract<{ [Name in keyof Group]: ErrorsOf<Group[Name]> }[keyof Group], Rule>['reason']
type FacilitatorRule = OfGroup<typeof payerQuotas> | OfGroup<typeof webhooks>

/** What the facilitator says where a rule refuses and the handler does not know better. */
export const ruleAnswers: RuleAnswers = {
  payer_mismatch: { status: 403, message: "The payer is not the wallet of the key's account" },
  invalid_signature: {
    status: 400,
    message: "The signature is not the payer's over these terms",
  },
  nonce_used: {
    status: 409,
    message: 'The nonce must be larger than every one before it',
  },
  webhook_url_refused: { status: 400, message: 'The URL cannot receive webhooks' },
  too_many_webhooks: { status: 409, message: 'The account has as many webhooks as it may' },
} satisfies Record<FacilitatorRule, RuleAnswer>
