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
import { openChains } from '@mintmark/server-kit'
import { startFaultyNode } from '@mintmark/server-kit/testing'
import { encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Payment } from '../../../payments/payment.ts'
import { createChainReader } from '../reader.ts'
import { createSignerPaymentReader } from '../transactions/signer-payments.ts'
import { methodOf } from './methods.ts'
import { decodeSettle, formatNonce } from './permit2-contracts.ts'

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
  const payment: Payment = {
    version: 2,
    scheme: authorization.scheme,
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
    permit2: { maximum: amount },
    maxTimeoutSeconds: 60,
    fingerprint: '',
    request: { x402Version: 2, paymentPayload: {}, paymentRequirements: {} },
  }
  const { recipient, data } = methodOf(payment).encodeTransfer(payment, payment.signature, true)
  return { payment, call: { to: recipient as Hex, data }, reservedBlock: number }
}

const mine = (blocks: number) => devChain.client.mine({ blocks })
const send = (call: Signed['call']) => devChain.confirm(stranger.sendTransaction(call))
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
const inMulticall = ({ to, data }: Signed['call']): Signed['call'] => ({
  to: devChain.multicall,
  data: encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [[{ target: to, allowFailure: false, callData: data }]],
  }),
})
const reader = createChainReader({ chains })
const inspect = ({ payment, reservedBlock }: Signed, transaction?: string) =>
  reader.inspect(payment, { reservedBlock, ...(transaction && { transaction }) })

describe('the outcome of a payment by Permit2', () => {
  it('is open while its nonce is unused, and failed once it has finally expired', async () => {
    const { timestamp } = await devChain.client.getBlock()
    const signed = await sign({ deadline: timestamp + 30n })
    expect(await inspect(signed)).toEqual({ kind: 'open', unused: true })
    await devChain.client.increaseTime({ seconds: 60 })
    await mine(4)
    expect(await inspect(signed)).toEqual({ kind: 'failed', reason: 'permit2_deadline_expired' })
  })

  it('is settled by the call of a stranger, found without a hint', async () => {
    const signed = await sign()
    const { transactionHash: transaction } = await send(signed.call)
    await mine(3)
    expect(await inspect(signed)).toMatchObject({ kind: 'settled', transaction, final: true })
    expect(await inspect(signed, transaction)).toMatchObject({ kind: 'settled', transaction })
  })

  it('is not settled by another payment of the same amount to the same seller, whose nonce the payer cancelled', async () => {
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

  it('is not settled by a transfer that the payer sends by itself', async () => {
    const signed = await sign()
    const args = [seller, amount] as const
    const call = { address: devChain.token, abi: devUsdcAbi, functionName: 'transfer', args } as const
    const { transactionHash } = await devChain.confirm(devChain.as(1).writeContract(call))
    await invalidate(signed)
    await mine(3)
    expect(await inspect(signed, transactionHash)).toMatchObject({ kind: 'failed' })
  })

  it('stays undecided where another contract called the proxy, unless that transaction is ours', async () => {
    const signed = await sign()
    const { transactionHash } = await send(inMulticall(signed.call))
    await mine(3)
    expect(await inspect(signed, transactionHash)).toEqual({ kind: 'open' })
    const own = createChainReader({ chains, listSignedTransactions: async () => [transactionHash] })
    expect(await own.inspect(signed.payment)).toMatchObject({ kind: 'settled', transaction: transactionHash })
  })

  it('is not failed by nodes that lack the blocks with the payment', async () => {
    const signed = await sign()
    await node.lag()
    node.lags = (method) => method === 'eth_getLogs'
    const { transactionHash: transaction } = await send(signed.call)
    await mine(4)
    expect((await inspect(signed)).kind).not.toBe('failed')
    node.catchUp()
    expect(await inspect(signed)).toMatchObject({ kind: 'settled', transaction })
  })
})

describe('the audit of our signers', () => {
  it('finds payments by Permit2, also those inside a call of Multicall3, and none of others', async () => {
    const [first, second] = [await sign(), await sign()]
    const from = Number(first.reservedBlock) + 1
    const mined = [await send(first.call), await send(inMulticall(second.call))]
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

describe('a call of a proxy', () => {
  it('is read as the payment that it makes', async () => {
    const { payment, call } = await sign()
    const { scheme, asset, payTo, nonce } = payment
    const made = { scheme, asset, payer: payment.payer, payTo, amount, nonce }
    expect(decodeSettle(call.to, call.data)).toEqual(made)
  })

  it('is none at another address, or with other data', async () => {
    const { call } = await sign()
    expect(decodeSettle(permit2Address, call.data)).toBeUndefined()
    expect(decodeSettle(permit2ProxyAddresses.upto, call.data)).toBeUndefined()
    expect(decodeSettle(call.to, '0x')).toBeUndefined()
    const other = encodeFunctionData({ abi: exactPermit2ProxyAbi, functionName: 'PERMIT2' })
    expect(decodeSettle(call.to, other)).toBeUndefined()
  })
})
