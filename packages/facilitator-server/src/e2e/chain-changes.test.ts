import { once } from 'node:events'
import { createServer } from 'node:http'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { signCancellation } from '@mintmark/devkit/chain/authorization'
import { testChain } from '@mintmark/devkit/chain/testing'
import { afterAll, expect, test } from 'vitest'
import { hex, signedBody } from '../engine/testing.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { toTransferArguments } from '../engine/testing-execution.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { settlePrice, type TestAccount, type TestFacilitator, testFacilitator } from '../testing.ts'

const chain = await testChain()
const payer = devAccount(1)
const relayer = chain.as(7)
const token = { address: chain.token, abi: devUsdcAbi } as const
type Body = Awaited<ReturnType<typeof signedBody>>

/** An upstream that never responds, so that the chain decides about a payment. */
const silent = createServer(() => {})
silent.listen(0, '127.0.0.1')
await once(silent, 'listening')
const address = silent.address()
if (address === null || typeof address === 'string') throw new Error('the upstream has no port')

const settling = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
const waiting = await testFacilitator({
  chain,
  env: { UPSTREAM_FACILITATOR_URL: `http://127.0.0.1:${address.port}`, UPSTREAM_TIMEOUT_MS: '200' },
})
afterAll(async () => {
  await settling.close()
  await waiting.close()
  silent.closeAllConnections()
  silent.close()
})

const balanceOf = (wallet: string) =>
  chain.client.readContract({ ...token, functionName: 'balanceOf', args: [hex(wallet)] })
let sellers = 0
const newSeller = () => `0x${(++sellers).toString(16).padStart(40, 'd')}`

/** Waits until the server's reconciliation has changed the account's only settlement as expected. */
async function settlementOf(
  facilitator: TestFacilitator,
  account: TestAccount,
  fits: (settlement: Awaited<ReturnType<TestFacilitator['settlements']>>[number]) => boolean,
) {
  for (;;) {
    const [found] = (await facilitator.settlements()).filter(({ account_id }) => account_id === account.id)
    if (found !== undefined && fits(found)) return found
    await letTimePass(facilitator.db)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
const toEvents = async (facilitator: TestFacilitator, id: number) =>
  (
    await facilitator.db
      .selectFrom('facilitator.events')
      .select('type')
      .where('subject', '=', `settlement:${id}`)
      .orderBy('sequence')
      .execute()
  ).map(({ type }) => type)

test('broadcasts again a settled payment that a reorganization removed, and charges it once', async () => {
  const account = await settling.account()
  const to = newSeller()
  await chain.client.mine({ blocks: 1 })
  const before = await chain.client.snapshot()
  const body = await signedBody({ account: payer, to })
  expect((await settling.post('/settle', body, account.token)).status).toBe(200)
  const located = await settlementOf(settling, account, ({ block_hash }) => block_hash !== null)
  expect(located).toMatchObject({ state: 'settled', final_at: null })

  await chain.client.revert({ id: before })
  expect(await balanceOf(to)).toBe(0n)
  // Blocks are mined only on request, so that the loss is visible before the payment is mined again. The
  // block that replaces the first one is final.
  await chain.client.setAutomine(false)
  await chain.client.mine({ blocks: 4 })
  const lost = await settlementOf(settling, account, ({ state }) => state === 'unknown')
  expect(lost).toMatchObject({ hold: 'captured', reason: 'lost_in_reorganization' })
  expect(await settling.available(account)).toBe(99n * settlePrice)
  await chain.client.setAutomine(true)
  const again = await settlementOf(
    settling,
    account,
    ({ state, block_hash }) => state === 'settled' && block_hash !== null,
  )
  expect(again).toMatchObject({ hold: 'captured', transaction: located.transaction, reconciled: true })
  expect(await toEvents(settling, again.id)).toEqual([
    'settlement.settled',
    'settlement.unknown',
    'settlement.settled',
    'settlement.reconciled',
  ])
  expect(await balanceOf(to)).toBe(10_000n)
  expect(await settling.available(account)).toBe(99n * settlePrice)
  // It was delivered before.
  expect((await settling.post('/settle', body, account.token)).status).toBe(400)
  await chain.client.mine({ blocks: 4 })
  await settlementOf(settling, account, ({ final_at }) => final_at !== null)
  expect((await checkLedger(settling.db)).problems).toEqual([])
})

test('a payment whose payer cancels the authorization fails without a charge once the cancellation is final', async () => {
  const account = await waiting.account()
  const body = await signedBody({ account: payer })
  const { nonce } = body.paymentPayload.payload.authorization
  expect((await waiting.post('/settle', body, account.token)).status).toBe(503)
  await mined(
    relayer.writeContract({
      ...token,
      functionName: 'cancelAuthorization',
      args: [payer.address, hex(nonce), await signCancellation(payer, payer.address, hex(nonce))],
    }),
  )
  await endsUncharged(account, body)
})

test('a payment whose nonce another authorization uses fails without a charge once that use is final', async () => {
  const account = await waiting.account()
  const body = await signedBody({ account: payer })
  const { nonce } = body.paymentPayload.payload.authorization
  expect((await waiting.post('/settle', body, account.token)).status).toBe(503)
  const other = await signedBody({ account: payer, to: newSeller(), value: 1n, nonce })
  await mined(submit(other))
  await endsUncharged(account, body)
})

test('a payment executed by a foreign transaction settles and is charged once', async () => {
  const account = await waiting.account()
  const to = newSeller()
  const body = await signedBody({ account: payer, to })
  expect((await waiting.post('/settle', body, account.token)).status).toBe(503)
  const hash = await mined(submit(body))
  const found = await settlementOf(waiting, account, ({ state }) => state === 'settled')
  expect(found).toMatchObject({ transaction: hash, hold: 'captured' })
  expect(await waiting.available(account)).toBe(99n * settlePrice)
})

async function mined(sent: Promise<`0x${string}`>): Promise<string> {
  const hash = await sent
  const { status } = await chain.client.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
  return hash
}

function submit(body: Body): Promise<`0x${string}`> {
  return relayer.writeContract({
    ...token,
    functionName: 'transferWithAuthorization',
    args: toTransferArguments(body),
  })
}

async function endsUncharged(account: TestAccount, body: Body): Promise<void> {
  // Three blocks make it final; before, a reorganization could still make it a payment.
  const early = await settlementOf(waiting, account, ({ check_count }) => check_count > 1)
  expect(early).toMatchObject({ state: 'unknown', hold: 'held' })
  await chain.client.mine({ blocks: 4 })
  const ended = await settlementOf(waiting, account, ({ state }) => state !== 'unknown')
  expect(ended).toMatchObject({ state: 'failed', hold: 'released' })
  expect(await waiting.available(account)).toBe(100n * settlePrice)
  const again = await waiting.post('/settle', body, account.token)
  expect(again.status).toBe(400)
  expect(await again.json()).toMatchObject({ error: expect.stringContaining('nonce') })
  expect((await checkLedger(waiting.db)).problems).toEqual([])
}
