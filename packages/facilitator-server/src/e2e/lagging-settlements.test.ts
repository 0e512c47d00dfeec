import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { signedBody } from '../engine/testing.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const facilitator = await testFacilitator({
  chain: { rpcUrl: node.url, treasury: chain.treasury },
  signerKeys: [devAccount(9).privateKey],
})
const { db } = facilitator
afterEach(async () => {
  node.catchUp()
  node.lags = () => true
  expect((await checkLedger(db)).problems).toEqual([])
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

type Settlement = Awaited<ReturnType<typeof facilitator.settlements>>[number]

/** Makes the account's settlement due repeatedly until it has the expected state. */
const waitForSettlement = (account: TestAccount, fits: (settlement: Settlement) => boolean) =>
  vi.waitFor(
    async () => {
      const [found] = (await facilitator.settlements()).filter(({ account_id }) => account_id === account.id)
      await letTimePass(db)
      expect(found === undefined ? undefined : fits(found)).toBe(true)
      return found
    },
    { timeout: 20_000, interval: 100 },
  )
const toEvents = async (settlement: Settlement | undefined) =>
  (
    await db
      .selectFrom('facilitator.events')
      .select('type')
      .where('subject', '=', `settlement:${settlement?.id}`)
      .orderBy('sequence')
      .execute()
  ).map(({ type }) => type)

test.each([
  ['every request', () => true],
  ['requests for receipts', (method: string) => method === 'eth_getTransactionReceipt'],
  ['requests for blocks', (method: string) => method === 'eth_getBlockByNumber'],
  ['calls of the token', (method: string) => method === 'eth_call'],
])(
  'keeps a settled payment settled, without an event, while %s meet a node that lacks its block',
  async (_, lags) => {
    const account = await facilitator.account()
    await chain.client.mine({ blocks: 1 })
    const body = await signedBody({ account: devAccount(1) })
    expect((await facilitator.post('/settle', body, account.token)).status).toBe(200)
    const located = await waitForSettlement(account, ({ block_hash }) => block_hash !== null)
    node.lags = lags
    await node.lag(1)
    const checks = located?.check_count ?? 0
    await waitForSettlement(
      account,
      ({ state, check_count: made }) => state !== 'settled' || made > checks + 3,
    ).then((settlement) => expect(settlement).toMatchObject({ state: 'settled', hold: 'captured' }))
    node.catchUp()
    await chain.client.mine({ blocks: 4 })
    const final = await waitForSettlement(account, ({ final_at }) => final_at !== null)
    expect(final).toMatchObject({ state: 'settled', transaction: located?.transaction })
    expect(await toEvents(final)).toEqual(['settlement.settled'])
    expect(await facilitator.available(account)).toBe(99n * settlePrice)
  },
)
