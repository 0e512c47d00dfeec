import { deepEqual } from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { stopAfterFile } from '@mintmark/devkit/stop-after-file'
import type { BlockComparison, BlockIdentity } from '@mintmark/evm-reader'
import { openDatabase } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { facilitatorSchema } from '../database/schema.ts'
import type { Tables } from '../database/tables.ts'
import { createAccount, creditAccount } from '../ledger/accounts/accounts.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { registerQuota } from '../ledger/quotas/quotas.ts'
import type { PayingAccount } from '../ledger/settlements/reserve.ts'
import type {
  ChainOutcome,
  ChainReader,
  FinalComparison,
  Payment,
  Upstream,
  UpstreamResponse,
} from '../payment/payment.ts'
import { exactEip3009 } from '../schemes/evm/exact-eip3009/eip3009.ts'
import { findScheme } from '../schemes/registry.ts'
import { createFacilitatorDatabase } from '../testing-database.ts'
import { createEngine, type Engine, type EngineOptions } from './engine.ts'
import type { SettleCall } from './settle/settle-request.ts'
import { devUsdc } from './testing.ts'

export const price = 2_000_000_000_000_000n
export const network = 'eip155:84532'
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

/** A payment as decode would give it, with a nonce of its own. */
export function somePayment(given: Partial<Payment> = {}): Payment {
  const payment = {
    version: 2 as const,
    scheme: exactEip3009,
    details: undefined,
    network,
    wireNetwork: network,
    chainId: 84532,
    asset: devUsdc.toLowerCase(),
    payTo: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    payer: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    amount: 10_000n,
    validAfter: 0n,
    validBefore: 4_000_000_000n,
    nonce: hex(32),
    signature: hex(65),
    domainName: 'USDC',
    domainVersion: '2',
    maxTimeoutSeconds: 60,
    request: { x402Version: 2, paymentPayload: {}, paymentRequirements: {} },
    ...given,
    domain: given.domain ?? given.asset ?? devUsdc.toLowerCase(),
  }
  const { nonce, signature, payTo, amount } = payment
  const fingerprint = createHash('sha256').update([nonce, signature, payTo, amount].join()).digest('hex')
  return { ...payment, fingerprint }
}

export type Behavior = (payment: Payment, chain: PretendChain) => UpstreamResponse | Promise<UpstreamResponse>

/** A chain that says what a test wrote on it. */
export class PretendChain implements ChainReader {
  readonly #payments = new Map<string, { transaction: string; blockNumber: bigint; blockHash: string }>()
  readonly #verdicts = new Map<string, ChainOutcome>()
  /** Hashes of the canonical blocks, by number. */
  readonly #blocks = new Map<bigint, string>()
  #height = 100n
  final = true
  /** Mines payments in the newest block instead of a block of their own. */
  sharesBlock = false
  networks = new Set([network])
  /** The responding node lacks every block with a payment. */
  lags = false
  /** The reads so far. */
  readonly inspected: string[] = []
  blockReads = 0
  finalBlockReads = 0

  /** Mines a payment and returns its transaction. Refuses a second time, because the nonce is used. */
  execute({ nonce }: Pick<Payment, 'nonce'>): string {
    if (this.#payments.has(nonce)) throw new Error('the nonce is used')
    if (!this.sharesBlock) this.#height += 1n
    const blockHash = (this.sharesBlock && this.#blocks.get(this.#height)) || hex(32)
    const transaction = hex(32)
    this.#payments.set(nonce, { transaction, blockNumber: this.#height, blockHash })
    this.#blocks.set(this.#height, blockHash)
    return transaction
  }
  /** Replaces a payment's block by one without it. */
  reorganize({ nonce }: Pick<Payment, 'nonce'>): void {
    const lost = this.#payments.get(nonce)
    if (lost !== undefined) this.#blocks.set(lost.blockNumber, hex(32))
    this.#payments.delete(nonce)
  }
  says({ nonce }: Pick<Payment, 'nonce'>, verdict: ChainOutcome): void {
    this.#verdicts.set(nonce, verdict)
  }
  requireTransaction({ nonce }: Pick<Payment, 'nonce'>): string {
    return this.#payments.get(nonce)?.transaction ?? ''
  }
  requireBlock({ nonce }: Pick<Payment, 'nonce'>): { number: bigint; hash: string } {
    const found = this.#payments.get(nonce)
    if (found === undefined) throw new Error('the payment was not made')
    return { number: found.blockNumber, hash: found.blockHash }
  }
  /** The nonces that were paid. */
  get paid(): string[] {
    return [...this.#payments.keys()]
  }
  readable(name: string): boolean {
    return this.networks.has(name)
  }
  async inspect({ nonce }: { nonce: string }): Promise<ChainOutcome> {
    this.inspected.push(nonce)
    if (this.lags) return { kind: 'open' }
    const found = this.#payments.get(nonce)
    if (found !== undefined) return { kind: 'settled', ...found, final: this.final }
    return this.#verdicts.get(nonce) ?? { kind: 'open', unused: true }
  }
  async compareWithFinal(_: string, blocks: readonly BlockIdentity[]): Promise<FinalComparison> {
    this.finalBlockReads += 1
    const comparisons = blocks.map((block) => this.#compareBlock(block))
    return { final: this.final ? this.#height : 0n, comparisons }
  }
  #compareBlock({ number, hash }: BlockIdentity): BlockComparison {
    this.blockReads += 1
    const canonical = this.lags ? undefined : this.#blocks.get(BigInt(number))
    if (canonical === undefined) return 'unknown'
    return canonical === hash ? 'same' : 'different'
  }
}

/** An upstream that counts its calls and has a configurable behavior. */
export class PretendUpstream implements Upstream {
  readonly calls: string[] = []
  /** The nonces of the calls after which the payment may have been executed. */
  readonly executed: string[] = []
  behavior: Behavior = settles
  readonly #chain: PretendChain
  constructor(chain: PretendChain) {
    this.#chain = chain
  }
  async settle(payment: Payment): Promise<UpstreamResponse> {
    this.calls.push(payment.nonce)
    const sendsSomething = ![refuses, refusesForNow, sendsNothing].includes(this.behavior)
    if (sendsSomething) this.executed.push(payment.nonce)
    return this.behavior(payment, this.#chain)
  }
}

export const settles: Behavior = async (payment, chain) => {
  await pause(5)
  return responded({ success: true, transaction: chain.execute(payment), network: payment.network })
}
/** Executes the payment, and reports its block. */
export const settlesInBlock: Behavior = (payment, chain) => {
  const transaction = chain.execute(payment)
  const body = { success: true, transaction, network: payment.network }
  return { ...responded(body), block: chain.requireBlock(payment) }
}
/** Executes the payment without a response. */
export const settlesSilently: Behavior = (payment, chain) => {
  chain.execute(payment)
  return { kind: 'lost', why: 'timeout', message: 'no response' }
}
export const losesTheCall: Behavior = () => ({ kind: 'lost', why: 'reset', message: 'connection reset' })
/** Refuses for a reason that follows from the signed terms. */
export const refuses: Behavior = () => ({
  kind: 'refused',
  httpStatus: 400,
  reason: 'invalid_exact_evm_payload_authorization_valid_before',
})
/** Refuses for a reason that a moment later may be gone. */
export const refusesForNow: Behavior = () => ({
  kind: 'refused',
  httpStatus: 400,
  reason: 'insufficient_funds',
})
export const sendsNothing: Behavior = () => ({
  kind: 'not_sent',
  reason: 'unexpected_settle_error',
  message: 'no block',
})
export function responded(
  body: Extract<UpstreamResponse, { kind: 'responded' }>['body'],
): Extract<UpstreamResponse, { kind: 'responded' }> {
  return { kind: 'responded', httpStatus: 200, body }
}

/**
 * A facilitator's money on a database of its own, with a pretended upstream and chain. Repeated settles do not
 * wait, unless the options say so.
 */
export interface TestMoney {
  readonly url: string
  readonly db: Kysely<Tables>
  readonly chain: PretendChain
  readonly upstream: PretendUpstream
  readonly engine: Engine
  /** Another engine on the same database, as another process or one that was started again. */
  another(options?: Partial<EngineOptions>): Engine
  /** A new account that whose balance and quota pay for the given numbers of settles. */
  account(means?: { settles?: number; quota?: number }): Promise<PayingAccount>
  /** Creates the call of an account in one of the HTTP APIs. */
  by(account: PayingAccount, more?: Partial<SettleCall>): SettleCall
  /** Lets the upstream settle again, and throws if the books have a problem. */
  endTest(): Promise<void>
}

/** Creates the money of a facilitator. Its database is dropped after the last test of the file. */
export async function testMoney(options: Partial<EngineOptions> = {}): Promise<TestMoney> {
  const database = await createFacilitatorDatabase()
  const opened = openDatabase<Tables>({ url: database.url, role: facilitatorSchema.role })
  const db = opened.system
  const chain = new PretendChain()
  const upstream = new PretendUpstream(chain)
  stopAfterFile(async () => {
    await opened.close()
    await database.drop()
  })
  const another = (more: Partial<EngineOptions> = {}) =>
    createEngine({
      db,
      upstream,
      findScheme,
      chainReader: chain,
      price,
      repeatTimeout: 0,
      ...options,
      ...more,
    })
  return {
    url: database.url,
    db,
    chain,
    upstream,
    another,
    engine: another(),
    async account({ settles = 100, quota = settles } = {}) {
      const { id, payer } = await createAccount(db, { payer: hex(20) })
      const why = { actor: 'test', reason: 'means to pay' }
      if (settles > 0) await creditAccount(db, { account: id, amount: price * BigInt(settles), ...why })
      if (quota > 0) await allow(db, { id, payer }, { settles: quota, nonce: 0n })
      return { id, payer }
    },
    by: (account, more = {}) => ({ account, api: 'native', ...more }),
    async endTest() {
      upstream.behavior = settles
      deepEqual((await checkLedger(db)).problems, [])
    },
  }
}

/** Registers a quota for a number of settles. */
export async function allow(
  db: Kysely<Tables>,
  account: PayingAccount,
  { settles, nonce }: { settles: number; nonce: bigint },
): Promise<void> {
  const signed = {
    limit: price * BigInt(settles),
    validAfter: 0n,
    validBefore: 4_000_000_000n,
    nonce,
    signature: '0x',
  }
  const result = await registerQuota(db, { account, payer: account.payer }, signed)
  if (result.kind !== 'done') throw new Error(`the quota was refused: ${result.kind}`)
}

/**
 * Ends every lease, as if the time had passed, except those that are being changed. It waits for no row, so
 * that it cannot deadlock with settles.
 */
export async function letTimePass(db: Kysely<Tables>): Promise<void> {
  const leased = db
    .selectFrom('facilitator.settlements')
    .select('id')
    .where('lease_until', 'is not', null)
    .forUpdate()
    .skipLocked()
  await db
    .updateTable('facilitator.settlements')
    .set({ lease_until: new Date(0) })
    .where('id', 'in', leased)
    .execute()
}
