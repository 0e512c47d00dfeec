import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { captureCommand } from '@mintmark/devkit/command-output'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { runCommandLine } from '@mintmark/server-kit'
import { afterAll, expect, it } from 'vitest'
import { readCursor } from '../chains/evm/deposits/deposit-store.ts'
import { getAccount } from '../ledger/accounts/accounts.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { version } from '../operations/version.ts'
import { testFacilitator } from '../testing.ts'
import { facilitatorCommands } from './commands.ts'

const VALUE = 7_000_000_000_000_000n

const chain = await testChain()
const wallet = devAccount(4).address.toLowerCase()
const node = await startFaultyNode(chain.rpcUrl)
const hash = await chain.as(4).sendTransaction({ to: chain.treasury, value: VALUE })
const { blockNumber } = await chain.client.waitForTransactionReceipt({ hash })
// It begins after the deposit, so that no read of its own finds it.
const facilitator = await testFacilitator({
  chain: { rpcUrl: node.url, treasury: chain.treasury },
  signerKeys: [devAccount(9).privateKey],
  env: { TREASURY_FROM_BLOCK: String(blockNumber + 1n) },
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

async function run(...command: string[]) {
  const program = { program: 'mintmark-facilitator', version }
  return await captureCommand(facilitator.env, () => runCommandLine(program, facilitatorCommands, command))
}

async function readNextBlock(): Promise<bigint> {
  const treasury = { chainId: 84532, address: chain.treasury.toLowerCase() }
  return (await readCursor(facilitator.db, treasury))?.nextBlock ?? 0n
}

it('deposits reread credits a deposit that was missed once, while the server runs', async () => {
  const head = await chain.client.getBlockNumber()
  await chain.client.mine({ blocks: 4 })
  await expect.poll(async () => (await readNextBlock()) > head).toBe(true)
  const created = await run(
    ...['accounts', 'create', '--payer', wallet, '--actor', 'alice', '--reason', 'a new shop'],
  )
  expect(JSON.parse(created.out)).toMatchObject({ balance: '0' })

  const reread = () => run('deposits', 'reread', '--from-block', String(blockNumber))
  const first = await reread()
  expect(first).toMatchObject({ status: 0, error: '' })
  expect(JSON.parse(first.out)).toMatchObject({
    chain: 84532,
    fromBlock: String(blockNumber),
    credited: 1,
    complete: true,
  })
  expect((await getAccount(facilitator.db, wallet)).available).toBe(VALUE)

  expect(JSON.parse((await reread()).out)).toMatchObject({ credited: 0 })
  expect((await getAccount(facilitator.db, wallet)).available).toBe(VALUE)
  expect(await checkLedger(facilitator.db)).toMatchObject({ problems: [] })
})

it('deposits reread fails while the nodes do not show whether deposits were missed, and says so', async () => {
  const head = await chain.client.getBlockNumber()
  await chain.client.mine({ blocks: 4 })
  await expect.poll(async () => (await readNextBlock()) > head).toBe(true)
  await node.lag(3)
  const { status, out, error } = await run('deposits', 'reread', '--from-block', String(blockNumber))
  node.catchUp()
  expect(JSON.parse(out)).toMatchObject({ credited: 0, complete: false })
  expect({ status, error }).toMatchObject({
    status: 1,
    error: expect.stringContaining('Repeat the command'),
  })
  const repeated = await run('deposits', 'reread', '--from-block', String(blockNumber))
  expect(repeated).toMatchObject({ status: 0, error: '' })
})

it('deposits reread is refused for blocks that were not read yet', async () => {
  const nextBlock = await readNextBlock()
  const { status, error } = await run('deposits', 'reread', '--from-block', String(nextBlock + 1_000n))
  expect(status).toBe(2)
  expect(error).toContain('--from-block')
  expect(await readNextBlock()).toBeLessThan(nextBlock + 1_000n)
})

it('deposits reread is refused without the block where it begins', async () => {
  const { status, error } = await run('deposits', 'reread')
  expect(status).toBe(2)
  expect(error).toContain('--from-block')
})
