import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { type ChainConfig, openChains } from '@mintmark/evm-reader'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { hex, serving, signedBody } from '../../../engine/testing.ts'
import { decodePayment } from '../../../schemes/decode.ts'
import { createBuiltInUpstream } from '../../../schemes/evm/built-in-upstream.ts'
import {
  randomKey,
  removeTransactions,
  transactionDatabase,
  waitUntilMined,
  waitUntilRecorded,
} from '../testing.ts'
import { parseSignerKeys, type SettlementSigner } from '../transactions/signers.ts'

const chainId = 84532
const finalityDepth = 3
const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const { db, reserve, drop } = await transactionDatabase()

let signer: SettlementSigner
let reports: unknown[]

afterAll(async () => {
  node.close()
  await drop()
})
beforeEach(async () => {
  reports = []
  signer = await fundedSigner()
  await removeTransactions(db)
  await sql`delete from facilitator.signer_nonces`.execute(db)
})
afterEach(async () => {
  node.interfere = () => undefined
  node.catchUp()
  await devChain.client.setAutomine(true)
  await devChain.client.mine({ blocks: 1 })
})

async function fundedSigner(): Promise<SettlementSigner> {
  const [made] = parseSignerKeys(randomKey())
  if (made === undefined) throw new Error('one key was given')
  await devChain.client.setBalance({ address: hex(made.address), value: parseEther('1') })
  return made
}

/** Longer than a test takes: who waits for a node that does not respond makes the test time out. */
const requestTimeoutMs = 600_000
const finality = { depth: finalityDepth }

/** As a process of its own would have it: clients and caches of its own on the shared database. */
const open = (configs: readonly Partial<ChainConfig>[] = [{}]) =>
  createBuiltInUpstream({
    // The copies of a transaction that a test creates could be replaced otherwise, because they offer 1 wei.
    replaceAfter: 3600,
    db,
    chains: openChains(configs.map((config) => ({ id: chainId, rpcUrls: [node.url], finality, ...config }))),
    signers: [signer],
    report: (error) => reports.push(error),
  })

async function settle(milliseconds = 20_000) {
  const body = await signedBody({ account: devAccount(1) })
  const decoded = decodePayment(body, serving(`eip155:${chainId}`))
  if (!decoded.ok) throw new Error(decoded.message)
  const call = await reserve(decoded.payment)
  const signal = AbortSignal.timeout(milliseconds)
  return waitUntilRecorded(db, await open().settle(decoded.payment, { ...call, signal }))
}

/** Signs and stores a transaction whose broadcast the node drops. */
async function settleWithoutBroadcast(): Promise<void> {
  node.interfere = (method) => (method === 'eth_sendRawTransaction' ? 'hang up' : undefined)
  expect(await settle(500)).toMatchObject({ kind: 'lost', why: 'timeout' })
  node.interfere = () => undefined
  reports = []
}

/**
 * Stores `count` transactions of the signer as mined in the block, with nonces from 0, and has the chain
 * count them.
 */
async function storeMined(count: number, block: { number: bigint; hash: string }): Promise<void> {
  await sql`
    insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas, state, hash,
      succeeded, block_number, block_hash)
    select ${chainId}, ${signer.address}, nonce, 'fill', ${signer.address}, '0x', 21000, 'mined',
      ${signer.address} || nonce, true, ${block.number}, ${block.hash}
    from generate_series(0, ${count}::bigint - 1) as nonce`.execute(db)
  await sql`
    insert into facilitator.transaction_attempts (hash, transaction_id, raw, max_fee_per_gas,
      max_priority_fee_per_gas, signer, nonce)
    select hash, id, '0x', 1, 1, signer, nonce from facilitator.transactions`.execute(db)
  await devChain.client.setNonce({ address: hex(signer.address), nonce: count })
}

async function countByState(): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from facilitator.transactions group by state`.execute(db)
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

const headerRequests = () => node.calls.filter((method) => method === 'eth_getBlockByNumber').length

it('broadcasts a dropped transaction behind 1,200 mined transactions that are not final', async () => {
  await storeMined(1200, await devChain.client.getBlock())
  await settleWithoutBroadcast()
  expect(await open().sweep()).toMatchObject({ broadcast: 1 })
  await waitUntilMined(db, devChain)
  await open().sweep()
  expect(await countByState()).toEqual({ mined: 1201 })
  expect(reports).toEqual([])
})

it('sweeps a chain without waiting for the nodes of another one', async () => {
  await using stops = new AsyncDisposableStack()
  const silent = await serveLocally(() => {}, stops)
  await settleWithoutBroadcast()
  const upstream = open([{}, { id: 1, rpcUrls: [silent], requestTimeoutMs }])
  expect(await upstream.sweep(`eip155:${chainId}`)).toMatchObject({ broadcast: 1 })
})

it('broadcasts a transaction to another node if the first one accepts it and does not forward it', async () => {
  const dropping = await startFaultyNode(devChain.rpcUrl)
  onTestFinished(() => dropping.close())
  dropping.interfere = (method) =>
    method === 'eth_sendRawTransaction' ? { result: `0x${'0'.repeat(64)}` } : undefined
  await settleWithoutBroadcast()
  const upstream = open([{ rpcUrls: [dropping.url, node.url] }])
  expect(await upstream.sweep()).toMatchObject({ broadcast: 1 })
  await waitUntilMined(db, devChain)
  expect(reports).toEqual([])
})

it('broadcasts a transaction again without waiting for a node that does not respond', async () => {
  await using stops = new AsyncDisposableStack()
  const silent = await serveLocally(() => {}, stops)
  await settleWithoutBroadcast()
  const upstream = open([{ rpcUrls: [node.url, silent], requestTimeoutMs }])
  expect(await upstream.sweep()).toMatchObject({ broadcast: 1 })
})

it('broadcasts all of more dropped transactions than one batch holds', async () => {
  await settle()
  await sql`
    with copies as (
      insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas)
      select chain_id, signer, nonce + n, 'fill', recipient, data, gas
      from facilitator.transactions, generate_series(1, 1200) as n
      returning id, signer, nonce)
    insert into facilitator.transaction_attempts (hash, transaction_id, raw, max_fee_per_gas,
      max_priority_fee_per_gas, signer, nonce)
    select 'copy-' || nonce, id, '0x', 1, 1, signer, nonce from copies`.execute(db)
  await sql`update facilitator.signer_nonces set next_nonce = next_nonce + 1200`.execute(db)
  const sent: string[] = []
  node.interfere = (method) => {
    if (method === 'eth_getTransactionReceipt') return { result: null }
    if (method !== 'eth_sendRawTransaction') return undefined
    sent.push(method)
    return { result: `0x${'0'.repeat(64)}` }
  }
  expect(await open().sweep()).toMatchObject({ broadcast: 1200 })
  expect(sent).toHaveLength(1200)
})

it('requests one header per block of mined transactions and no receipt of them', async () => {
  await storeMined(1200, await devChain.client.getBlock())
  await devChain.client.mine({ blocks: finalityDepth + 1 })
  const upstream = open()
  node.calls.length = 0
  expect(await upstream.sweep()).toMatchObject({ final: 1200 })
  // One for the final block's number. Then the same node responds with the final block and the block that the
  // transactions are in.
  expect(headerRequests()).toBe(3)
  expect(node.calls).not.toContain('eth_getTransactionReceipt')
  expect(await countByState()).toEqual({ final: 1200 })
})

it('requests no block of mined transactions before it is final', async () => {
  await storeMined(3, await devChain.client.getBlock())
  node.calls.length = 0
  expect(await open().sweep()).toMatchObject({ final: 0, mined: 0 })
  expect(headerRequests()).toBe(1)
  expect(await countByState()).toEqual({ mined: 3 })
})

it('finds a mined transaction in the block that a reorganization moved it to', async () => {
  const snapshot = await devChain.client.snapshot()
  expect(await settle()).toMatchObject({ kind: 'responded' })
  const { rows } = await sql<{ raw: `0x${string}`; block_hash: string }>`
    select raw, block_hash from facilitator.transaction_attempts
    join facilitator.transactions on transactions.id = transaction_id`.execute(db)
  const [mined] = rows
  if (mined === undefined) throw new Error('it was signed')
  await devChain.client.revert({ id: snapshot })
  await devChain.client.mine({ blocks: 2 })
  await devChain.client.sendRawTransaction({ serializedTransaction: mined.raw })
  await devChain.client.mine({ blocks: finalityDepth + 1 })
  const upstream = open()
  await upstream.sweep()
  await upstream.sweep()
  const after = await sql<{ state: string; block_hash: string }>`
    select state, block_hash from facilitator.transactions`.execute(db)
  expect(after.rows).toMatchObject([
    { state: 'final', block_hash: expect.not.stringMatching(mined.block_hash) },
  ])
})

it('keeps a mined transaction as mined while the node lags behind its block', async () => {
  expect(await settle()).toMatchObject({ kind: 'responded' })
  await node.lag(1)
  expect(await open().sweep()).toMatchObject({ broadcast: 0, final: 0 })
  expect(await countByState()).toEqual({ mined: 1 })
})

it('keeps a transaction as mined when the node does not have the header of its final block', async () => {
  expect(await settle()).toMatchObject({ kind: 'responded' })
  await node.lag(1)
  await devChain.client.mine({ blocks: finalityDepth + 1 })
  const { head } = node
  node.lags = (method, params) =>
    method === 'eth_getBlockByNumber' &&
    JSON.stringify(params).includes((BigInt(head ?? 0) + 1n).toString(16))
  expect(await open().sweep()).toMatchObject({ broadcast: 0, final: 0 })
  expect(await countByState()).toEqual({ mined: 1 })
  node.catchUp()
  expect(await open().sweep()).toMatchObject({ final: 1 })
})

describe('a node that has not noticed a reorganization', () => {
  /** Settles, replaces the block of the payment by final ones, and returns what the node still has. */
  async function settleInReplacedBlock() {
    const snapshot = await devChain.client.snapshot()
    expect(await settle()).toMatchObject({ kind: 'responded' })
    const { rows } = await sql<{ hash: `0x${string}` }>`select hash from facilitator.transactions`.execute(db)
    const [mined] = rows
    if (mined === undefined) throw new Error('it was mined')
    const [block, receipt] = await Promise.all([
      requestRaw('eth_getBlockByNumber', ['latest', false]),
      requestRaw('eth_getTransactionReceipt', [mined.hash]),
    ])
    await devChain.client.revert({ id: snapshot })
    await devChain.client.mine({ blocks: finalityDepth + 2 })
    return { block, receipt }
  }

  /** Lets the node respond to a sweep, after another node has responded with the final block. */
  function respondAfterFinalBlock({ block, receipt }: { block: object; receipt: object }) {
    let finalIsRead = false
    node.interfere = (method, params) => {
      if (method === 'eth_getTransactionReceipt') return { result: receipt }
      if (method !== 'eth_getBlockByNumber') return undefined
      if (!finalIsRead) {
        finalIsRead = true
        return undefined
      }
      const [number] = params as [string]
      return { result: 'number' in block && block.number === number ? block : null }
    }
  }

  it('a node that has not noticed a reorganization does not make a mined transaction final', async () => {
    const replaced = await settleInReplacedBlock()
    respondAfterFinalBlock(replaced)
    expect(await open().sweep()).toMatchObject({ final: 0 })
    expect(await countByState()).toEqual({ mined: 1 })
    node.interfere = () => undefined
    expect(await open().sweep()).toMatchObject({ broadcast: 1 })
  })

  it('a node that has not noticed a reorganization does not make a sent transaction final', async () => {
    const replaced = await settleInReplacedBlock()
    await sql`update facilitator.transactions set state = 'sent', hash = null, succeeded = null, block_number = null,
      block_hash = null`.execute(db)
    respondAfterFinalBlock(replaced)
    expect(await open().sweep()).toMatchObject({ final: 0, mined: 0 })
    expect(await countByState()).toEqual({ sent: 1 })
  })
})

function requestRaw(method: string, params: readonly unknown[]): Promise<object> {
  // viem's test client does not list the methods of a public client.
  return devChain.client.request({ method: method as never, params: params as never })
}
