// Pays with every kind of wallet in every kind of token, by the npm packages of x402, and compares the
// documented page with what happened.
import { join } from 'node:path'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settlePrice, type TestAccount } from '../../../packages/facilitator-server/src/testing.ts'
import { EVM_CASES, formatPage, type Outcomes, SOLANA_CASES } from './compatibility-page.ts'
import { openEvmPayer, openSolanaPayer, PAYER_PACKAGES, type StockPayer } from './stock-payers.ts'
import {
  CHANNEL_PATH,
  type EvmMethod,
  openStockSeller,
  PRICE,
  pathOf,
  SELLER_PACKAGES,
  type StockEnvironment,
  startStockEnvironment,
  USED,
} from './stock-sellers.ts'

const stops = new AsyncDisposableStack()
const sellers = new Map<string, string>()
const outcomes: Outcomes = new Map()
let environment: StockEnvironment
let account: TestAccount
beforeAll(async () => {
  environment = await startStockEnvironment(stops)
  account = await environment.facilitator.account({ settles: 1_000 })
  for (const name of Object.keys(SELLER_PACKAGES)) {
    sellers.set(name, await openStockSeller(environment, name, account, stops))
  }
})
afterAll(() => stops.disposeAsync())

const pairs = Object.keys(SELLER_PACKAGES).flatMap((seller) =>
  Object.keys(PAYER_PACKAGES).map((payer) => ({ seller, payer })),
)

/** Reads the reason of a refusal, wherever the stock server puts it. */
function readReason(response: Response): string {
  const settled = response.headers.get('payment-response')
  const reason =
    settled === null
      ? decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '').error
      : decodePaymentResponseHeader(settled).errorReason
  if (reason === undefined) throw new Error('The response has no reason')
  return reason
}

/**
 * What the stock client throws for a token that has no number for the next signed approval. Nothing is signed
 * or sent then.
 */
const NO_SIGNED_APPROVAL = /^Failed to create payment payload: The contract function "nonces" reverted/
const SIGNS_NOTHING = 'the client signs nothing'

/** Buys at a path. Returns `pays`, or the reason of the refusal, after it has checked where the money is. */
async function buy(
  { client, balance }: StockPayer,
  path: string,
  { seller = '@x402/express', payer = '@x402/fetch', paid = PRICE, charges = settlePrice } = {},
): Promise<string> {
  const { facilitator } = environment
  const before = { balance: await balance(), available: await facilitator.available(account) }
  const send = PAYER_PACKAGES[payer]?.(client)
  if (send === undefined) throw new Error(`There is no payer of ${payer}`)
  const response = await send(`${sellers.get(seller)}${path}`).catch((error: unknown) => {
    if (error instanceof Error && NO_SIGNED_APPROVAL.test(error.message)) return undefined
    throw error
  })
  if (response === undefined) return SIGNS_NOTHING
  const text = await response.text()
  const charged = before.available - (await facilitator.available(account))
  const spent = before.balance - (await balance())
  if (response.status === 200) {
    expect({ text, spent, charged }).toEqual({ text: 'the report', spent: paid, charged: charges })
    return 'pays'
  }
  expect([402, 412]).toContain(response.status)
  expect(text).not.toContain('the report')
  expect({ spent, charged }).toEqual({ spent: 0n, charged: 0n })
  return readReason(response)
}

/** What the stock client deposits into a new channel. */
const DEPOSIT = 10n * PRICE
const paidBy = (method: EvmMethod) => (method === 'upto' ? USED : PRICE)
const needsApproval = (method: EvmMethod) => method === 'permit2' || method === 'upto'

describe.each(pairs)('a seller on $seller and a payer with $payer', (packages) => {
  it.each<EvmMethod>(['eip3009', 'permit2', 'permit2-approved', 'upto', 'auth-capture'])(
    'pay by %s',
    async (method) => {
      const payer = await openEvmPayer(environment, 'key', 'usdc', { approves: needsApproval(method) })
      const paid = paidBy(method)
      expect(await buy(payer, pathOf(method, 'usdc'), { ...packages, paid })).toBe('pays')
    },
  )

  it('pay by a deposit into a payment channel', async () => {
    const payer = await openEvmPayer(environment, 'key', 'usdc', { approves: false })
    expect(await buy(payer, CHANNEL_PATH, { ...packages, paid: DEPOSIT })).toBe('pays')
    outcomes.set(packages, await buy(payer, CHANNEL_PATH, { ...packages, paid: 0n, charges: 0n }))
  })

  it('pay on Solana', async () => {
    const payer = await openSolanaPayer(environment, 'spl')
    expect(await buy(payer, pathOf('solana', 'spl'), packages)).toBe('pays')
  })

  it('pay on whichever of the accepted chains the payer has registered', async () => {
    const onEvm = await openEvmPayer(environment, 'key', 'usdc', { approves: false })
    const onSolana = await openSolanaPayer(environment, 'spl')
    expect(await buy(onEvm, '/any', packages)).toBe('pays')
    expect(await buy(onSolana, '/any', packages)).toBe('pays')
  })
})

it.each(EVM_CASES)(
  'the documented matrix holds for a wallet of $wallet that pays in $token by $method',
  async (each) => {
    const { method, wallet, token } = each
    const payer = await openEvmPayer(environment, wallet, token, { approves: needsApproval(method) })
    outcomes.set(each, await buy(payer, pathOf(method, token), { paid: paidBy(method) }))
  },
)

it.each(SOLANA_CASES)('the documented matrix holds for a key of Solana that pays in $token', async (each) => {
  const payer = await openSolanaPayer(environment, each.token)
  outcomes.set(each, await buy(payer, pathOf('solana', each.token)))
})

it('the documented matrix is the page docs/x402-compatibility.md, which vitest --update writes', async () => {
  // A run of single tests knows single cells.
  expect(outcomes.size).toBe(EVM_CASES.length + SOLANA_CASES.length + pairs.length)
  const page = join(import.meta.dirname, '../../x402-compatibility.md')
  await expect(formatPage(outcomes, pairs)).toMatchFileSnapshot(page)
})
