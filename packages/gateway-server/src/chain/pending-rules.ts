import type { ExpectedPayment } from './transfer-rules.ts'

/** A transaction that waits for a block, with addresses as nodes give them. */
export interface PendingTransaction {
  readonly from: string
  /** `null` for one that deploys a contract. */
  readonly to: string | null
  readonly value: bigint
  /** Its calldata, `0x` for none. */
  readonly input: string
}

/** `transfer(address,uint256)` of ERC-20: the sender pays. */
const TRANSFER = '0xa9059cbb'
/** The functions of ERC-20 and EIP-3009 that begin with payer, payee and amount. */
const TRANSFERS_FROM: ReadonlySet<string> = new Set([
  // transferFrom(address,address,uint256)
  '0x23b872dd',
  // transferWithAuthorization, with v, r, s and with bytes
  '0xe3ee160e',
  '0xcf092995',
  // receiveWithAuthorization, with v, r, s and with bytes
  '0xef55bec6',
  '0x88b7ab63',
])

/**
 * Whether a pending transaction can become an order's payment, by its sender, recipient, value and calldata.
 * A transfer has to move at least the order's amount from the buyer to the seller. A wallet that is a
 * contract pays by calls of its own: those have to name buyer, seller, token and the exact amount.
 */
export function canPay(transaction: PendingTransaction, expected: ExpectedPayment): boolean {
  const from = transaction.from.toLowerCase()
  const to = transaction.to?.toLowerCase() ?? ''
  const input = transaction.input.toLowerCase()
  if (expected.token === '' && to === expected.to) {
    return from === expected.from && transaction.value > 0n && transaction.value >= expected.amount
  }
  const transfer = expected.token !== '' && to === expected.token ? parseTransfer(from, input) : undefined
  if (transfer !== undefined) {
    const { payer, payee, amount } = transfer
    return payer === expected.from && payee === expected.to && amount > 0n && amount >= expected.amount
  }
  const named = `${from} ${to} ${input}`
  const parties = [expected.from, expected.to, expected.token].map((address) => address.slice(2))
  return parties.every((party) => named.includes(party)) && input.includes(toWord(expected.amount))
}

function parseTransfer(
  sender: string,
  input: string,
): { payer: string; payee: string; amount: bigint } | undefined {
  const selector = input.slice(0, 10)
  const words = input.slice(10).match(/.{64}/g) ?? []
  const addressAt = (index: number) => `0x${words[index]?.slice(24) ?? ''}`
  const amountAt = (index: number) => BigInt(`0x${words[index] ?? '0'}`)
  if (selector === TRANSFER) return { payer: sender, payee: addressAt(0), amount: amountAt(1) }
  if (!TRANSFERS_FROM.has(selector)) return undefined
  return { payer: addressAt(0), payee: addressAt(1), amount: amountAt(2) }
}

const toWord = (amount: bigint) => amount.toString(16).padStart(64, '0')
