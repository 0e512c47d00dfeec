import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { createFaults, readFaultSeeds, startFaultyNode } from '@mintmark/devkit/testing'
import { afterAll, expect, test, vi } from 'vitest'
import { hex, signedBody } from '../engine/testing.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { settlePrice, testFacilitator } from '../testing.ts'

const PAYMENTS = 6
const ATTEMPTS = 4
const FAULT_RATES = {
  lag: 0.25,
  delay: 0.05,
  dropRequest: 0.02,
  dropResponse: 0.04,
  truncate: 0.02,
  rateLimitError: 0.01,
  capRange: 0.1,
  revert: 0.02,
}

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const facilitator = await testFacilitator({
  chain: { rpcUrl: node.url, treasury: chain.treasury },
  signerKeys: [devAccount(9).privateKey],
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

const token = { address: chain.token, abi: devUsdcAbi } as const
const isUsed = (nonce: string) =>
  chain.client.readContract({
    ...token,
    functionName: 'authorizationState',
    args: [devAccount(1).address, hex(nonce)],
  })

/** Repeats a settle as a client does, until it succeeds or is refused for good. */
async function settle(body: object, token: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { status } = await facilitator.post('/settle', body, token)
    if (status === 200) return
    await letTimePass(facilitator.db)
  }
}

// FAULT_SEEDS=1-50 runs other seeds.
test.each(readFaultSeeds([1]))(
  'no settlement is lost or doubled while nodes lag, drop and truncate responses, seed %i',
  async (seed) => {
    const account = await facilitator.account()
    const bodies = await Promise.all(
      Array.from({ length: PAYMENTS }, () => signedBody({ account: devAccount(1) })),
    )
    node.faults = createFaults({ seed, rates: FAULT_RATES })
    for (const body of bodies) {
      await settle(body, account.token)
      await chain.client.mine({ blocks: 1 })
    }
    node.faults = undefined

    const listOwn = async () =>
      (await facilitator.settlements()).filter(({ account_id }) => account_id === account.id)
    await vi.waitFor(
      async () => {
        await chain.client.mine({ blocks: 1 })
        await letTimePass(facilitator.db)
        const open = (await listOwn()).filter(
          ({ state, final_at }) => !['failed', 'not_sent'].includes(state) && final_at === null,
        )
        expect(open).toEqual([])
      },
      { timeout: 60_000, interval: 200 },
    )
    const settlements = await listOwn()
    for (const { nonce, state } of settlements) expect(await isUsed(nonce)).toBe(state === 'settled')
    const captured = settlements.filter(({ hold }) => hold === 'captured')
    expect(captured.length).toBeGreaterThan(0)
    expect(await facilitator.available(account)).toBe(settlePrice * BigInt(100 - captured.length))
    const settled = new Set(settlements.filter(({ state }) => state === 'settled').map(({ nonce }) => nonce))
    for (const { paymentPayload } of bodies) {
      const { nonce } = paymentPayload.payload.authorization
      expect(await isUsed(nonce)).toBe(settled.has(nonce.toLowerCase()))
    }
    expect((await checkLedger(facilitator.db)).problems).toEqual([])
  },
)
