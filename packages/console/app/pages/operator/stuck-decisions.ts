import type { StuckOrder } from '@mintmark/admin'
import { formatAmount } from '../../format/amount.ts'
import { findWellKnownToken, formatPayToken } from '../../format/pay-token.ts'
import { formatDuration } from '../../format/time.ts'
import { stuckOrdersTexts as texts } from '../../texts/operator.ts'

/** What an operator can decide about an order. */
export type StuckDecision = 'success' | 'failed' | 'refund' | 'delivery'

/** Statuses in which the outcome of an order is open, or can be corrected. */
const OPEN: readonly string[] = ['UNRESOLVED', 'IN_PROGRESS', 'PRE', 'FAILED', 'CANCELLED', 'EXPIRED']

/** Lists the decisions that the state of an order allows. The server checks them again. */
export function listDecisions({ status, refundDue, delivery }: StuckOrder): readonly StuckDecision[] {
  if (status === 'SUCCESS' && refundDue) return ['refund']
  const waits = delivery === 'pending' && !refundDue && (status === 'SUCCESS' || status === 'FAILED')
  if (waits) return ['delivery']
  return OPEN.includes(status) ? ['success', 'failed'] : []
}

/** The commands and the field that the server's advice names, the longest command first. */
const COMMANDS: readonly (readonly [command: string, name: string])[] = [
  [
    '"orders resolve --as success" with --hash <transaction> or --payment none',
    '“Resolve as paid” with the transaction, or without a payment,',
  ],
  ['"orders resolve --as success --hash <transaction>"', texts.commands.successWithHash],
  ['"orders resolve --as success"', '“Resolve as paid”'],
  ['"orders resolve --as failed"', texts.commands.failed],
  [
    '"orders refunded --payment <transaction> --hash <transaction of the refund>"',
    'press “Record the refund”',
  ],
  ['"orders delivered"', '“End the wait for delivery”'],
  ['the refundDue of each payment', 'what is to be paid back of each payment'],
]

/** Replaces the commands in the server's advice by the names of the buttons. Other text stays as it is. */
export function toConsoleAdvice(action: string): string {
  return COMMANDS.reduce((text, [command, name]) => text.replaceAll(command, name), action)
}

/**
 * Formats an amount of an order exactly: in tokens if the console knows the token's decimals, otherwise in
 * base units.
 */
export function formatOrderAmount(
  { chainId, payTokenAddress }: Pick<StuckOrder, 'chainId' | 'payTokenAddress'>,
  baseUnits: string,
): string {
  const token = findWellKnownToken(chainId, payTokenAddress)
  if (token === undefined) {
    return texts.amountOf(`${formatAmount({ baseUnits, decimals: 0 })} base units`, payTokenAddress)
  }
  const amount = formatAmount({ baseUnits, decimals: token.decimals })
  return texts.amountOf(amount, formatPayToken(chainId, payTokenAddress))
}

/** Formats the age of an order. The server counts whole minutes. */
export function formatAge(minutes: number): string {
  return minutes === 0 ? 'under 1 min' : formatDuration(minutes * 60_000)
}

/** A field in which an operator says why, for those who read the given record. */
export const createReasonField = (record: string) =>
  ({
    kind: 'text',
    isRequired: true,
    label: 'Reason',
    description: `Those who read the ${record} see it, with your name.`,
    check: { pattern: /\S/, message: 'Enter why you decide this, for those who read the history' },
  }) as const
