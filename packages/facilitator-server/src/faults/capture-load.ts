// A seller whose customers' payments are authorized or charged, captured in parts, voided and refunded, and a stranger that wants
// them.
import type { ConnectedChain } from '@mintmark/devkit/chain/connect'
import type { Random } from '@mintmark/devkit/random'
import type { Address } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import {
  captureBody,
  chargeBody,
  inSeconds,
  readBalances,
  refundBody,
  signPayment,
  voidBody,
} from '../e2e/testing-auth-captures.ts'
import { callsOf, fund } from '../e2e/testing-channels.ts'
import { type CaptureTrade, FUNDER_FUNDS, findCaptureProblems, PAYER_FUNDS } from './capture-problems.ts'
import { listSigned } from './channel-load.ts'
import type { Fixture } from './fixture.ts'
import { type FixturePayment, type Load, settleUntilEnded } from './load.ts'

const PAYERS = 6
/** Payments of which captures, voids and refunds are requested. Older ones are left as they are. */
const RECENT = 8
const ONE_DAY_SECONDS = 86_400
/** The reasons of settles that are repeated. */
const UNFINISHED =
  /pending|in_flight|in_progress|duplicate|not_sent|unexpected_settle_error|unexpected_payment_state/

type Action = 'authorize' | 'charge' | 'capture' | 'void' | 'refund' | 'forged capture' | 'forged refund'
/** Each action is chosen as often as it is listed. */
const ACTIONS: readonly Action[] = [
  ...(['authorize', 'authorize', 'authorize', 'capture', 'capture', 'capture', 'capture'] as const),
  ...(['charge', 'charge', 'refund', 'refund', 'refund', 'void', 'forged capture', 'forged refund'] as const),
]

interface Seller {
  readonly chain: ConnectedChain
  readonly address: Address
  readonly operator: Address
  readonly authorizer: PrivateKeyAccount
  /** Pays the refunds. */
  readonly funder: PrivateKeyAccount
  readonly stranger: PrivateKeyAccount
  readonly payers: readonly PrivateKeyAccount[]
  readonly trades: CaptureTrade[]
}

type Request = Pick<FixturePayment, 'nonce' | 'bodies'> & Partial<FixturePayment>

/** Creates the load of authorizations, charges, captures, voids and refunds. */
export async function createCaptureLoad(
  chain: ConnectedChain,
  random: Random,
  { address, operator }: Pick<Seller, 'address' | 'operator'>,
): Promise<Load> {
  const newKey = () => privateKeyToAccount(`0x${random.hex(32)}`)
  const payers = Array.from({ length: PAYERS }, newKey)
  for (const payer of payers) await fund(chain, payer.address, PAYER_FUNDS)
  const seller: Seller = {
    chain,
    address,
    operator,
    authorizer: newKey(),
    funder: newKey(),
    stranger: newKey(),
    payers,
    trades: [],
  }
  await fund(chain, seller.funder.address, FUNDER_FUNDS)
  return {
    async sign(fixture) {
      const request = await signRequest(fixture, seller)
      return request && { amount: 0n, account: fixture.random.pick(fixture.accounts), ...request }
    },
    getPaid: listSigned,
    finish: (fixture, url) => finish(fixture, seller, url),
    findProblems: (fixture, facts) =>
      findCaptureProblems(
        { ...fixture, chain, payers: payers.map((payer) => payer.address), funder: seller.funder.address },
        seller.trades,
        facts,
      ),
  }
}

async function signRequest(fixture: Fixture, seller: Seller): Promise<Request | undefined> {
  const { random } = fixture
  const action = random.pick(ACTIONS)
  const nonce = `0x${random.hex(32)}`
  if (action === 'authorize' || action === 'charge') return collect(fixture, seller, action)
  if (seller.trades.length === 0) return undefined
  const { payment } = random.pick(seller.trades.slice(-RECENT))
  const { chain, funder, stranger } = seller
  if (action === 'void') return { nonce, bodies: [await voidBody(chain, payment)] }
  // The state is that of the chain now: when the request is executed, it may be another one.
  const { capturable, refundable } = await readBalances(chain, payment)
  const most = action === 'refund' || action === 'forged refund' ? refundable : capturable
  if (most === 0n) return undefined
  const amount = 2n * (1n + BigInt(random.integer(Number(most / 2n))))
  if (action === 'refund') return { nonce, bodies: [await refundBody(chain, payment, amount, { funder })] }
  if (action === 'forged refund')
    return { nonce, bodies: [await refundBody(chain, payment, amount - 1n, { funder, signer: stranger })] }
  if (action === 'capture') return { nonce, bodies: [await captureBody(chain, payment, amount)] }
  return { nonce, bodies: [await captureBody(chain, payment, amount - 1n, { signer: stranger })] }
}

async function collect(
  { random }: Fixture,
  seller: Seller,
  action: 'authorize' | 'charge',
): Promise<Request> {
  const { chain, authorizer, payers, operator, address } = seller
  const payment = await signPayment(chain, {
    payer: random.pick(payers),
    isFunded: true,
    authorizer,
    terms: {
      amount: String(2 * (50 + random.integer(500))),
      payTo: address,
      maxTimeoutSeconds: ONE_DAY_SECONDS,
    },
    extra: {
      captureAuthorizer: operator,
      captureDeadline: inSeconds(10 * ONE_DAY_SECONDS),
      refundDeadline: inSeconds(10 * ONE_DAY_SECONDS),
      ...(action === 'charge' && { paymentFlow: 'authorization' }),
    },
  })
  const trade: CaptureTrade = { payment, delivered: 0 }
  seller.trades.push(trade)
  const { nonce } = payment.payload.authorization
  const onSuccess = () => {
    trade.delivered += 1
  }
  const maximum = BigInt(payment.requirements.amount)
  if (action === 'authorize') return { nonce, amount: maximum, bodies: [payment.body], onSuccess }
  const amount = 2n * (1n + BigInt(random.integer(Number(maximum / 2n))))
  return { nonce, amount, bodies: [await chargeBody(chain, payment, amount)], onSuccess }
}

/** Captures what the escrow still holds, with a facilitator that is not killed. */
async function finish(fixture: Fixture, { chain, trades }: Seller, url: string): Promise<void> {
  const [account] = fixture.accounts
  if (account === undefined) throw new Error('The seller has no account')
  const { settle } = callsOf({ url }, account)
  for (const trade of trades) {
    const unfinished = await settleUntilEnded(fixture, UNFINISHED, async () => {
      const { capturable } = await readBalances(chain, trade.payment)
      if (capturable > 0n) return await settle(await captureBody(chain, trade.payment, capturable))
    })
    if (unfinished !== undefined) trade.unfinished = unfinished
  }
}
