import { formatActor } from '../../format/actor.ts'
import { formatAmount } from '../../format/amount.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { decisionsTexts, facilitatorTexts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'

/** Balances and prices are in wei. */
export const NATIVE_DECIMALS = 18

/** Returns the id of an EVM chain, such as `8453` of `eip155:8453`; other networks as they are. */
export function toChainId(network: string): string {
  return network.replace(/^eip155:/, '')
}

/** Formats an account by its name, or by its id. */
export function formatAccount({ id, name }: { readonly id: number; readonly name: string }): string {
  return name === '' ? facilitatorTexts.account(String(id)) : name
}

/** Formats who made a transfer or a decision. */
export function formatOperator(actor: string): string {
  return actor === 'facilitator' ? 'the facilitator' : formatActor(actor)
}

/** Formats what a decision was about, such as `account/12`. */
export function formatSubject(subject: string): string {
  const [kind = '', id = ''] = subject.split('/')
  switch (kind) {
    case 'account':
      return facilitatorTexts.account(id)
    case 'key':
      return `Key ${id}`
    case 'settlement':
      return facilitatorTexts.settlement(id)
    case 'session':
      return `Session ${id}`
    case 'payer':
      return `Wallet ${shortenIdentifier(id)}`
    default:
      return subject
  }
}

/** Finds the name of a word in the texts; a word that a newer facilitator has is returned as it is. */
export function findName(names: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(names, word) ? (names[word] ?? word) : word
}

/** Formats the operation of a decision. */
export const formatOperation = (operation: string): string => findName(decisionsTexts.operations, operation)

/** Formats an amount in wei that may be negative, in whole tokens. */
export function formatSignedNative(wei: string): string {
  const isNegative = wei.startsWith('-')
  const amount = formatAmount({ baseUnits: isNegative ? wei.slice(1) : wei, decimals: NATIVE_DECIMALS })
  return isNegative ? `−${amount}` : amount
}

/** Formats how much of a limit is used, rounded down: `42 %`. */
export function formatShare(used: string, limit: string): string {
  const share = BigInt(limit) === 0n ? 0n : (BigInt(used) * 100n) / BigInt(limit)
  return `${share} %`
}

/** Formats a count that may not be known. */
export const formatOptional = (count: number | undefined, format: (count: number) => string): string =>
  count === undefined ? componentTexts.none : format(count)

/** A field in which an operator says why. */
export const reasonField = {
  kind: 'text',
  isRequired: true,
  label: 'Reason',
  description: 'Those who read the list of decisions see it, and who decided.',
} as const
