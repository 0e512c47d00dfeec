import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { devAccount, devAccounts } from './accounts.ts'
import { devUsdcAbi } from './artifacts/abi.ts'
import { accountClient, anvilClient, tokenAddress } from './chain.ts'
import { tokenGrant } from './plant.ts'
import { type DevChain, type DevChainOptions, startDevChain } from './start.ts'

let dataDir: string
const running: DevChain[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'devchain-'))
})

afterEach(async () => {
  for (const chain of running.splice(0)) await chain.stop()
  await rm(dataDir, { recursive: true })
})

async function start(options: Partial<DevChainOptions> = {}) {
  const messages: string[] = []
  const chain = await startDevChain({ port: 0, log: (message) => messages.push(message), ...options })
  running.push(chain)
  return { chain, client: anvilClient(chain.rpcUrl), messages }
}

const tokensOf = (chain: DevChain, account: number) =>
  anvilClient(chain.rpcUrl).readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [devAccount(account).address],
  })

async function pay({ rpcUrl }: { rpcUrl: string }, from: number, to: number, value: bigint) {
  const client = accountClient(rpcUrl, devAccount(from))
  const hash = await client.writeContract({
    address: tokenAddress,
    abi: devUsdcAbi,
    functionName: 'transfer',
    args: [devAccount(to).address, value],
  })
  return client.waitForTransactionReceipt({ hash })
}

test('a new chain has id 84532 and ten accounts with USDC, native token and no transaction yet', async () => {
  const { chain, client } = await start()
  expect(await client.getChainId()).toBe(84532)
  expect(devAccounts).toHaveLength(10)
  for (const [index, { address }] of devAccounts.entries()) {
    expect(await tokensOf(chain, index)).toBe(tokenGrant)
    expect(await client.getBalance({ address })).toBe(10_000n * 10n ** 18n)
    expect(await client.getTransactionCount({ address })).toBe(0)
  }
})

test('mines empty blocks in intervals', async () => {
  const { client } = await start()
  const first = await client.getBlockNumber({ cacheTime: 0 })
  while ((await client.getBlockNumber({ cacheTime: 0 })) < first + 2n) await sleep(100)
})

test('a restart keeps balances, nonces, receipts and logs, and plants nothing', async () => {
  const first = await start({ dataDir })
  const receipt = await pay(first.chain, 1, 2, 250n)
  await first.chain.stop()

  const second = await start({ dataDir })
  expect(second.messages).toEqual([])
  expect(await tokensOf(second.chain, 1)).toBe(tokenGrant - 250n)
  expect(await tokensOf(second.chain, 2)).toBe(tokenGrant + 250n)
  const { client } = second
  expect(await client.getTransactionCount({ address: devAccount(1).address })).toBe(1)
  expect(await client.getBlockNumber()).toBeGreaterThanOrEqual(receipt.blockNumber)
  const { blockHash } = await client.getTransactionReceipt({ hash: receipt.transactionHash })
  expect(blockHash).toBe(receipt.blockHash)
  const [fromBlock, toBlock] = [receipt.blockNumber, receipt.blockNumber]
  expect(await client.getLogs({ address: second.chain.token, fromBlock, toBlock })).toHaveLength(1)
  expect((await pay(second.chain, 1, 2, 1n)).status).toBe('success')
})

test('has one first block after any number of restarts, also of starts that ended at once', async () => {
  const parents = new Set<string>()
  for (let run = 0; run < 6; run++) {
    const { chain, client } = await start({ dataDir })
    parents.add((await client.getBlock({ blockNumber: 0n })).hash)
    if (run === 2) await client.mine({ blocks: 1 })
    await chain.stop()
  }
  const { client } = await start({ dataDir })
  expect([...parents]).toEqual([(await client.getBlock({ blockNumber: 1n })).parentHash])
})

test('a stored chain has the present time, and a clock that was moved ahead stays there', async () => {
  const before = Math.floor(Date.now() / 1000)
  const first = await start({ dataDir })
  await first.client.mine({ blocks: 1 })
  expect(Number((await first.client.getBlock()).timestamp)).toBeGreaterThanOrEqual(before)
  await first.client.increaseTime({ seconds: 86_400 })
  await first.client.mine({ blocks: 1 })
  const { timestamp } = await first.client.getBlock()
  await first.chain.stop()

  const { client } = await start({ dataDir })
  await client.mine({ blocks: 1 })
  expect((await client.getBlock()).timestamp).toBeGreaterThanOrEqual(timestamp)
})

test('a long chain serves the states of its last hundred blocks and removes them when it stops', async () => {
  const { chain, client } = await start({ dataDir })
  // anvil writes states to disk only after about a thousand blocks.
  await client.mine({ blocks: 1_500 })
  const { blockNumber } = await pay(chain, 1, 2, 250n)
  await client.mine({ blocks: 100 })
  const before = await client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [devAccount(1).address],
    blockNumber: blockNumber - 1n,
  })
  expect(before).toBe(tokenGrant)
  expect(await readdir(join(dataDir, 'chain'))).toContain('history')

  await chain.stop()
  expect(await readdir(join(dataDir, 'chain'))).toEqual(['state.json'])
})

test('replaces a changed contract, logs it and keeps its storage', async () => {
  const first = await start({ dataDir })
  await pay(first.chain, 1, 2, 250n)
  await first.client.setCode({ address: first.chain.token, bytecode: '0x00' })
  await first.chain.stop()

  const second = await start({ dataDir })
  expect(second.messages.join()).toContain('DevUsdc')
  expect(await tokensOf(second.chain, 2)).toBe(tokenGrant + 250n)
})

test.each(['{"torn', '', '{}'])(
  'renames a state file with the content %j and starts a new chain',
  async (text) => {
    const first = await start({ dataDir })
    await first.chain.stop()
    await writeFile(join(dataDir, 'chain', 'state.json'), text)

    const second = await start({ dataDir })
    expect(second.messages.join('\n')).toMatch(/WARNING.*state\.json\.unreadable-1/s)
    expect(await readFile(join(dataDir, 'chain', 'state.json.unreadable-1'), 'utf8')).toBe(text)
    expect(await tokensOf(second.chain, 0)).toBe(tokenGrant)
  },
)

test('names a port that is in use', async () => {
  const { chain } = await start()
  const port = Number(new URL(chain.rpcUrl).port)
  await expect(start({ port })).rejects.toMatchObject({
    reason: 'port-taken',
    message: expect.stringContaining(`Port ${port}`),
  })
})

test('rejects a second chain in the same data directory', async () => {
  const { chain } = await start({ dataDir })
  await expect(start({ dataDir })).rejects.toThrow(`process ${chain.pid}`)
})

test('reports an anvil that died, and stop does not wait for it', async () => {
  const { chain } = await start()
  process.kill(chain.pid, 'SIGKILL')
  expect(await chain.exited).toEqual({ code: null, signal: 'SIGKILL' })
  await chain.stop()
})

test('anvil saves its state and ends when its parent is killed', async () => {
  const script = join(dataDir, 'starter.ts')
  await writeFile(
    script,
    `import { startDevChain } from ${JSON.stringify(join(import.meta.dirname, 'start.ts'))}
     const chain = await startDevChain({ port: 0, dataDir: ${JSON.stringify(dataDir)} })
     console.log(chain.rpcUrl)`,
  )
  const starter = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [rpcUrl] = await once(createInterface(starter.stdout), 'line')
  await pay({ rpcUrl }, 1, 2, 250n)
  starter.kill('SIGKILL')
  await once(starter, 'exit')

  const { chain } = await start({ dataDir })
  expect(await tokensOf(chain, 2)).toBe(tokenGrant + 250n)
  await expect(anvilClient(rpcUrl).getChainId()).rejects.toThrow('fetch failed')
})
