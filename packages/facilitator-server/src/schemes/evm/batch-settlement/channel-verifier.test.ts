// Vouchers that are accepted by one reading of their channel. What verification accepts at all is compared
// with the contract in `agreement-channels.test.ts`.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import { expect, it, vi } from 'vitest'
import { numberWord } from '../../../chains/evm/reads/abi-words.ts'
import { assetKey } from '../../../chains/evm/settings/allowed-assets.ts'
import { somePayment } from '../../../engine/testing-engine.ts'
import { reasons } from '../../../payment/reasons.ts'
import { computeChannelId, computeVoucherDigest } from './channel-digests.ts'
import { channelReasons } from './channel-reasons.ts'
import { channelOperation } from './channel-schemes.ts'
import type { ChannelAction, ChannelConfig, Voucher } from './channel-terms.ts'
import { createChannelVerifier } from './channel-verifier.ts'

const multicall = parseAbi([
  'function tryAggregate(bool, (address target, bytes data)[] calls) view returns ((bool, bytes)[])',
])
const HOUR_MS = 3_600_000
const key = devAccount(1)
const { network, chainId, asset } = somePayment()

/** A chain on which every channel has the same state. */
function createStubChain() {
  const state = { balance: 100n, totalClaimed: 0n, refundNonce: 0n }
  /** Executes the call of Multicall3. */
  const read = vi.fn(async (data: Hex) => {
    const { args } = decodeFunctionData({ abi: multicall, data })
    const words: Hex[] = [
      `0x${numberWord(state.balance)}${numberWord(state.totalClaimed)}`,
      `0x${numberWord(0)}${numberWord(0)}`,
      `0x${numberWord(state.refundNonce)}`,
    ]
    const results = args[1].map((_, index) => [true, words[index % words.length] ?? '0x'] as const)
    return encodeFunctionResult({ abi: multicall, result: results })
  })
  const chain: Parameters<typeof createChannelVerifier>[0]['chains'][number] = {
    network,
    requestEach: (calls) =>
      Promise.all(
        calls.map(async ({ params }) => ({ result: await read((params as [{ data: Hex }])[0].data) })),
      ),
  }
  return { chain, state, read }
}

function open(stateTtlMs: number) {
  const { chain, state, read } = createStubChain()
  const verifier = createChannelVerifier({
    chains: [chain],
    allowedAssets: new Set([assetKey(network, asset)]),
    transfers: { verify: () => Promise.reject(new Error('No deposit is verified here')) },
    stateTtlMs,
    now: Date.now,
    report() {},
  })
  async function signVoucher(maximum: bigint, salt = 1): Promise<Voucher> {
    const address = key.address.toLowerCase()
    const config: ChannelConfig = {
      payer: address,
      payerAuthorizer: address,
      receiver: `0x${'2e'.repeat(20)}`,
      receiverAuthorizer: `0x${'3e'.repeat(20)}`,
      token: asset,
      withdrawDelay: 900,
      salt: `0x${numberWord(salt)}`,
    }
    const channelId = computeChannelId(config, chainId)
    const signature = await key.sign({ hash: computeVoucherDigest(channelId, maximum, chainId) })
    return { config, channelId, maximum, signature }
  }
  const verifyAction = (details: ChannelAction) =>
    verifier.verify(somePayment({ scheme: channelOperation, details }))
  /** Verifies a voucher of a channel. */
  const verify = async (maximum: bigint, salt?: number) =>
    verifyAction({ kind: 'voucher', refunds: false, voucher: await signVoucher(maximum, salt) })
  /** Verifies the first refund of a channel. */
  const verifyRefund = async () =>
    verifyAction({
      kind: 'refund',
      voucher: await signVoucher(10n),
      amount: 1n,
      refundNonce: 0n,
      signature: '0x',
      signed: undefined,
    })
  return { state, read, verify, verifyRefund }
}

it('the state that was read for a voucher accepts the next one of the channel, so that the chain is not read for each', async () => {
  const { read, verify } = open(HOUR_MS)
  const accepted = { isValid: true, extra: { balance: '100', totalClaimed: '0' } }
  expect(await verify(10n)).toMatchObject(accepted)
  read.mockRejectedValue(new Error('The node does not respond'))
  expect(await verify(20n)).toMatchObject(accepted)
  expect(read).toHaveBeenCalledTimes(1)
})

it('the state that was read for a voucher is read once for vouchers that arrive together', async () => {
  const { read, verify } = open(HOUR_MS)
  await Promise.all([verify(10n), verify(20n), verify(30n)])
  expect(read).toHaveBeenCalledTimes(1)
  const [[data]] = read.mock.calls as [[Hex]]
  // Three views of one channel.
  expect(decodeFunctionData({ abi: multicall, data }).args[1]).toHaveLength(3)
})

it('the state that was read for a voucher accepts no voucher of another channel', async () => {
  const { state, verify } = open(HOUR_MS)
  await verify(10n, 1)
  state.balance = 0n
  expect(await verify(10n, 2)).toMatchObject({ invalidReason: channelReasons.channelNotFound })
})

it('the state that was read for a voucher accepts no refund, which the newest state decides', async () => {
  const { state, verify, verifyRefund } = open(HOUR_MS)
  await verify(10n)
  expect(await verifyRefund()).toMatchObject({ isValid: true })
  state.refundNonce = 1n
  expect(await verifyRefund()).toMatchObject({ invalidReason: channelReasons.refundNonceMismatch })
})

it('the state that was read for a voucher refuses nothing: a deposit that was mined since then counts', async () => {
  const { state, verify } = open(HOUR_MS)
  expect(await verify(101n)).toMatchObject({ invalidReason: channelReasons.exceedsBalance })
  state.balance = 200n
  expect(await verify(101n)).toMatchObject({ isValid: true, extra: { balance: '200' } })
})

it('the state that was read for a voucher is not read twice for a voucher that it refuses', async () => {
  const { read, verify } = open(HOUR_MS)
  expect(await verify(101n)).toMatchObject({ invalidReason: channelReasons.exceedsBalance })
  expect(read).toHaveBeenCalledTimes(1)
})

it('the state that was read for a voucher refuses nothing when the chain cannot be read', async () => {
  const { read, verify } = open(HOUR_MS)
  await verify(10n)
  read.mockRejectedValue(new Error('The node does not respond'))
  expect(await verify(101n)).toMatchObject({ invalidReason: reasons.verifyError })
})

it('the state that was read for a voucher is read again after its time', async () => {
  const { state, verify } = open(0)
  await verify(10n)
  state.totalClaimed = 50n
  expect(await verify(20n)).toMatchObject({ invalidReason: channelReasons.belowClaimed })
})
