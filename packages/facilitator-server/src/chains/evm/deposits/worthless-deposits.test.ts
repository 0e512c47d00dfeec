import { treasuryAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { openDatabase } from '@mintmark/server-kit'
import { pad } from 'viem'
import { afterAll, afterEach, expect, it } from 'vitest'
import type { Tables } from '../../../database/tables.ts'
import { createFacilitatorDatabase } from '../../../testing-database.ts'
import { createDepositWatch } from './deposit-watch.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const { url, drop } = await createFacilitatorDatabase()
const database = openDatabase<Tables>({ url })
const [chain] = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 1 } }]).all
if (chain === undefined) throw new Error('No chain was opened')

afterEach(() => {
  node.interfere = () => undefined
})
afterAll(async () => {
  await database.close()
  await drop()
  node.close()
})

it.each([
  ['of amount 0', pad('0x0')],
  ['without data', '0x'],
  ['with more data than an amount', `0x${'11'.repeat(64)}`],
])('credits the deposits before and after a deposit %s, and logs that it was skipped', async (_, data) => {
  const credited: bigint[] = []
  const warnings: string[] = []
  const fromBlock = (await devChain.client.getBlockNumber()) + 1n
  for (const value of [1_000n, 7n, 2_000n]) {
    await devChain.confirm(
      devChain.as(1).writeContract({
        address: devChain.treasury,
        abi: treasuryAbi,
        functionName: 'depositFor',
        args: [devChain.as(2).account.address],
        value,
      }),
    )
  }
  await devChain.client.mine({ blocks: 2 })
  const logs = await chain.client.request({
    method: 'eth_getLogs',
    params: [{ address: devChain.treasury, fromBlock: `0x${fromBlock.toString(16)}`, toBlock: 'latest' }],
  })
  const changed = logs.find((log) => BigInt(log.data) === 7n)
  if (changed === undefined) throw new Error('The second deposit has no log')
  const inBlock = (hash: unknown) => logs.filter((log) => log.blockHash === hash)
  node.interfere = (method, params) => {
    if (method !== 'eth_getLogs' || !Array.isArray(params)) return undefined
    const filter = params[0] as { blockHash?: string }
    const found = filter.blockHash === undefined ? logs : inBlock(filter.blockHash)
    return { result: found.map((log) => (log === changed ? { ...log, data } : log)) }
  }
  const watch = createDepositWatch({
    db: database.system,
    chain,
    treasury: devChain.treasury,
    fromBlock,
    credit: async ({ amount }) => {
      credited.push(amount)
    },
    reverse: async () => {},
    log: { warn: (_, message) => warnings.push(message), error: () => {} },
  })
  await watch.poll()
  expect(credited).toEqual([1_000n, 2_000n])
  expect(warnings).toEqual(['A deposit without an amount was skipped'])
})
