import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { captureCommand } from '@mintmark/devkit/command-output'
import { runCommandLine } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { signedBody } from '../engine/testing.ts'
import { toTransferArguments } from '../engine/testing-execution.ts'
import { version } from '../operations/version.ts'
import { settlePrice, type TestFacilitator, testFacilitator } from '../testing.ts'
import { facilitatorCommands } from './commands.ts'

const chain = await testChain()
const payer = devAccount(1)
const signer = devAccount(9)
const silent = createServer(() => {})
silent.listen(0, '127.0.0.1')
await once(silent, 'listening')
const address = silent.address()
if (address === null || typeof address === 'string') throw new Error('the upstream has no port')

const base = { network: 'eip155:8453', usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }
// Operators' credits are owed to payers like deposits, so the treasury needs more than deposits.
const surplus = parseEther('1000')
const settling = await testFacilitator({
  chain,
  signerKeys: [signer.privateKey],
  env: { TREASURY_SURPLUS_WEI: String(surplus) },
})
const waiting = await testFacilitator({
  chain,
  env: {
    UPSTREAM_FACILITATOR_URL: `http://127.0.0.1:${address.port}`,
    UPSTREAM_TIMEOUT_MS: '200',
    UNREADABLE_NETWORKS: base.network,
    TREASURY_SURPLUS_WEI: String(surplus),
  },
})
afterAll(async () => {
  await settling.close()
  await waiting.close()
  silent.closeAllConnections()
  silent.close()
})

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
interface Ran {
  status: number
  stdout: string
  stderr: string
}
const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env

/** Runs a command in a process of its own until it ends by itself. */
function runProcess(facilitator: TestFacilitator, command: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=@mintmark/source', cli, ...command],
      { env: { PATH, NODE_COMPILE_CACHE, ...facilitator.env } },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ status, stdout, stderr })
      },
    )
  })
}

/** Runs a command in this process. */
async function run(facilitator: TestFacilitator, command: string[], env: object = {}): Promise<Ran> {
  const program = { program: 'mintmark-facilitator', version }
  const { status, out, error } = await captureCommand({ ...facilitator.env, ...env }, () =>
    runCommandLine(program, facilitatorCommands, command),
  )
  return { status, stdout: out, stderr: error }
}

/** What a command that succeeds printed, read as JSON. */
async function printed<T>(facilitator: TestFacilitator, ...command: string[]): Promise<T> {
  const { status, stdout, stderr } = await run(facilitator, command)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout) as T
}
const why = ['--actor', 'alice', '--reason', 'ticket 7']

describe('accounts and keys', () => {
  test('creates, credits, freezes and unfreezes an account, and creates, rotates and revokes its key', async () => {
    const wallet = devAccount(4).address
    const account = await printed<{ id: number }>(
      settling,
      ...['accounts', 'create', '--payer', wallet, '--name', 'shop', ...why],
    )
    expect(account).toMatchObject({ payer: wallet.toLowerCase(), name: 'shop', balance: '0' })
    const credited = await printed(settling, 'accounts', 'credit', wallet, '--amount', '1.5', ...why)
    expect(credited).toMatchObject({ id: account.id, balance: '1500000000000000000' })

    const { id: keyId, token } = await printed<{ id: number; token: string }>(
      settling,
      ...['keys', 'create', String(account.id), '--name', 'till', ...why],
    )
    const status = async (bearer: string) =>
      (await settling.post('/settle', await signedBody({ account: payer }), bearer)).status
    expect(await status(token)).toBe(402)
    const rotated = await printed<{ id: number; token: string }>(
      settling,
      ...['keys', 'rotate', String(keyId), '--grace', '0', ...why],
    )
    expect(await status(rotated.token)).toBe(402)
    const [listed, frozen] = await Promise.all([
      runProcess(settling, ['keys', 'list']),
      printed(settling, 'accounts', 'freeze', wallet, ...why),
      printed(settling, 'keys', 'revoke', String(rotated.id), ...why),
    ])
    expect(JSON.parse(listed.stdout)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'till', prefix: token.slice(0, 9) })]),
    )
    expect(listed.stdout).not.toContain(token.slice(9))
    expect(frozen).toMatchObject({ frozenReason: 'alice: ticket 7' })
    const [thawed, accounts] = await Promise.all([
      printed(settling, 'accounts', 'unfreeze', String(account.id), ...why),
      printed<{ id: number }[]>(settling, 'accounts', 'list'),
    ])
    expect(thawed).not.toHaveProperty('frozenReason')
    expect(accounts.map(({ id }) => id)).toContain(account.id)
  })

  test('lists transactions that are not mined, with what to do, and sweeps them', async () => {
    const account = await settling.account()
    await chain.client.setAutomine(false)
    const response = settling.post('/settle', await signedBody({ account: payer }), account.token)
    const list = () =>
      printed<{ signer: string; action: string }[]>(settling, 'transactions', 'stuck', '--minutes', '0')
    await vi.waitFor(async () => expect(await list()).not.toEqual([]), { timeout: 60_000 })
    expect(await list()).toMatchObject([
      {
        chainId: 84532,
        signer: signer.address.toLowerCase(),
        isBehindAnother: false,
        action: expect.stringContaining('Check that the node responds'),
      },
    ])
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
    expect((await response).status).toBe(200)
    expect(await printed(settling, 'transactions', 'sweep')).toMatchObject({ replaced: 0, filled: 0 })
    expect(await printed(settling, 'transactions', 'stuck')).toEqual([])
  })

  test.each([
    [['accounts', 'create', '--payer', '0x12', ...why], '--payer: expected an address'],
    [['accounts', 'credit', '1', '--amount', '0', ...why], '--amount: expected a number above 0'],
    [['keys', 'revoke', '999999', ...why], 'Key 999999 does not exist or is already revoked'],
    [['accounts', 'credit', '0x'.padEnd(42, '7'), '--amount', '1', ...why], 'Account 0x7777'],
    [['settlements', 'show', '999'], 'Settlement 999 does not exist'],
    [['settlements', 'resolve', '1', 'paid', ...why], 'outcome: expected settled or failed'],
    [['settlements', 'resolve', '1', 'settled', '--transaction', '0x12', ...why], 'transaction: Expected'],
    [['settlements', 'audit', '--from-block', '0', '--chain', '1'], '--chain is not among CHAINS'],
    [['settlements', 'clear-reverts', '0x12', ...why], "Expected the payer's wallet"],
    [['settlements', 'clear-reverts', '999999', ...why], 'Account 999999'],
  ])('refuses %j with status 2 and a message', async (command, message) => {
    const { status, stdout, stderr } = await run(settling, command)
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  })

  test('names a missing setting, and reports an unreachable database or node without its secrets', async () => {
    const missing = await run(settling, ['settlements', 'reconcile'], { TREASURY_ADDRESS: '' })
    expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('TREASURY_ADDRESS') })
    const chainless = await run(settling, ['settlements', 'reconcile'], { CHAINS: '' })
    expect(chainless).toMatchObject({ status: 2, stderr: expect.stringContaining('CHAINS is required') })
    const DATABASE_URL = 'postgres://mintmark:hunter2@127.0.0.1:9/mintmark'
    const away = await run(settling, ['accounts', 'list'], { DATABASE_URL })
    expect(away).toMatchObject({ status: 2, stderr: expect.stringContaining('DATABASE_URL: no connection') })
    expect(away.stderr).not.toContain('hunter2')
    const CHAINS = '84532=http://127.0.0.1:2/rpc-secret-41'
    const cutOff = await run(settling, ['ledger', 'check'], { CHAINS })
    expect(cutOff.status).toBe(1)
    expect(cutOff.stderr).toMatch(
      /^\S+ ledger check: The treasury's chain 84532 cannot be read: no connection to the node \(ECONNREFUSED\)\n$/,
    )
    expect(cutOff.stderr + cutOff.stdout).not.toContain('rpc-secret-41')
  })
})

describe('settlements and the ledger', () => {
  beforeAll(async () => {
    await chain.client.setBalance({ address: chain.treasury, value: surplus })
    const head = await chain.client.getBlockNumber()
    await chain.client.mine({ blocks: 4 })
    const readUpTo = async ({ db }: TestFacilitator) => {
      const { rows } = await sql<{ next_block: string }>`
        select next_block from facilitator.deposit_cursors`.execute(db)
      expect(BigInt(rows[0]?.next_block ?? 0)).toBeGreaterThan(head + 1n)
    }
    for (const each of [settling, waiting]) await vi.waitFor(() => readUpTo(each), { timeout: 20_000 })
  })

  test('shows the history of a settlement, and finds the ledger and the chain in agreement', async () => {
    const account = await settling.account()
    const fromBlock = await chain.client.getBlockNumber()
    expect((await settling.post('/settle', await signedBody({ account: payer }), account.token)).status).toBe(
      200,
    )
    const [settlement] = (await settling.settlements()).filter(({ account_id }) => account_id === account.id)
    if (settlement === undefined) throw new Error('there is no settlement')
    const [byId, byOrder, books, audit] = await Promise.all([
      printed(settling, 'settlements', 'show', String(settlement.id)),
      printed(settling, 'settlements', 'show', settlement.order_no),
      printed(settling, 'ledger', 'check'),
      printed(settling, 'settlements', 'audit', '--from-block', String(fromBlock)),
    ])
    // The server's own reconciliation may note the block between the two reads, so only the identity is
    // compared.
    expect(byOrder).toMatchObject({ settlement: { id: settlement.id } })
    expect(byId).toMatchObject({
      settlement: expect.objectContaining({ id: settlement.id, state: 'settled' }),
      charge: { amount: String(settlePrice), cause: 'upstream' },
      transfers: [{ kind: 'hold' }, { kind: 'capture' }],
      events: [{ type: 'settlement.settled' }],
    })
    expect(books).toMatchObject({
      problems: [],
      treasury: expect.stringMatching(/^\d+$/),
      deposits: expect.stringMatching(/^compared at block \d+$/),
    })
    expect(audit).toEqual({ chain: 84532, checked: 1, problems: [] })
  })

  test("lists a signer's payment without a settlement in an audit, with status 1", async () => {
    const body = await signedBody({ account: payer })
    const fromBlock = (await chain.client.getBlockNumber()) + 1n
    const hash = await chain.as(9).writeContract({
      address: chain.token,
      abi: devUsdcAbi,
      functionName: 'transferWithAuthorization',
      args: toTransferArguments(body),
    })
    await chain.client.waitForTransactionReceipt({ hash })
    const { status, stdout } = await runProcess(settling, [
      ...['settlements', 'audit', '--from-block', String(fromBlock)],
    ])
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      checked: 1,
      problems: [
        {
          problem: 'no settlement',
          payment: { transaction: hash, nonce: body.paymentPayload.payload.authorization.nonce },
        },
      ],
    })
  })

  test('reports ledger problems and exits with status 1', async () => {
    const { id } = await waiting.account()
    const take = (wei: bigint) =>
      waiting.db
        .updateTable('facilitator.accounts')
        .set((account) => ({ available: account('available', '-', String(wei)) }))
        .where('id', '=', id)
        .execute()
    await take(1n)
    const { status, stdout } = await runProcess(waiting, ['ledger', 'check'])
    await take(-1n)
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      problems: [{ invariant: expect.any(String), detail: expect.stringContaining(`account ${id} has`) }],
    })
  })

  test("resolves an unknown settlement by an operator's decision only if its chain cannot be read", async () => {
    const account = await waiting.account()
    const settle = async (body: object) => {
      expect((await waiting.post('/settle', body, account.token)).status).toBe(503)
      const id = (await waiting.settlements()).at(-1)?.id
      return String(id)
    }
    const elsewhere = { account: payer, chainId: 8453, asset: base.usdc, name: 'USD Coin' }
    const paid = await settle(await signedBody(elsewhere))
    const unpaid = await settle(await signedBody(elsewhere))
    const readable = await settle(await signedBody({ account: payer }))
    const transaction = `0x${'ab'.repeat(32)}`

    const [settled, failed, refused] = await Promise.all([
      printed(waiting, ...['settlements', 'resolve', paid, 'settled', '--transaction', transaction, ...why]),
      printed(waiting, 'settlements', 'resolve', unpaid, 'failed', ...why),
      run(waiting, ['settlements', 'resolve', readable, 'failed', ...why]),
    ])
    expect(settled).toMatchObject({ settlement: { status: 'settled', hold: 'captured', transaction } })
    expect(failed).toMatchObject({ settlement: { status: 'failed', hold: 'released' } })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('eip155:84532 can be read, so the chain decides')
    expect(refused.stderr).toContain('resolve with force')
    expect(await waiting.available(account)).toBe(98n * settlePrice)

    const [again, shown] = await Promise.all([
      run(waiting, ['settlements', 'resolve', paid, 'failed', ...why]),
      printed<{ resolutions: object[] }>(waiting, 'settlements', 'show', paid),
    ])
    expect(again).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Only an unknown settlement can be resolved'),
    })
    expect(shown.resolutions).toMatchObject([{ outcome: 'settled', actor: 'alice', reason: 'ticket 7' }])
    expect((await run(waiting, ['ledger', 'check'])).status).toBe(0)
  })

  test('resolves an unknown settlement on a readable chain with --force, and prints what the chain shows', async () => {
    const account = await waiting.account()
    expect((await waiting.post('/settle', await signedBody({ account: payer }), account.token)).status).toBe(
      503,
    )
    const id = String((await waiting.settlements()).at(-1)?.id)
    const resolved = await printed(waiting, 'settlements', 'resolve', id, 'failed', '--force', ...why)
    expect(resolved).toMatchObject({ settlement: { status: 'failed' }, observation: { outcome: 'open' } })
    expect(await waiting.available(account)).toBe(100n * settlePrice)
    const missing = await run(waiting, ['settlements', 'resolve', '999', 'failed', '--force', ...why])
    expect(missing).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Settlement 999 does not exist'),
    })
  })
})
