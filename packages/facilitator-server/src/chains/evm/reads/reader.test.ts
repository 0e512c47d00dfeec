import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi, multicall3Abi } from '@mintmark/devkit/chain/artifacts/abi'
import { signCancellation } from '@mintmark/devkit/chain/authorization'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { encodeFunctionData, encodeFunctionResult, parseAbi, toHex } from 'viem'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { hex, type Signed, serving, signedBody } from '../../../engine/testing.ts'
import type { Payment } from '../../../payment/payment.ts'
import { decodePayment } from '../../../schemes/decode.ts'
import { createChainReader } from './reader.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const payer = devAccount(1)
const relayer = devChain.as(9)
const token = { address: devChain.token, abi: devUsdcAbi } as const
const chains = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 2 } }])
const reports: unknown[] = []
const reader = createChainReader({ chains, report: (error) => reports.push(error) })

afterAll(() => node.close())
beforeEach(() => {
  node.interfere = () => undefined
})

async function signed(terms: Partial<Signed> = {}): Promise<Payment> {
  const validBefore = (await devChain.client.getBlock()).timestamp + 600n
  const body = await signedBody({ account: payer, validBefore, ...terms })
  const decoded = decodePayment(body, serving('eip155:84532'))
  if (!decoded.ok) throw new Error(decoded.message)
  return decoded.payment
}
const submit = async (payment: Payment) => {
  const { payer: from, payTo, amount, validAfter, validBefore, nonce, signature } = payment
  const hash = await relayer.writeContract({
    ...token,
    functionName: 'transferWithAuthorization',
    args: [hex(from), hex(payTo), amount, validAfter, validBefore, hex(nonce), hex(signature)],
  })
  return devChain.client.waitForTransactionReceipt({ hash })
}
const cancel = async ({ nonce }: Payment) => {
  const signature = await signCancellation(payer, payer.address, hex(nonce))
  const args = [payer.address, hex(nonce), signature] as const
  await devChain.confirm(relayer.writeContract({ ...token, functionName: 'cancelAuthorization', args }))
}
const mine = (blocks: number) => devChain.client.mine({ blocks })

it('a payment on the chain is settled, with its block, found by hint', async () => {
  const payment = await signed()
  const receipt = await submit(payment)
  const expected = {
    kind: 'settled',
    transaction: receipt.transactionHash,
    blockNumber: receipt.blockNumber,
    blockHash: receipt.blockHash,
  }
  const before = node.calls.length
  expect(await reader.inspect(payment, { transaction: receipt.transactionHash })).toMatchObject(expected)
  expect(node.calls.slice(before)).not.toContain('eth_getLogs')
})

it('a payment on the chain shares the read of the final block with payments that are inspected at the same time', async () => {
  const payments = await Promise.all(Array.from({ length: 10 }, () => signed()))
  const before = node.calls.length
  const outcomes = await Promise.all(payments.map((each) => reader.inspect(each)))
  expect(outcomes).toEqual(payments.map(() => ({ kind: 'open', unused: true })))
  expect(node.calls.slice(before).filter((method) => method === 'eth_getBlockByNumber')).toHaveLength(1)
  // A later inspection reads it again.
  await reader.inspect(await signed())
  expect(node.calls.slice(before).filter((method) => method === 'eth_getBlockByNumber')).toHaveLength(2)
})

it('a payment on the chain is settled, found by its log where there is no hint, or a wrong one', async () => {
  const payment = await signed()
  const { transactionHash } = await submit(payment)
  await mine(5)
  const other = await submit(await signed())
  for (const transaction of [undefined, other.transactionHash, `0x${'12'.repeat(32)}`, 'nonsense']) {
    expect(await reader.inspect(payment, transaction ? { transaction } : undefined)).toMatchObject({
      kind: 'settled',
      transaction: transactionHash,
    })
  }
})

it('a payment on the chain is final as soon as finality says so', async () => {
  const payment = await signed()
  await submit(payment)
  await mine(1)
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled', final: false })
  await mine(1)
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled', final: true })
})

it('a payment on the chain is found many log queries back, and left open beyond the search’s end', async () => {
  const payment = await signed()
  const { transactionHash } = await submit(payment)
  await mine(45)
  const far = createChainReader({ chains, blocksPerQuery: 10, searchBlocks: 60 })
  expect(await far.inspect(payment)).toMatchObject({ kind: 'settled', transaction: transactionHash })
  const near = createChainReader({ chains, blocksPerQuery: 10, searchBlocks: 40 })
  expect(await near.inspect(payment)).toEqual({ kind: 'open' })
})

it('a payment on the chain is found however many blocks ago it was made, from the block that was known at its reservation', async () => {
  const reservedBlock = await devChain.client.getBlockNumber({ cacheTime: 0 })
  const payment = await signed()
  const { transactionHash } = await submit(payment)
  await mine(45)
  const near = createChainReader({ chains, blocksPerQuery: 10, searchBlocks: 5 })
  expect(await near.inspect(payment, { reservedBlock })).toMatchObject({
    kind: 'settled',
    transaction: transactionHash,
  })
})

it('a payment on the chain is found by smaller queries when the node refuses larger ones', async () => {
  const payment = await signed()
  const { transactionHash } = await submit(payment)
  await mine(30)
  node.interfere = (method, params) => {
    if (method !== 'eth_getLogs') return undefined
    // The parameter of this method.
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
    const isTooLarge = Number(toBlock) - Number(fromBlock) >= 8
    return isTooLarge ? { error: { code: -32602, message: 'block range is too wide' } } : undefined
  }
  expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled', transaction: transactionHash })
})

it('a payment on the chain is not settled by a receipt from a block that a reorganization replaced', async () => {
  const snapshot = await devChain.client.snapshot()
  const payment = await signed()
  const { transactionHash: transaction } = await submit(payment)
  const result = await devChain.client.request({
    // viem's test client does not list the methods of a public client.
    method: 'eth_getTransactionReceipt' as never,
    params: [transaction],
  })
  await devChain.client.revert({ id: snapshot })
  await mine(4)
  node.interfere = (method) => (method === 'eth_getTransactionReceipt' ? { result } : undefined)
  expect(await reader.inspect(payment, { transaction })).toEqual({ kind: 'open', unused: true })
})

it('a payment on the chain is open again after a reorganization removed it', async () => {
  const snapshot = await devChain.client.snapshot()
  const payment = await signed()
  const receipt = await submit(payment)
  await devChain.client.revert({ id: snapshot })
  await mine(3)
  expect(await reader.inspect(payment, { transaction: receipt.transactionHash })).toEqual({
    kind: 'open',
    unused: true,
  })
})

describe('a nonce that was used for something else', () => {
  it('leaves the payment open when a transaction was signed for it while the chain was read', async () => {
    const payment = await signed()
    await cancel(payment)
    await mine(5)
    const inspectWith = (...lists: string[][]) =>
      createChainReader({ chains, listSignedTransactions: async () => lists.shift() ?? [] }).inspect(payment)
    expect(await inspectWith([], [`0x${'12'.repeat(32)}`])).toEqual({ kind: 'open' })
    expect(await inspectWith([], [])).toMatchObject({ kind: 'failed' })
  })

  it('fails the payment when it was cancelled, once that is final', async () => {
    const payment = await signed()
    await cancel(payment)
    expect(await reader.inspect(payment)).toEqual({ kind: 'open' })
    await mine(2)
    expect(await reader.inspect(payment)).toEqual({
      kind: 'failed',
      reason: 'invalid_exact_evm_nonce_already_used',
    })
  })

  it.each([
    ['another amount', { value: 777n }],
    ['another recipient', { to: relayer.account.address }],
  ])('fails the payment when it paid %s', async (_, terms) => {
    const payment = await signed()
    const { transactionHash } = await submit(await signed({ ...terms, nonce: payment.nonce }))
    expect(await reader.inspect(payment)).toEqual({ kind: 'open' })
    await mine(2)
    expect(await reader.inspect(payment, { transaction: transactionHash })).toMatchObject({ kind: 'failed' })
  })

  it('fails the payment when another payment of the same amount to the same seller was in that transaction', async () => {
    // One transaction: the nonce is spent on a transfer elsewhere, and another nonce pays the seller the
    // same.
    const payment = await signed()
    const spent = await signed({ nonce: payment.nonce, to: relayer.account.address })
    const twin = await signed()
    const receipt = await submitTogether([spent, twin])
    await mine(2)
    expect(await reader.inspect(payment, { transaction: receipt.transactionHash })).toMatchObject({
      kind: 'failed',
    })
    expect(await reader.inspect(twin, { transaction: receipt.transactionHash })).toMatchObject({
      kind: 'settled',
    })
  })
})

const multicallAbi = parseAbi([
  'struct Call { address target; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[])',
])

/** In one transaction: anybody may submit an authorization, Multicall3 too. */
async function submitTogether(payments: Payment[]) {
  const calls = payments.map(({ payer: from, payTo, amount, validAfter, validBefore, nonce, signature }) => ({
    target: devChain.token,
    callData: encodeFunctionData({
      abi: devUsdcAbi,
      functionName: 'transferWithAuthorization',
      args: [hex(from), hex(payTo), amount, validAfter, validBefore, hex(nonce), hex(signature)],
    }),
  }))
  const hash = await relayer.writeContract({
    address: devChain.multicall,
    abi: multicallAbi,
    functionName: 'tryAggregate',
    args: [true, calls],
  })
  return devChain.client.waitForTransactionReceipt({ hash })
}

it('an unused nonce is open until the authorization’s end is final, and fails then', async () => {
  const payment = await signed()
  expect(await reader.inspect(payment)).toEqual({ kind: 'open', unused: true })
  await devChain.client.setNextBlockTimestamp({ timestamp: payment.validBefore })
  await mine(1)
  expect(await reader.inspect(payment)).toEqual({ kind: 'open', unused: true })
  await mine(1)
  expect(await reader.inspect(payment)).toEqual({ kind: 'open', unused: true })
  await mine(1)
  expect(await reader.inspect(payment)).toEqual({
    kind: 'failed',
    reason: 'invalid_exact_evm_payload_authorization_valid_before',
  })
})

it('an unused nonce stays open when its state comes from a node that lags behind the final block', async () => {
  const payment = await signed()
  const old = encodeFunctionResult({
    abi: multicallAbi,
    functionName: 'tryAggregate',
    result: [0n, payment.validBefore - 10n].map((value) => ({
      success: true,
      returnData: `0x${value.toString(16).padStart(64, '0')}` as const,
    })),
  })
  await devChain.client.setNextBlockTimestamp({ timestamp: payment.validBefore + 1n })
  await mine(5)
  node.interfere = (method) => (method === 'eth_call' ? { result: old } : undefined)
  expect(await reader.inspect(payment)).toEqual({ kind: 'open' })
})

describe('an unused nonce whose authorization has ended', () => {
  const expired = async () => {
    const payment = await signed()
    await devChain.client.setNextBlockTimestamp({ timestamp: payment.validBefore + 1n })
    await mine(5)
    return payment
  }

  it('stays open when its state comes from a node with a replaced version of the final block', async () => {
    const payment = await expired()
    const { number } = await devChain.client.getBlock()
    const final = toHex(number - 2n)
    const replaced = { number: final, hash: `0x${'1'.repeat(64)}`, parentHash: '0x', timestamp: '0x1' }
    let reads = 0
    node.interfere = (method, params) => {
      if (method !== 'eth_getBlockByNumber' || (params as string[])[0] !== final) return undefined
      reads += 1
      // The first request reads the final block.
      return reads === 1 ? undefined : { result: replaced }
    }
    expect(await reader.inspect(payment)).toEqual({ kind: 'open' })
    node.interfere = () => undefined
    expect(await reader.inspect(payment)).toMatchObject({ kind: 'failed' })
  })

  it('stays open when another node shows it as used', async () => {
    const payment = await expired()
    const used = `0x${'1'.padStart(64, '0')}`
    node.interfere = (method, params) =>
      method === 'eth_call' && JSON.stringify(params).toLowerCase().includes(`"to":"${payment.asset}"`)
        ? { result: used }
        : undefined
    expect(await reader.inspect(payment)).toEqual({ kind: 'open' })
  })
})

it('a chain that cannot be read is unreadable when it is not configured', async () => {
  const payment = { ...(await signed()), network: 'eip155:1' }
  expect(reader.readable('eip155:1')).toBe(false)
  expect(reader.readable('eip155:84532')).toBe(true)
  expect(await reader.inspect(payment)).toEqual({ kind: 'unreadable' })
})

it('a chain that cannot be read is unreadable while its node fails, and says why without the node’s address', async () => {
  const payment = await signed()
  node.interfere = () => 'hang up'
  expect(await reader.inspect(payment)).toEqual({ kind: 'unreadable' })
  expect(reports).toHaveLength(1)
  expect(String(reports[0])).not.toContain(node.url)
})

it('recorded blocks are compared with the newest final block', async () => {
  const receipt = await submit(await signed())
  await mine(5)
  const block = { number: receipt.blockNumber, hash: receipt.blockHash }
  const replaced = { ...block, hash: `0x${'1'.repeat(64)}` }
  const later = { ...replaced, number: 10_000_000n }
  const { final, comparisons } = await reader.compareWithFinal('eip155:84532', [block, replaced, later])
  expect(final).toBeGreaterThanOrEqual(receipt.blockNumber)
  expect(comparisons).toEqual(['same', 'different', 'unknown'])
})

it('recorded blocks are unknown to a node without the final block that another node has', async () => {
  const receipt = await submit(await signed())
  await mine(5)
  const block = { number: receipt.blockNumber, hash: receipt.blockHash }
  node.faults = {
    next: (methods) => (methods.includes('eth_blockNumber') ? undefined : { kind: 'lag', blocks: 5 }),
  }
  const { comparisons } = await reader.compareWithFinal('eip155:84532', [block])
  node.faults = undefined
  expect(comparisons).toEqual(['unknown'])
})

describe('a transaction of the payer with an authorization beside another payment', () => {
  /** Uses the nonce and transfers the amount to the seller by itself, in one transaction. */
  async function useBeside(payment: Payment, used: Payment) {
    const approval = { ...token, functionName: 'approve', args: [devChain.multicall, 10n ** 12n] } as const
    await devChain.confirm(devChain.as(1).writeContract(approval))
    const { payer: from, payTo, amount, validAfter, validBefore, nonce, signature } = used
    const times = [validAfter, validBefore] as const
    const use = encodeFunctionData({
      ...token,
      functionName: 'transferWithAuthorization',
      args: [hex(from), hex(payTo), amount, ...times, hex(nonce), hex(signature)],
    })
    const args = [hex(from), hex(payment.payTo), payment.amount] as const
    const pay = encodeFunctionData({ ...token, functionName: 'transferFrom', args })
    const calls = [use, pay].map((callData) => ({ target: devChain.token, allowFailure: false, callData }))
    const call = { address: devChain.multicall, abi: multicall3Abi, functionName: 'aggregate3' } as const
    const hash = await relayer.writeContract({ ...call, args: [calls] })
    await devChain.client.waitForTransactionReceipt({ hash })
    return hash
  }
  const withoutTraces = (method: string) =>
    method === 'debug_traceTransaction' ? { error: { code: -32601, message: 'not supported' } } : undefined

  it('a transaction of the payer with an authorization beside another payment is not the payment if the nonce was used for another recipient, and fails it once final', async () => {
    const payment = await signed()
    await useBeside(payment, await signed({ nonce: payment.nonce, to: payer.address }))
    expect(await reader.inspect(payment)).toEqual({ kind: 'open' })
    await mine(2)
    expect(await reader.inspect(payment)).toEqual({
      kind: 'failed',
      reason: 'invalid_exact_evm_nonce_already_used',
    })
  })

  it('leaves the payment open with its hash, whatever is final, if no trace shows what used the nonce', async () => {
    const payment = await signed()
    const transaction = await useBeside(payment, await signed({ nonce: payment.nonce, to: payer.address }))
    node.interfere = withoutTraces
    await mine(2)
    expect(await reader.inspect(payment)).toEqual({ kind: 'open', transaction })
  })

  it('a transaction of the payer with an authorization beside another payment is the payment if a call of the transaction has its terms', async () => {
    const payment = await signed()
    const transaction = await useBeside({ ...payment, payTo: hex(payer.address) }, payment)
    node.interfere = withoutTraces
    expect(await reader.inspect(payment)).toMatchObject({ kind: 'settled', transaction })
  })
})
