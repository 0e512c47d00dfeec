import { parseEther } from 'viem'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createMissedTransactionCheck } from './missed-transactions.ts'
import { startDevChain } from './start.ts'
import { testChain } from './testing.ts'

const chain = await testChain()
const { client } = chain

/** A node that says it mines by itself, and does not: what anvil does to a transaction that it misses. */
const missing = {
  getAutomine: async () => true,
  getBlockNumber: () => client.getBlockNumber(),
  getTxpoolStatus: () => client.getTxpoolStatus(),
  mine: (blocks: { blocks: number }) => client.mine(blocks),
}

/** Sends a transaction that stays in the pool until `run` has ended. */
async function whileOneWaits(run: () => Promise<void>): Promise<void> {
  await client.setAutomine(false)
  const hash = await chain.as(3).sendTransaction({ to: `0x${'22'.repeat(20)}`, value: parseEther('1') })
  await run()
  await client.setAutomine(true)
  await client.mine({ blocks: 1 })
  await client.waitForTransactionReceipt({ hash })
}

const countPending = async () => (await client.getTxpoolStatus()).pending

it('a transaction that anvil has missed is mined at the second check', async () => {
  await whileOneWaits(async () => {
    const check = createMissedTransactionCheck(missing)
    await check()
    expect(await countPending()).toBe(1)
    await check()
    expect(await countPending()).toBe(0)
  })
})

it('a transaction that anvil has missed gets one block, because what stays in the pool after it has too low a fee', async () => {
  await whileOneWaits(async () => {
    let mined = 0
    const mine = async () => void mined++
    const check = createMissedTransactionCheck({ ...missing, mine })
    for (let checks = 0; checks < 4; checks += 1) await check()
    expect(mined).toBe(1)
  })
})

it('a transaction that anvil has missed is not one that waits while blocks are mined by hand', async () => {
  await whileOneWaits(async () => {
    const check = createMissedTransactionCheck(client)
    await check()
    await check()
    expect(await countPending()).toBe(1)
  })
})

it('a transaction that anvil has missed is not one for which a block was added since the last check', async () => {
  await whileOneWaits(async () => {
    let block = 0n
    const adding = { ...missing, getBlockNumber: async () => block++ }
    const check = createMissedTransactionCheck(adding)
    await check()
    await check()
    expect(await countPending()).toBe(1)
  })
})

it('the search for missed transactions ends with the chain, also while it waits for a response', async () => {
  const { fetch } = globalThis
  const searching = Promise.withResolvers<AbortSignal>()
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { signal } = init
    const isSearching = !url.startsWith(chain.rpcUrl) && String(init.body).includes('anvil_getAutomine')
    if (!isSearching || !signal) return await fetch(url, init)
    searching.resolve(signal)
    return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const ending = await startDevChain({ port: 0, blockTime: 0 })
  const signal = await searching.promise
  await ending.stop()
  expect(signal.aborted).toBe(true)
})
