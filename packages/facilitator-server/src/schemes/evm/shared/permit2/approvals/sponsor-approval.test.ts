// What becomes of the gas that wallets are given: with hostile payers, lagging nodes, and processes that end
// between two steps.
import { plainTokenAbi } from '@mintmark/devkit/chain/artifacts/abi'
import plainToken from '@mintmark/devkit/chain/artifacts/PlainToken.json' with { type: 'json' }
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import { type Address, pad, parseEther } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { randomKey, transactionDatabase } from '../../../../../chains/evm/testing.ts'
import { createRemoteSigners } from '../../../../../chains/evm/transactions/remote-signer.ts'
import { parseSignerKeys } from '../../../../../chains/evm/transactions/signers.ts'
import { startKeyService } from '../../../../../chains/evm/transactions/testing-key-service.ts'
import { hex, seller } from '../../../../../engine/testing.ts'
import type { UpstreamResponse } from '../../../../../payment/payment.ts'
import { slotOf } from '../../../../agreement/testing-agreement.ts'
import { deployContract } from '../../../../agreement/testing-payers.ts'
import { type BuiltInOptions, createBuiltInUpstream } from '../../../built-in-upstream.ts'
import { exactSpender } from '../../../exact-permit2/exact-permit2.ts'
import { createWallet, MAX_FEE, STOCK_GAS, signApproval, signSponsored } from './testing-approvals.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const { db, reserve, drop } = await transactionDatabase()
const asset = await deployContract(chain, plainToken.bytecode as `0x${string}`)
const COST = STOCK_GAS * MAX_FEE
const LIMITS = { perGrant: COST, perDay: 1_000n * COST }
const signers = parseSignerKeys(randomKey())
const [signer] = signers
type Sponsored = Awaited<ReturnType<typeof signSponsored>>

const proxy = exactSpender

afterAll(async () => {
  node.close()
  await drop()
})
let wallet: PrivateKeyAccount
let reports: unknown[]
beforeEach(async () => {
  reports = []
  await chain.client.setBalance({ address: hex(signer?.address ?? ''), value: parseEther('100') })
  wallet = await createWallet(chain, asset)
})
afterEach(async () => {
  node.interfere = () => undefined
  node.catchUp()
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  await sql`delete from facilitator.chain_heads`.execute(db)
  await sql`delete from facilitator.approval_grant_totals`.execute(db)
})

/** As a process of its own would have it. */
const open = (options: Partial<BuiltInOptions> = {}) =>
  createBuiltInUpstream({
    db,
    chains: openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 3 } }]),
    signers,
    approvalLimits: () => LIMITS,
    report: (error) => reports.push(error),
    ...options,
  })
const withLimits = (limits: Partial<typeof LIMITS>) =>
  open({ approvalLimits: () => ({ ...LIMITS, ...limits }) })

async function settle(
  payment: Sponsored,
  upstream = open(),
  signal: AbortSignal = AbortSignal.timeout(20_000),
): Promise<UpstreamResponse> {
  return upstream.settle(payment, { ...(await reserve(payment)), signal })
}
const settled = { kind: 'responded', body: { success: true } }

interface GrantRow {
  amount: string
  cost: string
  state: string
}
async function listGrants({ address }: { address: string } = wallet): Promise<GrantRow[]> {
  const { rows } = await sql<GrantRow>`
    select g.amount, g.cost, t.state from facilitator.approval_grants g
    join facilitator.transactions t on t.id = g.transaction_id where g.payer = ${address.toLowerCase()}`.execute(
    db,
  )
  return rows
}
/** What was signed for the wallet, even if it was not broadcast. */
async function countTransfers({ address }: { address: string } = wallet): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from facilitator.transactions
    where purpose = 'grant' and recipient = ${address.toLowerCase()}`.execute(db)
  return rows[0]?.count ?? 0
}
async function countSettlements({ address }: { address: string } = wallet): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from facilitator.transactions
    where purpose = 'settle' and payer = ${address.toLowerCase()}`.execute(db)
  return rows[0]?.count ?? 0
}
async function readTotal(): Promise<bigint> {
  const { rows } = await sql<{ cost: string }>`
    select coalesce(sum(cost), 0)::text as cost from facilitator.approval_grant_totals`.execute(db)
  return BigInt(rows[0]?.cost ?? 0)
}
const readAllowance = (owner: Address = wallet.address) =>
  chain.client.readContract({
    address: asset,
    abi: plainTokenAbi,
    functionName: 'allowance',
    args: [owner, permit2Address],
  })

/**
 * Makes the node refuse broadcasts of an approval, as one does that does not know the wallet's gas yet.
 * Returns a wait for two refusals.
 */
function refuseApprovals(payment: Sponsored): () => Promise<void> {
  let refusals = 0
  interfereWithApproval(payment, () => {
    refusals += 1
    return { error: { code: -32000, message: 'insufficient funds for gas * price + value' } }
  })
  return () => vi.waitFor(() => expect(refusals).toBeGreaterThan(1), 20_000)
}
/** Responds to broadcasts of an approval in place of the node. */
function interfereWithApproval(payment: Sponsored, respond: () => object): void {
  const raw = String(payment.details.approvalTransaction?.raw)
  node.interfere = (method, params) =>
    method === 'eth_sendRawTransaction' && JSON.stringify(params).includes(raw) ? respond() : undefined
}
const waitForGas = () =>
  vi.waitFor(async () => {
    expect(await chain.client.getBalance({ address: wallet.address })).toBeGreaterThan(0n)
  }, 20_000)

it('a wallet without native tokens is given the gas by a signer whose key is in a key service', async () => {
  const key = randomKey()
  const service = await startKeyService([key])
  try {
    const { address } = privateKeyToAccount(hex(key))
    await chain.client.setBalance({ address, value: parseEther('1') })
    const remote = createRemoteSigners({ ...service.options, addresses: [address] })
    expect(await settle(await signSponsored(wallet, asset), open({ signers: remote }))).toMatchObject(settled)
    expect(await listGrants()).toMatchObject([{ amount: `${COST}`, state: 'mined' }])
    expect(reports).toEqual([])
  } finally {
    service.close()
  }
})

it('a wallet without native tokens is given only what it lacks', async () => {
  await chain.client.setBalance({ address: wallet.address, value: COST - 5n })
  expect(await settle(await signSponsored(wallet, asset))).toMatchObject(settled)
  expect(await listGrants()).toMatchObject([{ amount: '5' }])
})

it('a wallet without native tokens is given gas for a legacy transaction', async () => {
  const changes = {
    type: 'legacy',
    gasPrice: MAX_FEE,
    maxFeePerGas: undefined,
    maxPriorityFeePerGas: undefined,
  }
  expect(await settle(await signSponsored(wallet, asset, changes as never))).toMatchObject(settled)
  expect(await listGrants()).toMatchObject([{ amount: `${COST}` }])
})

it('a wallet without native tokens is given gas once for two payments at once in two processes, and both settle', async () => {
  const payments = [
    await signSponsored(wallet, asset),
    // The gas for one approval is enough for the other one.
    await signSponsored(wallet, asset, { maxPriorityFeePerGas: 1n }),
  ]
  const responses = await Promise.all(payments.map((payment) => settle(payment)))
  expect(responses.map((each) => ('message' in each ? each.message : each.kind))).toEqual([
    'responded',
    'responded',
  ])
  expect(responses).toMatchObject([settled, settled])
  expect(await countTransfers()).toBe(1)
})

describe('nothing is given', () => {
  const expectRefused = async (payment: Sponsored, reason: string, upstream = open()) => {
    expect(await upstream.checkApproval(payment)).toMatchObject({ reason })
    expect(await settle(payment, upstream)).toMatchObject({ kind: 'refused', reason })
    expect([await countTransfers(), await countSettlements(), await readTotal()]).toEqual([0, 0, 0n])
  }

  it.each<[string, object]>([
    ['another nonce than the next one', { nonce: 1 }],
    ['a fee below the base fee', { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }],
    ['too little gas for the token', { gas: 30_000n }],
    ['more gas than is given', { gas: STOCK_GAS + 1n }],
    ['a higher fee than is given', { maxFeePerGas: MAX_FEE + 1n }],
  ])('nothing is given for an approval with %s', async (_, changes) => {
    await expectRefused(await signSponsored(wallet, asset, changes), 'erc20_approval_tx_failed')
  })

  it('nothing is given for an approval that another key has signed', async () => {
    const other = await createWallet(chain, asset)
    await expectRefused(await signSponsored(wallet, asset, {}, other), 'erc20_approval_tx_signer_mismatch')
    expect(await countTransfers(other)).toBe(0)
  })

  it.each([
    ['is a contract', '0x60006000fd'],
    ['delegates to one', '0xef0100000000000000000000000000000000000000beef'],
  ] as const)('nothing is given to a wallet that %s', async (_, bytecode) => {
    const payment = await signSponsored(wallet, asset)
    await chain.client.setCode({ address: wallet.address, bytecode })
    await expectRefused(payment, 'erc20_approval_tx_failed')
  })

  it('nothing is given to a wallet with another transaction in flight, which would use the gas first', async () => {
    const value = 21_000n * MAX_FEE
    await chain.client.setBalance({ address: wallet.address, value })
    await chain.client.setAutomine(false)
    const transaction = {
      account: wallet,
      chain: null,
      to: wallet.address,
      gas: 21_000n,
      maxFeePerGas: MAX_FEE,
    }
    await chain.client.sendTransaction({ ...transaction, maxPriorityFeePerGas: 1n, nonce: 0 })
    await expectRefused(await signSponsored(wallet, asset), 'erc20_approval_tx_failed')
  })

  it('beyond the limit of the account and day, by two settles at once', async () => {
    const other = await createWallet(chain, asset)
    const upstream = withLimits({ perDay: COST + COST / 2n })
    const payments = [await signSponsored(wallet, asset), await signSponsored(other, asset)]
    const responses = await Promise.all(payments.map((payment) => settle(payment, upstream)))
    expect(responses.map((each) => ('reason' in each ? each.reason : each.kind)).toSorted()).toEqual([
      'permit2_allowance_required',
      'responded',
    ])
    expect((await countTransfers()) + (await countTransfers(other))).toBe(1)
    expect(await readTotal()).toBeLessThanOrEqual(COST + COST / 2n)
  })

  it('nothing is given if one grant is more than the limit of a day', async () => {
    const response = await settle(await signSponsored(wallet, asset), withLimits({ perDay: COST }))
    expect(response).toMatchObject({ kind: 'refused', reason: 'permit2_allowance_required' })
    expect([await countTransfers(), await readTotal()]).toEqual([0, 0n])
  })

  it('nothing is given by a settle that lost its lease', async () => {
    const payment = await signSponsored(wallet, asset)
    const { settlementId } = await reserve(payment)
    await sql`update facilitator.settlements set lease_until = clock_timestamp() - interval '1 second'
      where id = ${settlementId}`.execute(db)
    expect(await settle(payment)).toMatchObject({ kind: 'not_sent' })
    expect([await countTransfers(), await readTotal()]).toEqual([0, 0n])
  })

  it('nothing is given by the state of a node that lags behind a known block, such as an old nonce', async () => {
    await node.lag()
    await chain.client.setBalance({ address: wallet.address, value: 21_000n * MAX_FEE })
    const used = { account: wallet, chain: null, to: wallet.address, gas: 21_000n, maxFeePerGas: MAX_FEE }
    await chain.confirm(chain.client.sendTransaction(used))
    await chain.client.setBalance({ address: wallet.address, value: 0n })
    await sql`insert into facilitator.chain_heads (network, block_number)
      values ('eip155:84532', ${await chain.client.getBlockNumber()})`.execute(db)
    const payment = await signSponsored(wallet, asset)
    expect(await settle(payment)).toMatchObject({ kind: 'not_sent' })
    expect([await countTransfers(), await readTotal()]).toEqual([0, 0n])
    node.catchUp()
    expect(await settle(payment)).toMatchObject({ kind: 'refused', reason: 'erc20_approval_tx_failed' })
    expect(await countTransfers()).toBe(0)
  })
})

describe('a payer that takes the gas', () => {
  it('gets it once, whatever it signs afterwards, and no payment is signed', async () => {
    const payment = await signSponsored(wallet, asset)
    const waitForRefusals = refuseApprovals(payment)
    const response = settle(payment)
    await waitForRefusals()
    const drain = { account: wallet, chain: null, gas: 21_000n, maxFeePerGas: MAX_FEE, nonce: 0 }
    await chain.confirm(
      chain.client.sendTransaction({ ...drain, to: hex(seller), value: COST - 21_000n * MAX_FEE }),
    )
    node.interfere = () => undefined
    expect(await response).toMatchObject({ kind: 'refused', reason: 'erc20_approval_tx_failed' })

    await chain.client.setBalance({ address: wallet.address, value: 0n })
    const second = await signSponsored(wallet, asset, { nonce: 1 })
    expect(await open().checkApproval(second)).toMatchObject({ reason: 'permit2_allowance_required' })
    expect(await settle(second)).toMatchObject({ kind: 'refused', reason: 'permit2_allowance_required' })
    expect([await countTransfers(), await countSettlements()]).toEqual([1, 0])
    expect(await listGrants()).toMatchObject([{ amount: `${COST}` }])
  })

  it('gets nothing more for another approval at a higher fee', async () => {
    const payment = await signSponsored(wallet, asset, { maxFeePerGas: MAX_FEE / 2n })
    refuseApprovals(payment)
    const stop = new AbortController()
    const response = settle(payment, open(), stop.signal)
    await waitForGas()
    stop.abort()
    expect(await response).toMatchObject({ kind: 'not_sent' })
    const second = await signSponsored(wallet, asset)
    expect(await settle(second)).toMatchObject({ kind: 'refused', reason: 'permit2_allowance_required' })
    expect(await countTransfers()).toBe(1)
  })
})

describe('a process that ends', () => {
  /** Settles until the condition holds, then ends the call. */
  async function settleUntil(payment: Sponsored, condition: () => Promise<void>): Promise<void> {
    const stop = new AbortController()
    const response = settle(payment, open(), stop.signal)
    await vi.waitFor(condition, 20_000)
    stop.abort()
    expect(await response).toMatchObject({ kind: 'not_sent' })
    expect(await countSettlements()).toBe(0)
  }

  it('a process that ends after the grant was committed gives it through a sweep, once', async () => {
    const payment = await signSponsored(wallet, asset)
    node.interfere = (method) => (method === 'eth_sendRawTransaction' ? 'hang up' : undefined)
    await settleUntil(payment, async () => expect(await countTransfers()).toBe(1))
    expect(await chain.client.getBalance({ address: wallet.address })).toBe(0n)
    node.interfere = () => undefined
    expect(await open().sweep()).toMatchObject({ broadcast: 1 })
    expect(await settle(payment)).toMatchObject(settled)
    expect(await countTransfers()).toBe(1)
  })

  it('a process that ends while the grant waits in the pool gives no second one', async () => {
    await chain.client.setAutomine(false)
    const payment = await signSponsored(wallet, asset)
    await settleUntil(payment, async () => expect(await countTransfers()).toBe(1))
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
    await open().sweep()
    expect(await settle(payment)).toMatchObject(settled)
    expect(await countTransfers()).toBe(1)
  })

  it('a process that ends after the grant was mined broadcasts the approval later', async () => {
    const payment = await signSponsored(wallet, asset)
    refuseApprovals(payment)
    await settleUntil(payment, async () => expect((await listGrants())[0]?.state).toBe('mined'))
    node.interfere = () => undefined
    expect(await settle(payment)).toMatchObject(settled)
    expect(await countTransfers()).toBe(1)
  })

  it('a process that ends after the approval was mined settles without another one', async () => {
    const payment = await signSponsored(wallet, asset)
    refuseApprovals(payment)
    await settleUntil(payment, waitForGas)
    node.interfere = () => undefined
    await chain.confirm(
      chain.client.sendRawTransaction({
        serializedTransaction: hex(payment.details.approvalTransaction?.raw ?? ''),
      }),
    )
    expect(await readAllowance()).toBeGreaterThan(0n)
    expect(await settle(payment)).toMatchObject(settled)
    expect(await countTransfers()).toBe(1)
  })
})

describe('a transfer of gas', () => {
  /** Gives gas that is not mined, and ends the settle. */
  async function giveUnmined(): Promise<Sponsored> {
    await chain.client.setAutomine(false)
    const payment = await signSponsored(wallet, asset)
    const stop = new AbortController()
    const response = settle(payment, open(), stop.signal)
    await vi.waitFor(async () => {
      const pending = await chain.client.getBlock({ blockTag: 'pending' })
      expect(pending.transactions).toHaveLength(1)
    }, 20_000)
    stop.abort()
    expect(await response).toMatchObject({ kind: 'not_sent' })
    return payment
  }

  it('a transfer of gas that is stuck is replaced by one of the same amount', async () => {
    const payment = await giveUnmined()
    expect(await open({ replaceAfter: 0 }).sweep()).toMatchObject({ replaced: 1 })
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
    expect(await chain.client.getBalance({ address: wallet.address })).toBe(COST)
    expect(await settle(payment)).toMatchObject(settled)
    expect(await countTransfers()).toBe(1)
  })

  it('a transfer of gas that is replaced counts its higher fee against the limit of the day', async () => {
    await giveUnmined()
    const before = await readTotal()
    expect(await open({ replaceAfter: 0 }).sweep()).toMatchObject({ replaced: 1 })
    const total = await readTotal()
    expect(total).toBe(COST + (await readLargestGasCost()))
    expect(total).toBeGreaterThan(before)
    expect(await listGrants()).toMatchObject([{ amount: `${COST}`, cost: `${total}` }])
  })

  it('a transfer of gas that blocks its signer is replaced beyond the limit of the day, which then refuses others', async () => {
    const payment = await giveUnmined()
    const perDay = await readTotal()
    const upstream = open({ replaceAfter: 0, approvalLimits: () => ({ ...LIMITS, perDay }) })
    expect(await upstream.sweep()).toMatchObject({ replaced: 1 })
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
    expect(await settle(payment, upstream)).toMatchObject(settled)
    expect(await readTotal()).toBeGreaterThan(perDay)
    wallet = await createWallet(chain, asset)
    const response = await settle(await signSponsored(wallet, asset), upstream)
    expect(response).toMatchObject({ kind: 'refused', reason: 'permit2_allowance_required' })
    expect(await countTransfers()).toBe(0)
  })

  it('a transfer of gas that two sweeps replace at once counts a higher fee once', async () => {
    await giveUnmined()
    const upstreams = [open({ replaceAfter: 0 }), open({ replaceAfter: 0 })]
    await Promise.all(upstreams.map((upstream) => upstream.sweep()))
    expect(await readTotal()).toBe(COST + (await readLargestGasCost()))
  })

  /** The most wei that the gas of a transfer to the wallet can cost, of all that were signed. */
  async function readLargestGasCost(): Promise<bigint> {
    const { rows } = await sql<{ cost: string }>`
      select max(t.gas * a.max_fee_per_gas)::text as cost from facilitator.transactions t
      join facilitator.transaction_attempts a on a.transaction_id = t.id
      where purpose = 'grant' and recipient = ${wallet.address.toLowerCase()}`.execute(db)
    return BigInt(rows[0]?.cost ?? 0)
  }

  it('a transfer of gas is not repeated if another program used its nonce', async () => {
    const payment = await giveUnmined()
    const from = hex(signer?.address ?? '')
    const nonce = await chain.client.getTransactionCount({ address: from })
    await chain.client.impersonateAccount({ address: from })
    await chain.client.sendUnsignedTransaction({
      from,
      to: from,
      nonce,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 11n,
      gas: 21_000n,
    } as never)
    await chain.client.stopImpersonatingAccount({ address: from })
    await chain.client.mine({ blocks: 5 })
    for (const _ of [1, 2]) await open({ replaceAfter: 0 }).sweep()
    expect(await listGrants()).toMatchObject([{ state: 'superseded' }])
    expect(await chain.client.getBalance({ address: wallet.address })).toBe(0n)
    await chain.client.setAutomine(true)
    expect(await settle(payment)).toMatchObject({ kind: 'refused', reason: 'permit2_allowance_required' })
    // The wallet can still pay for its approval.
    await chain.client.setBalance({ address: wallet.address, value: COST })
    expect(await settle(payment)).toMatchObject(settled)
    expect(await countTransfers()).toBe(1)
  })

  it('a transfer of gas that a wallet refuses, because it has got code, ends the settle', async () => {
    await chain.client.setAutomine(false)
    const payment = await signSponsored(wallet, asset)
    const response = settle(payment)
    await vi.waitFor(async () => {
      const pending = await chain.client.getBlock({ blockTag: 'pending' })
      expect(pending.transactions).toHaveLength(1)
    }, 20_000)
    await chain.client.setCode({ address: wallet.address, bytecode: '0x60006000fd' })
    await chain.client.mine({ blocks: 1 })
    expect(await response).toMatchObject({ kind: 'refused', reason: 'erc20_approval_tx_failed' })
    expect([await countTransfers(), await countSettlements()]).toEqual([1, 0])
  })
})

describe('a payment', () => {
  it('a payment is not signed when it expires before it is mined', async () => {
    const payment = await signSponsored(wallet, asset)
    const late = open({ now: () => Number(payment.validBefore) * 1000 - 5_000 })
    expect(await settle(payment, late)).toMatchObject({ kind: 'refused', reason: 'permit2_deadline_expired' })
    expect(await countSettlements()).toBe(0)
  })

  it('a payment is refused, and nothing is given, if its transfer would fail after the approval', async () => {
    const payment = await signSponsored(wallet, asset)
    await takeTokens()
    const reason = 'permit2_simulation_failed'
    expect(await open().checkApproval(payment)).toMatchObject({ reason })
    expect(await settle(payment)).toMatchObject({ kind: 'refused', reason })
    expect(await countTransfers()).toBe(0)
  })

  it('a payment is accepted by nodes that cannot execute two transactions at once', async () => {
    node.interfere = (method) =>
      method === 'eth_simulateV1' ? { error: { code: -32601, message: 'method not found' } } : undefined
    const payment = await signSponsored(wallet, asset)
    expect(await open().checkApproval(payment)).toBeUndefined()
    expect(await settle(payment)).toMatchObject(settled)
  })

  it('a payment is accepted although a node reads the nonce of the wallet from a newer block than its allowance', async () => {
    await chain.client.setBalance({ address: wallet.address, value: COST })
    const payment = await signSponsored(wallet, asset)
    let isSent = false
    let mine: (() => void) | undefined
    const lied = new Promise<void>((resolve) => {
      mine = resolve
    })
    await chain.client.setAutomine(false)
    node.interfere = (method, params) => {
      isSent ||= method === 'eth_sendRawTransaction'
      if (!isSent || mine === undefined || method !== 'eth_getTransactionCount') return undefined
      if (!JSON.stringify(params).includes('blockHash')) return undefined
      mine()
      mine = undefined
      return { result: '0x1' }
    }
    const response = settle(payment)
    await lied
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
    expect(await response).toMatchObject(settled)
  })

  it('a payment is accepted while the gas of another one is on its way, and after the approval was mined', async () => {
    await chain.client.setAutomine(false)
    const [first, second] = [await signSponsored(wallet, asset), await signSponsored(wallet, asset)]
    const response = settle(first)
    await vi.waitFor(async () => expect(await countTransfers()).toBe(1), 20_000)
    await vi.waitFor(async () => {
      const pending = await chain.client.getBlock({ blockTag: 'pending' })
      expect(pending.transactions).toHaveLength(1)
    }, 20_000)
    expect(await open().checkApproval(second)).toBeUndefined()
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
    expect(await response).toMatchObject(settled)
    expect(await open().checkApproval(second)).toBeUndefined()
    expect(await settle(second)).toMatchObject(settled)
  })

  it('settles if its approval was mined before, and the node that shows it lags behind', async () => {
    const payment = await signSponsored(wallet, asset)
    const raw = hex(payment.details.approvalTransaction?.raw ?? '')
    await chain.client.setBalance({ address: wallet.address, value: COST })
    await node.lag()
    node.lags = (method) => method !== 'eth_sendRawTransaction'
    await chain.confirm(chain.client.sendRawTransaction({ serializedTransaction: raw }))
    let broadcasts = 0
    let reads = 0
    node.interfere = (method, params) => {
      if (method === 'eth_sendRawTransaction' && JSON.stringify(params).includes(raw)) broadcasts += 1
      else if (broadcasts > 0 && method === 'eth_getTransactionCount') reads += 1
      return undefined
    }
    const response = settle(payment)
    // After the refused broadcast, the node that lags is read again and again.
    await vi.waitFor(() => expect([broadcasts, reads > 2]).toEqual([1, true]), 20_000)
    node.catchUp()
    expect(await response).toMatchObject(settled)
    expect(await countTransfers()).toBe(0)
  })

  it.each([
    ['simulates the transfer', (method: string) => method === 'eth_estimateGas'],
    ['explains its failure too', (method: string) => /^eth_(?:estimateGas|call)$/.test(method)],
  ])('settles if the node that %s lags behind the approval', async (_, lags) => {
    const payment = await signSponsored(wallet, asset)
    let simulations = 0
    node.interfere = (method, params) => {
      if (method === 'eth_estimateGas' && JSON.stringify(params).includes(proxy)) simulations += 1
      return undefined
    }
    await node.lag()
    node.lags = (method, params) =>
      simulations > 0 && lags(method) && !JSON.stringify(params).includes('pending')
    const response = settle(payment)
    await vi.waitFor(() => expect(simulations).toBeGreaterThan(1), 20_000)
    node.catchUp()
    expect(await response).toMatchObject(settled)
    expect([await countTransfers(), await countSettlements()]).toEqual([1, 1])
  })

  it.each([
    ['accepted', { result: pad('0x01') }],
    ['underpriced', { error: { code: -32000, message: 'replacement transaction underpriced' } }],
  ])('settles if its approval was %s, and another one with the same nonce is mined', async (_, answer) => {
    const payment = await signSponsored(wallet, asset)
    const other = await signApproval(wallet, asset, { maxPriorityFeePerGas: 1n })
    interfereWithApproval(payment, () => {
      void chain.client.sendRawTransaction({ serializedTransaction: other })
      return answer
    })
    expect(await settle(payment)).toMatchObject(settled)
    expect([await countTransfers(), await countSettlements()]).toEqual([1, 1])
  })

  it('settles if one node lacks the block of its approval, which another node named', async () => {
    const payment = await signSponsored(wallet, asset)
    let refusals = 0
    interfereWithApproval(payment, () => {
      const raw = hex(payment.details.approvalTransaction?.raw ?? '')
      void chain.client.sendRawTransaction({ serializedTransaction: raw })
      node.interfere = (method, params) => {
        if (method !== 'eth_getTransactionCount' || !JSON.stringify(params).includes('blockHash'))
          return undefined
        if (refusals === 2) return undefined
        refusals += 1
        return { error: { code: -32000, message: 'header not found' } }
      }
      return { result: payment.details.approvalTransaction?.hash }
    })
    expect(await settle(payment)).toMatchObject(settled)
    expect([refusals, await countSettlements()]).toEqual([2, 1])
  })

  it('a payment is refused if a transfer with the nonce of its approval is mined instead', async () => {
    const payment = await signSponsored(wallet, asset)
    interfereWithApproval(payment, () => {
      const drain = { account: wallet, chain: null, gas: 21_000n, maxFeePerGas: MAX_FEE, nonce: 0 }
      void chain.client.sendTransaction({ ...drain, to: hex(seller), value: 1n })
      return { result: pad('0x01') }
    })
    const response = await settle(payment)
    expect(response).toMatchObject({ kind: 'refused', reason: 'erc20_approval_tx_failed' })
    expect([await countTransfers(), await countSettlements()]).toEqual([1, 0])
  })

  it('a payment is refused without a transaction if its tokens are gone when Permit2 is approved', async () => {
    const payment = await signSponsored(wallet, asset)
    refuseApprovals(payment)
    const response = settle(payment)
    await waitForGas()
    await takeTokens()
    node.interfere = () => undefined
    expect(await response).toMatchObject({ kind: 'refused', reason: 'permit2_simulation_failed' })
    expect([await countTransfers(), await countSettlements()]).toEqual([1, 0])
  })

  /** Takes the wallet's tokens without a transaction of the wallet. */
  async function takeTokens(): Promise<void> {
    await chain.client.setStorageAt({ address: asset, index: slotOf(wallet.address, 0), value: pad('0x00') })
    const args = [wallet.address] as const
    const call = { address: asset, abi: plainTokenAbi, functionName: 'balanceOf', args } as const
    expect(await chain.client.readContract(call)).toBe(0n)
  }
})
