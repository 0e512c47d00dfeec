import { devAccount } from '@mintmark/devkit/chain/accounts'
import { batchSettlementAbi, devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { batchSettlementAddress } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { letTimePass } from '../engine/testing-engine.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { startFacilitator } from '../server.ts'
import { settlePrice, type TestAccount, type TestFacilitator, testFacilitator } from '../testing.ts'
import { testConfiguration } from '../testing-configuration.ts'
import { callsOf, depositBody, openChannel, type TestChannel } from './testing-channels.ts'

/** The settles that each account can pay for. */
const SETTLES = 1000

/** Waits until a condition holds. */
export async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50))
}

/**
 * Starts a facilitator behind a node that can lag, for the tests of one file about channels. Each test has an
 * account of its own, and the ledger is checked after it.
 */
export async function openChannelFixture() {
  const chain = await testChain()
  const node = await startFaultyNode(chain.rpcUrl)
  const facilitator = await testFacilitator({
    chain: { rpcUrl: node.url, treasury: chain.treasury },
    signerKeys: [devAccount(9).privateKey],
  })
  let account: TestAccount
  let calls: ReturnType<typeof callsOf>
  beforeEach(async () => {
    account = await facilitator.account({ settles: SETTLES })
    calls = callsOf(facilitator, account)
  })
  afterEach(async () => {
    node.catchUp()
    node.lags = () => true
    expect((await checkLedger(facilitator.db)).problems).toEqual([])
  })
  afterAll(async () => {
    await facilitator.close()
    node.close()
  })
  return {
    chain,
    node,
    facilitator,
    /** The account of the present test. */
    get account() {
      return account
    },
    get calls() {
      return calls
    },
    countCharges: async () => BigInt(SETTLES) - (await facilitator.available(account)) / settlePrice,
    settlementsOf: async ({ id }: TestAccount) =>
      (await facilitator.settlements()).filter(({ account_id }) => account_id === id),
    readChannel: ({ channelId }: TestChannel) =>
      chain.client.readContract({
        address: batchSettlementAddress,
        abi: batchSettlementAbi,
        functionName: 'channels',
        args: [channelId],
      }),
    balanceOf: (wallet: Hex) =>
      chain.client.readContract({
        address: chain.token,
        abi: devUsdcAbi,
        functionName: 'balanceOf',
        args: [wallet],
      }),
    /** Waits until all settlements of an account have ended, and all transactions are recorded as mined. */
    async waitUntilEnded(of: TestAccount = account): Promise<void> {
      await waitFor(async () => {
        await chain.client.mine({ blocks: 1 })
        await letTimePass(facilitator.db)
        await facilitator.runJobs()
        const settlements = (await facilitator.settlements()).filter(({ account_id }) => account_id === of.id)
        const isOpen = settlements.some(({ state }) => state === 'sent' || state === 'unknown')
        return !isOpen && !(await hasUnmined(facilitator.db))
      })
    },
    settleReason: async (body: object) => (await calls.settle(body)).errorReason,
    /** Opens a channel with a settled deposit of 100,000. */
    async openFunded(given?: Parameters<typeof openChannel>[1]): Promise<TestChannel> {
      const channel = await openChannel(chain, given)
      expect(await calls.settle(await depositBody(chain, channel))).toMatchObject({ success: true })
      return channel
    },
    /**
     * Settles with a facilitator that signs a transaction which does not reach the node. A later job sends
     * it. On a busy machine the settle may end before it signs. Then it is repeated.
     */
    async settleWithoutBroadcast(body: object, by: TestAccount = account): Promise<void> {
      const env = { ...facilitator.env, UPSTREAM_TIMEOUT_MS: '500' }
      const dying = await startFacilitator(readEnvironment(env), createLog('facilitator', 'silent'), {
        configuration: testConfiguration,
      })
      let isSigned = false
      node.interfere = (method) => {
        if (method !== 'eth_sendRawTransaction') return undefined
        isSigned = true
        return 'hang up'
      }
      try {
        for (;;) {
          const { errorReason } = await callsOf(facilitator, by, dying.url).settle(body)
          if (isSigned) return expect(errorReason).toBe('settlement_pending')
          await letTimePass(facilitator.db)
          await facilitator.runJobs()
        }
      } finally {
        await dying.close()
      }
    },
  }
}

/**
 * Whether a transaction is not known to be mined. A settlement can end before that, because reconciliation
 * reads the chain itself.
 */
async function hasUnmined(db: TestFacilitator['db']): Promise<boolean> {
  const { rows } = await sql`select id from facilitator.transactions where state = 'sent' limit 1`.execute(db)
  return rows.length > 0
}
