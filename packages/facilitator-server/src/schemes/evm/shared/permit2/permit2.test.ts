import { devAccount } from '@mintmark/devkit/chain/accounts'
import {
  devUsdcAbi,
  exactPermit2ProxyAbi,
  multicall3Abi,
  permit2Abi,
} from '@mintmark/devkit/chain/artifacts/abi'
import { permit2Address, permit2ProxyAddresses } from '@mintmark/devkit/chain/chain'
import {
  newPermit2Authorization,
  type Permit2Authorization,
  signPermit2Authorization,
} from '@mintmark/devkit/chain/permit2'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChainReader } from '../../../../chains/evm/reads/reader.ts'
import { createSignerPaymentReader } from '../../../../operations/signer-payments.ts'
import type { Payment } from '../../../../payment/payment.ts'
import { exactPermit2 } from '../../exact-permit2/exact-permit2.ts'
import { formatNonce } from './permit2-contracts.ts'
import type { Permit2Terms } from './permit2-terms.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const chains = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 2 } }])
const payer = devAccount(1)
const stranger = devChain.as(7)
const seller = '0x00000000000000000000000000000000000fac17'
const amount = 10_000n

beforeAll(async () => {
  const args = [permit2Address, maxUint256] as const
  const call = { address: devChain.token, abi: devUsdcAbi, functionName: 'approve', args } as const
  await devChain.confirm(devChain.as(1).writeContract(call))
})
beforeEach(() => {
  node.catchUp()
  node.interfere = () => undefined
})
afterAll(() => node.close())

interface Signed {
  readonly payment: Payment
  readonly call: { readonly to: Hex; readonly data: Hex }
  readonly reservedBlock: bigint
}

async function sign(terms: Partial<Permit2Authorization> = {}): Promise<Signed> {
  const { timestamp, number } = await devChain.client.getBlock()
  const authorization = newPermit2Authorization({
    from: payer.address,
    to: seller,
    amount,
    deadline: timestamp + 600n,
    ...terms,
  })
  const signature = await signPermit2Authorization(payer, authorization)
  const payment: Payment<Permit2Terms> = {
    version: 2,
    scheme: exactPermit2,
    network: 'eip155:84532',
    wireNetwork: 'eip155:84532',
    chainId: 84532,
    asset: devChain.token.toLowerCase(),
    payTo: seller.toLowerCase(),
    payer: payer.address.toLowerCase(),
    amount,
    domain: permit2Address.toLowerCase(),
    validAfter: 0n,
    validBefore: authorization.deadline + 1n,
    nonce: formatNonce(authorization.nonce),
    signature: signature.toLowerCase(),
    domainName: '',
    domainVersion: '',
    details: { maximum: amount },
    maxTimeoutSeconds: 60,
    fingerprint: '',
    request: { x402Version: 2, paymentPayload: {}, paymentRequirements: {} },
  }
  const { recipient, data } = exactPermit2.encodeTransfer(payment, payment.signature, true)
  return { payment, call: { to: recipient as Hex, data }, reservedBlock: number }
}

const mine = (blocks: number) => devChain.client.mine({ blocks })
/** The least gas with which a call succeeds may be too little for those in it that may fail. */
const send = (call: Signed['call']) =>
  devChain.confirm(stranger.sendTransaction({ ...call, gas: 1_000_000n }))
const invalidate = ({ payment }: Signed) => {
  const nonce = BigInt(payment.nonce)
  const args = [nonce >> 8n, 1n << (nonce & 0xffn)] as const
  const call = {
    address: permit2Address,
    abi: permit2Abi,
    functionName: 'invalidateUnorderedNonces',
    args,
  } as const
  return devChain.confirm(devChain.as(1).writeContract(call))
}
const inMulticall = (calls: Signed['call'][], allowFailure = false): Signed['call'] => ({
  to: devChain.multicall,
  data: encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ to, data }) => ({ target: to, allowFailure, callData: data }))],
  }),
})
/** Reads the first block of a range of logs. Empty if one block is read, by its hash. */
function readFirstBlock(params: unknown): number[] {
  // The parameter of eth_getLogs.
  const [{ fromBlock }] = params as [{ fromBlock?: string }]
  return fromBlock === undefined ? [] : [Number(fromBlock)]
}
/** As most nodes respond. */
const removeTraces = (method: string) =>
  method === 'debug_traceTransaction'
    ? { error: { code: -32601, message: 'the method debug_traceTransaction does not exist' } }
    : undefined
const reader = createChainReader({ chains })
const inspect = ({ payment, reservedBlock }: Signed, transaction?: string) =>
  reader.inspect(payment, { reservedBlock, ...(transaction && { transaction }) })

it('the outcome of a payment by Permit2 is open while its nonce is unused, and failed once it has finally expired', async () => {
  const { timestamp } = await devChain.client.getBlock()
  const signed = await sign({ deadline: timestamp + 30n })
  expect(await inspect(signed)).toEqual({ kind: 'open', unused: true })
  await devChain.client.increaseTime({ seconds: 60 })
  await mine(4)
  expect(await inspect(signed)).toEqual({ kind: 'failed', reason: 'permit2_deadline_expired' })
})

it('the outcome of a payment by Permit2 is settled by the call of a stranger, found without a hint', async () => {
  const signed = await sign()
  const { transactionHash: transaction } = await send(signed.call)
  await mine(3)
  expect(await inspect(signed)).toMatchObject({ kind: 'settled', transaction, final: true })
  expect(await inspect(signed, transaction)).toMatchObject({ kind: 'settled', transaction })
})

it('the outcome of a payment by Permit2 is not settled by another payment of the same amount to the same seller, whose nonce the payer cancelled', async () => {
  const signed = await sign()
  const other = await send((await sign()).call)
  await invalidate(signed)
  // Not before it is final.
  expect(await inspect(signed, other.transactionHash)).toEqual({ kind: 'open' })
  await mine(3)
  const failed = { kind: 'failed', reason: 'permit2_invalid_nonce' }
  expect(await inspect(signed, other.transactionHash)).toEqual(failed)
  expect(await inspect(signed)).toEqual(failed)
})

it('the outcome of a payment by Permit2 is not settled by a transfer that the payer sends by itself', async () => {
  const signed = await sign()
  const args = [seller, amount] as const
  const call = { address: devChain.token, abi: devUsdcAbi, functionName: 'transfer', args } as const
  const { transactionHash } = await devChain.confirm(devChain.as(1).writeContract(call))
  await invalidate(signed)
  await mine(3)
  expect(await inspect(signed, transactionHash)).toMatchObject({ kind: 'failed' })
})

it('the outcome of a payment by Permit2 is settled by a call of Multicall3 that could not fail, also by nodes without traces', async () => {
  node.interfere = removeTraces
  const signed = await sign()
  const { transactionHash: transaction } = await send(inMulticall([signed.call]))
  await mine(3)
  expect(await inspect(signed)).toMatchObject({ kind: 'settled', transaction, final: true })
  expect(await inspect(signed, transaction)).toMatchObject({ kind: 'settled', transaction })
})

it("the outcome of a payment by Permit2 is settled inside another contract's call if the trace shows it, and no other payment is", async () => {
  const [signed, cancelled] = [await sign(), await sign()]
  await invalidate(cancelled)
  const both = inMulticall([inMulticall([cancelled.call, signed.call], true)])
  const { transactionHash: transaction } = await send(both)
  await mine(3)
  expect(await inspect(signed)).toMatchObject({ kind: 'settled', transaction, final: true })
  expect(await inspect(signed, transaction)).toMatchObject({ kind: 'settled', transaction })
  const failed = { kind: 'failed', reason: 'permit2_invalid_nonce' }
  expect(await inspect(cancelled)).toEqual(failed)
  expect(await inspect(cancelled, transaction)).toEqual(failed)
})

it("the outcome of a payment by Permit2 fails at finality where nothing shows which nonce another contract's call used, and names the transaction", async () => {
  node.interfere = removeTraces
  const signed = await sign()
  const {
    transactionHash: transaction,
    blockNumber,
    blockHash,
  } = await send(inMulticall([signed.call], true))
  expect(await inspect(signed)).toEqual({ kind: 'open' })
  await mine(3)
  const unproven = { transaction, blockNumber, blockHash }
  const failed = { kind: 'failed', reason: 'permit2_invalid_nonce', unproven }
  expect(await inspect(signed)).toEqual(failed)
  expect(await inspect(signed, transaction)).toEqual(failed)
  const own = createChainReader({ chains, listSignedTransactions: async () => [transaction] })
  expect(await own.inspect(signed.payment)).toMatchObject({ kind: 'settled', transaction })
})

it("the outcome of a payment by Permit2 is not confused with other transfers inside another contract's call, before and after its nonce was cancelled", async () => {
  node.interfere = removeTraces
  const signed = await sign()
  await send(inMulticall([(await sign()).call], true))
  await invalidate(signed)
  await send(inMulticall([(await sign()).call], true))
  await mine(3)
  expect(await inspect(signed)).toEqual({ kind: 'failed', reason: 'permit2_invalid_nonce' })
})

it('the outcome of a payment by Permit2 is searched from where the last search got, until its deadline, by nodes that keep no states', async () => {
  const { timestamp } = await devChain.client.getBlock()
  const signed = await sign({ deadline: timestamp + 3_000n })
  const firstBlocks: number[] = []
  node.interfere = (method, params) => {
    if (method === 'eth_getLogs') firstBlocks.push(...readFirstBlock(params))
    return method === 'eth_call' && JSON.stringify(params).includes('blockHash')
      ? { error: { code: -32000, message: 'missing trie node' } }
      : undefined
  }
  await invalidate(signed)
  await devChain.client.increaseTime({ seconds: 600 })
  await mine(10)
  expect(await inspect(signed)).toEqual({ kind: 'open' })
  const final = Number(await devChain.client.getBlockNumber({ cacheTime: 0 })) - 2
  await devChain.client.increaseTime({ seconds: 600 })
  await mine(10)
  firstBlocks.length = 0
  expect(await inspect(signed)).toEqual({ kind: 'open' })
  expect(firstBlocks).toEqual([final + 1])
  await devChain.client.increaseTime({ seconds: 3_000 })
  await mine(4)
  expect(await inspect(signed)).toEqual({ kind: 'failed', reason: 'permit2_invalid_nonce' })
})

it('the outcome of a payment by Permit2 is not failed by nodes that lack the blocks with the payment', async () => {
  const signed = await sign()
  await node.lag()
  node.lags = (method) => method === 'eth_getLogs'
  const { transactionHash: transaction } = await send(signed.call)
  await mine(4)
  expect((await inspect(signed)).kind).not.toBe('failed')
  node.catchUp()
  expect(await inspect(signed)).toMatchObject({ kind: 'settled', transaction })
})

describe('the audit of our signers', () => {
  it('finds payments by Permit2, also those inside a call of Multicall3, and none of others', async () => {
    const [first, second] = [await sign(), await sign()]
    const from = Number(first.reservedBlock) + 1
    const mined = [await send(first.call), await send(inMulticall([second.call]))]
    await devChain.confirm(devChain.as(6).sendTransaction((await sign()).call))
    const newest = await devChain.client.getBlock()
    const chain = chains.byId(84532)
    if (chain === undefined) throw new Error('one chain was configured')
    const filter = { signers: [stranger.account.address], assets: new Set<string>() }
    const audited = createSignerPaymentReader(chain, filter)
    const { payments } = await audited.read({ from, to: Number(newest.number), newest })
    expect(payments).toEqual(
      [first, second].map(({ payment }, index) => ({
        network: 'eip155:84532',
        domain: permit2Address.toLowerCase(),
        payer: payment.payer,
        nonce: payment.nonce,
        transaction: mined[index]?.transactionHash,
      })),
    )
  })
})

/** Reads the nonces of the payments that a call makes. */
const read = (to: string, input: Hex) =>
  exactPermit2.traces?.list({ to, input }, []).map(({ payer, nonce }) => [payer, nonce])

it('a call of a proxy is read as the payment that it makes', async () => {
  const { payment, call } = await sign()
  expect(read(call.to, call.data)).toEqual([[payment.payer, payment.nonce]])
})

it('a call to another address, or with other data, is no call of a proxy', async () => {
  const { call } = await sign()
  expect(read(permit2Address, call.data)).toEqual([])
  expect(read(permit2ProxyAddresses.upto, call.data)).toEqual([])
  expect(read(call.to, '0x')).toEqual([])
  const other = encodeFunctionData({ abi: exactPermit2ProxyAbi, functionName: 'PERMIT2' })
  expect(read(call.to, other)).toEqual([])
})
