import * as v from 'valibot'
import type { PaidFetch } from '../payments/paid-fetch.ts'
import type { PaymentTerms } from '../payments/payment-terms.ts'
import type { Budgets } from '../state/budgets.ts'
import type { Confirmations } from './confirmations.ts'
import { intentFields } from './operation-tools.ts'
import type { ResultWriter } from './results.ts'
import { defineTool, type Tool } from './tool.ts'

/** What the tools for payments need. */
export interface Payer {
  readonly paidFetch: PaidFetch
  readonly budgets: Budgets
  readonly confirmations: Confirmations
  /** Whether each payment must be confirmed, although a budget covers it. */
  readonly confirmsPayments: boolean
  readonly results: ResultWriter
}

const schema = v.strictObject({
  url: v.pipe(v.string(), v.description('An https URL of an allowed host.')),
  method: v.optional(v.picklist(['GET', 'POST']), 'GET'),
  body: v.optional(v.pipe(v.string(), v.maxLength(100_000), v.description('The body of a POST.'))),
  contentType: v.optional(v.pipe(v.string(), v.regex(/^[\w.+/;= -]{1,100}$/)), 'application/json'),
  maxAmount: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,78}$/),
      v.description(
        "The most to pay, in base units of the asset. Default: the rest of the session's budget.",
      ),
    ),
  ),
  ...intentFields,
})

function createFetchPaidUrl({ paidFetch, confirmations, confirmsPayments, results }: Payer): Tool {
  return defineTool({
    name: 'fetch_paid_url',
    description:
      'Fetches a URL and pays its x402 price within the budget. Repeat the same call when its result was lost: it pays once. A price beyond the budget is refused.',
    schema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    async call({ maxAmount, confirmation, ...rest }, context) {
      const { url, method, body, intent } = rest
      const confirm = async ({ asset, amount, requirements: { payTo } }: PaymentTerms) => {
        if (!confirmsPayments) return
        const exact = { url, method, body, intent, asset, amount: String(amount), payTo }
        const message = `This pays ${amount} of ${asset} to ${payTo}.`
        await confirmations.require({ message, exact, token: confirmation }, context)
      }
      const limit = maxAmount === undefined ? undefined : BigInt(maxAmount)
      const request = { ...rest, body, intent, maxAmount: limit, session: context.session }
      return results.writeData(await paidFetch.fetch(request, confirm))
    },
  })
}

function createGetBudget({ budgets, results }: Payer): Tool {
  return defineTool({
    name: 'get_budget',
    description: 'Returns what can be spent today and in this session, per asset, in base units.',
    schema: v.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async call(_, { session }) {
      const rows = budgets.list(session).map(({ asset, ...amounts }) => {
        const texts = Object.entries(amounts).map(([name, amount]) => [name, String(amount)])
        return { asset, ...Object.fromEntries(texts) }
      })
      return results.writeData(rows)
    },
  })
}

/** Creates the tools that spend and show the budget. */
export function createPaymentTools(payer: Payer): readonly Tool[] {
  return [createFetchPaidUrl(payer), createGetBudget(payer)]
}
