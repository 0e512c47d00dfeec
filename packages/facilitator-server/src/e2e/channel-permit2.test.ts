// Deposits into payment channels by Permit2. Sellers and payers are the npm packages of x402, or sign as they
// do.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { batchSettlementAbi, devUsdcAbi, permit2Abi } from '@mintmark/devkit/chain/artifacts/abi'
import { batchSettlementAddress, permit2Address } from '@mintmark/devkit/chain/chain'
import { openChains } from '@mintmark/evm-reader'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { type RoutesConfig, x402ResourceServer } from '@x402/core/server'
import { BatchSettlementEvmScheme as PayerScheme } from '@x402/evm/batch-settlement/client'
import { BatchSettlementEvmScheme as SellerScheme } from '@x402/evm/batch-settlement/server'
import { paymentMiddleware } from '@x402/express'
import { declareEip2612GasSponsoringExtension } from '@x402/extensions'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import express from 'express'
import { createWalletClient, encodeAbiParameters, encodeFunctionData, type Hex, http } from 'viem'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { allowAssets } from '../chains/evm/settings/allowed-assets.ts'
import { DEFAULT_REVERT_LIMITS } from '../engine/settings/engine-options.ts'
import { listReverts } from '../ledger/settlements/reverts.ts'
import { listSignerPayments } from '../operations/signer-payments.ts'
import type { TestAccount } from '../testing.ts'
import { openChannelFixture } from './testing-channel-fixture.ts'
import {
  approvePermit2,
  type callsOf,
  claimBody,
  fund,
  NETWORK,
  newAccount,
  openChannel,
  permit2DepositBody,
  settleBody,
  signerOf,
  type TestChannel,
  voucherBody,
} from './testing-channels.ts'
import { openFacilitatorClient, type ServedSeller, serveSeller } from './testing-sellers.ts'

const fixture = await openChannelFixture()
const { chain, node, facilitator, settlementsOf, readChannel, balanceOf } = fixture
const { countCharges, settleReason, settleWithoutBroadcast, waitUntilEnded } = fixture
let account: TestAccount
let calls: ReturnType<typeof callsOf>
beforeEach(() => {
  account = fixture.account
  calls = fixture.calls
})
const sellers: ServedSeller[] = []
afterAll(() => {
  for (const seller of sellers) seller.stop()
})

const REASON = 'invalid_batch_settlement_evm_'

/** Opens a channel whose payer has approved Permit2. */
async function openApproved(given?: Parameters<typeof openChannel>[1]): Promise<TestChannel> {
  const channel = await openChannel(chain, given)
  await approvePermit2(chain, channel.payer)
  return channel
}

/** Opens a stock seller that takes deposits by Permit2, with a wallet of its own. */
async function openSeller(extensions?: Record<string, unknown>) {
  const receiver = newAccount().address
  const client = openFacilitatorClient(`${facilitator.url}/x402`, account.token)
  const scheme = new SellerScheme(receiver, { receiverAuthorizerSigner: newAccount() })
  const extra = { name: 'USDC', version: '2', assetTransferMethod: 'permit2' }
  const price = { amount: '10000', asset: chain.token, extra }
  const routes: RoutesConfig = {
    '/report': {
      accepts: { scheme: 'batch-settlement', price, network: NETWORK, payTo: receiver },
      ...(extensions && { extensions }),
    },
  }
  const app = express()
  app.use(paymentMiddleware(routes, new x402ResourceServer(client).register(NETWORK, scheme)))
  app.get('/report', (_, response) => void response.send('the report'))
  const served = await serveSeller(app)
  sellers.push(served)
  const manager = scheme.createChannelManager(client, NETWORK, chain.token)
  return { url: `${served.url}/report`, receiver, manager }
}

/** Creates a stock payer with the token. */
async function openPayer() {
  const payer = newAccount()
  await fund(chain, payer.address, 1_000_000n)
  const scheme = new PayerScheme(signerOf(chain, payer) as never)
  const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', scheme))
  return { payer, pay }
}

const readReason = (response: Response): string | undefined => {
  const settled = response.headers.get('payment-response')
  if (settled !== null) return decodePaymentResponseHeader(settled).errorReason
  return decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '').error
}

it('a stock seller that takes deposits by Permit2 refuses a payer who has not approved Permit2, and is paid by a deposit and vouchers afterwards', async () => {
  const seller = await openSeller()
  const { payer, pay } = await openPayer()
  const refused = await pay(seller.url)
  expect([refused.status, readReason(refused)]).toEqual([402, `${REASON}permit2_allowance_required`])
  expect(await countCharges()).toBe(0n)
  await approvePermit2(chain, payer)
  for (let request = 0; request < 3; request += 1) {
    const response = await pay(seller.url)
    expect(readReason(response)).toBeUndefined()
    expect(await response.text()).toBe('the report')
  }
  expect(await balanceOf(payer.address)).toBe(900_000n)
  expect(await countCharges()).toBe(1n)
  await seller.manager.claim()
  await seller.manager.settle()
  expect(await balanceOf(seller.receiver)).toBe(30_000n)
  expect(await settlementsOf(account)).toMatchObject([
    {
      scheme: 'batch-settlement',
      state: 'settled',
      amount: '100000',
      domain: permit2Address.toLowerCase(),
    },
    { state: 'settled', amount: '0' },
    { state: 'settled', amount: '0' },
  ])
})

it('a stock seller that takes deposits by Permit2 has the signed approval of a payer executed with the deposit (EIP-2612)', async () => {
  const seller = await openSeller(declareEip2612GasSponsoringExtension())
  const { payer, pay } = await openPayer()
  const response = await pay(seller.url)
  expect([readReason(response), response.status]).toEqual([undefined, 200])
  expect(await balanceOf(payer.address)).toBe(900_000n)
  const allowance = await chain.client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'allowance',
    args: [payer.address, permit2Address],
  })
  expect(allowance).toBe(0n)
  expect(await countCharges()).toBe(1n)
})

it('a deposit by Permit2 is verified with the state before it, and settles once with the state after it', async () => {
  const channel = await openApproved()
  const body = await permit2DepositBody(chain, channel)
  expect(await calls.verify(body)).toMatchObject({ isValid: true, extra: { balance: '0' } })
  const responses = await Promise.all([calls.settle(body), calls.settle(body)])
  expect(responses.filter(({ success }) => success)).toMatchObject([
    { amount: '100000', extra: { channelState: { channelId: channel.channelId, balance: '100000' } } },
  ])
  expect(await settleReason(body)).toBe('duplicate_settlement')
  expect(await readChannel(channel)).toEqual([100_000n, 0n])
  expect(await countCharges()).toBe(1n)
  expect(await calls.verify(await voucherBody(chain, channel, 20_000n))).toMatchObject({ isValid: true })
})

it.each<[string, (channel: TestChannel) => Parameters<typeof permit2DepositBody>[2], string]>([
  ['another amount', () => ({ signed: { amount: 99_999n } }), `${REASON}permit2_amount_mismatch`],
  ['another token', () => ({ signed: { token: batchSettlementAddress } }), `${REASON}token_mismatch`],
  ['another spender', () => ({ signed: { spender: permit2Address } }), `${REASON}permit2_invalid_spender`],
  [
    'another channel',
    () => ({ signed: { channelId: `0x${'1'.repeat(64)}` } }),
    `${REASON}channel_id_mismatch`,
  ],
  [
    'an expired deadline',
    () => ({ signed: { deadline: 1_700_000_000n } }),
    `${REASON}permit2_deadline_expired`,
  ],
  ['another key', () => ({ signer: newAccount() }), `${REASON}permit2_invalid_signature`],
  ['more than the payer has', () => ({ amount: 20_000_000n }), 'insufficient_funds'],
  ['less than its voucher', () => ({ amount: 100n, maximum: 101n }), `${REASON}cumulative_exceeds_balance`],
])('a deposit by Permit2 is refused with %s', async (_, change, reason) => {
  const channel = await openApproved()
  const body = await permit2DepositBody(chain, channel, change(channel))
  expect(await calls.verify(body)).toMatchObject({ isValid: false, invalidReason: reason })
  expect(await settleReason(body)).toBe(reason)
  expect(await readChannel(channel)).toEqual([0n, 0n])
  expect(await settlementsOf(account)).toEqual([])
})

it('a deposit by Permit2 is refused if its payload has the method that the seller does not accept', async () => {
  const channel = await openApproved()
  const { paymentPayload, paymentRequirements } = await permit2DepositBody(chain, channel)
  const requireMethod = (assetTransferMethod: string, payload: object) => {
    const required = {
      ...paymentRequirements,
      extra: { ...paymentRequirements.extra, assetTransferMethod },
    }
    return {
      x402Version: 2,
      paymentPayload: { ...paymentPayload, accepted: required, payload },
      paymentRequirements: required,
    }
  }
  const { payload } = paymentPayload
  expect(await settleReason(requireMethod('eip3009', payload))).toBe(
    `${REASON}erc3009_authorization_required`,
  )
  const without = { ...payload, deposit: { amount: '100000', authorization: {} } }
  expect(await settleReason(requireMethod('permit2', without))).toBe(`${REASON}payload_type`)
})

it('a deposit by Permit2 is refused if the payer has cancelled its nonce, or changes its signed terms', async () => {
  const channel = await openApproved()
  const body = await permit2DepositBody(chain, channel, { nonce: 5n })
  const wallet = createWalletClient({ account: channel.payer, transport: http(chain.rpcUrl) })
  await chain.confirm(
    wallet.writeContract({
      chain: null,
      address: permit2Address,
      abi: permit2Abi,
      functionName: 'invalidateUnorderedNonces',
      args: [0n, 1n << 5n],
    }),
  )
  expect(await settleReason(body)).toBe('permit2_invalid_nonce')
  const other = await openChannel(chain, { payer: channel.payer, authorizer: channel.authorizer })
  const moved = await permit2DepositBody(chain, other, { nonce: 6n })
  const { signature } = authorizationOf(await permit2DepositBody(chain, channel, { nonce: 6n }))
  Object.assign(authorizationOf(moved), { signature })
  expect(await settleReason(moved)).toBe(`${REASON}permit2_invalid_signature`)
  expect(await countCharges()).toBe(0n)
})

it('a deposit by Permit2 of a wallet that accepts every signature is not proved by its deposit into another channel', async () => {
  const channel = await openApproved()
  const { payer, authorizer, config } = channel
  const other = await openChannel(chain, { payer, authorizer, receiver: config.receiver })
  await chain.client.setCode({ address: payer.address, bytecode: ACCEPTS_EVERY_SIGNATURE })
  const body = await permit2DepositBody(chain, channel, { nonce: 8n })
  const moved = await permit2DepositBody(chain, other, { nonce: 8n })
  const { signature, deadline } = authorizationOf(body)
  Object.assign(authorizationOf(moved), { signature, deadline })
  await settleWithoutBroadcast(body)
  node.interfere = () => undefined
  await waitUntilEnded()
  expect(await settlementsOf(account)).toMatchObject([{ state: 'settled', delivered_at: null }])
  expect(await calls.verify(moved)).toMatchObject({ isValid: false })
  expect(await calls.settle(moved)).not.toMatchObject({ success: true })
  expect(await readChannel(other)).toEqual([0n, 0n])
  expect(await calls.settle(body)).toMatchObject({ success: true })
  expect(await countCharges()).toBe(1n)
})

it('a deposit by Permit2 is found by the audit of our signers under the key of its settlement', async () => {
  const channel = await openApproved()
  await calls.settle(await permit2DepositBody(chain, channel))
  const found = await listPaymentsOf(devAccount(9).address)
  const [settlement] = await settlementsOf(account)
  const { domain, payer, nonce, transaction } = settlement ?? {}
  expect(found.at(-1)).toMatchObject({ domain, payer, nonce, transaction })
})

it('a deposit by Permit2 is found by the audit if a signer has sent it inside of another call', async () => {
  const channel = await openApproved()
  const deposit = encodeDirectDeposit(channel, await permit2DepositBody(chain, channel))
  const { transactionHash: transaction } = await chain.confirm(
    chain.as(1).writeContract({
      address: batchSettlementAddress,
      abi: batchSettlementAbi,
      functionName: 'multicall',
      args: [[deposit]],
    }),
  )
  expect((await listPaymentsOf(devAccount(1).address)).at(-1)).toMatchObject({
    domain: batchSettlementAddress.toLowerCase(),
    nonce: channel.channelId,
    transaction,
  })
})

it('a deposit by Permit2 that was signed by a process which died is sent once and charged once', async () => {
  const channel = await openApproved()
  await settleWithoutBroadcast(await permit2DepositBody(chain, channel))
  node.interfere = () => undefined
  await waitUntilEnded()
  expect(await settlementsOf(account)).toMatchObject([{ state: 'settled' }])
  expect(await readChannel(channel)).toEqual([100_000n, 0n])
  expect(await countCharges()).toBe(1n)
})

it('a deposit by Permit2 whose nonce the payer uses for another channel of the seller is not settled', async () => {
  const channel = await openApproved()
  const { payer, authorizer, config } = channel
  const other = await openChannel(chain, { payer, authorizer, receiver: config.receiver })
  await settleWithoutBroadcast(await permit2DepositBody(chain, channel, { nonce: 7n }))
  await depositDirectly(other, await permit2DepositBody(chain, other, { nonce: 7n }))
  await waitUntilEnded()
  expect(await settlementsOf(account)).toMatchObject([{ state: 'failed' }])
  expect([await readChannel(channel), await readChannel(other)]).toEqual([
    [0n, 0n],
    [100_000n, 0n],
  ])
})

it('a deposit by Permit2 that another party has sent first is in the channel, although its settle fails and is charged for the revert', async () => {
  const channel = await openApproved()
  const body = await permit2DepositBody(chain, channel)
  await settleWithoutBroadcast(body)
  await depositDirectly(channel, body)
  await waitUntilEnded()
  expect(await settlementsOf(account)).toMatchObject([{ state: 'failed', hold: 'captured' }])
  expect(await countCharges()).toBe(1n)
  expect(await listReverts(facilitator.db, DEFAULT_REVERT_LIMITS)).toContainEqual({
    kind: 'payer',
    subject: channel.payer.address.toLowerCase(),
    reverts: 1,
    refused: false,
  })
  expect(await calls.verify(await voucherBody(chain, channel, 20_000n))).toMatchObject({ isValid: true })
  expect(await calls.settle(await claimBody(chain, [{ channel, total: 20_000n }]))).toMatchObject({
    success: true,
  })
  expect(await calls.settle(settleBody(channel))).toMatchObject({ success: true, amount: '20000' })
})

/** A contract that returns the magic value of ERC-1271 to every call. */
const ACCEPTS_EVERY_SIGNATURE = '0x631626ba7e60e01b60005260206000f3'

type DepositBody = Awaited<ReturnType<typeof permit2DepositBody>>
const authorizationOf = ({ paymentPayload }: DepositBody) =>
  (
    paymentPayload.payload as {
      deposit: {
        authorization: { permit2Authorization: { nonce: string; deadline: string; signature: Hex } }
      }
    }
  ).deposit.authorization.permit2Authorization

/** Lists the payments that a signer has made. */
async function listPaymentsOf(signer: Hex): Promise<object[]> {
  const [opened] = openChains([{ id: 84532, rpcUrls: [chain.rpcUrl], finality: { depth: 3 } }]).all
  if (opened === undefined) throw new Error('No chain was opened')
  const filter = { signers: [signer], assets: allowAssets() }
  const found: object[] = []
  for await (const payment of listSignerPayments(opened, filter, 0n)) found.push(payment)
  return found
}

/** Encodes a deposit of 100,000. */
function encodeDirectDeposit({ config }: TestChannel, body: DepositBody): Hex {
  const { nonce, deadline, signature } = authorizationOf(body)
  const data = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }, { type: 'bytes' }],
    [BigInt(nonce), BigInt(deadline), signature, '0x'],
  )
  return encodeFunctionData({
    abi: batchSettlementAbi,
    functionName: 'deposit',
    args: [config, 100_000n, '0x4020425FAf3B746C082C2f942b4E5159887B0005', data],
  })
}

/** Sends a deposit of 100,000 without the facilitator, and lets the node accept transactions. */
async function depositDirectly(channel: TestChannel, body: DepositBody): Promise<void> {
  const data = encodeDirectDeposit(channel, body)
  await chain.confirm(chain.as(1).sendTransaction({ to: batchSettlementAddress, data }))
  node.interfere = () => undefined
}
