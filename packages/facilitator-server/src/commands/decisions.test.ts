import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { captureCommand } from '@mintmark/devkit/command-output'
import { operatorAccounts, operatorDecisions } from '@mintmark/facilitator/operator'
import { openDatabase, runCommandLine } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import type { Tables } from '../database/tables.ts'
import { signedBody } from '../engine/testing.ts'
import { listDecisions } from '../http/operator/decisions.ts'
import { by, OPERATOR_TOKEN, operatorClient } from '../http/operator/testing-operator.ts'
import { version } from '../operations/version.ts'
import { testFacilitator } from '../testing.ts'
import { facilitatorCommands } from './commands.ts'

const chain = await testChain()
// It answers nothing, so that the outcome of a settle is unknown.
const upstream = createServer(({ socket }) => socket.destroy())
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const address = upstream.address()
if (address === null || typeof address === 'string') throw new Error('The upstream has no port')
const network = 'eip155:8453'
const facilitator = await testFacilitator({
  chain,
  env: {
    OPERATOR_TOKEN,
    UPSTREAM_FACILITATOR_URL: `http://127.0.0.1:${address.port}`,
    UNREADABLE_NETWORKS: network,
  },
})
const opened = openDatabase<Tables>({ url: facilitator.databaseUrl, max: 1 })
afterAll(async () => {
  await opened.close()
  await facilitator.close()
  upstream.close()
})

const newWallet = () => `0x${randomBytes(20).toString('hex')}`
const why = ['--actor', 'kim', '--reason', 'ticket 7']

async function run(...command: string[]) {
  const program = { program: 'mintmark-facilitator', version }
  return await captureCommand(facilitator.env, () => runCommandLine(program, facilitatorCommands, command))
}

async function print(...command: string[]) {
  const { status, out, error } = await run(...command)
  expect({ status, error }).toEqual({ status: 0, error: '' })
  return JSON.parse(out)
}

/** Lists the decisions, newest first. */
const readDecisions = (size = 100) =>
  listDecisions(facilitator.db, { subject: undefined, before: undefined, size })

async function createUnknownSettlement(): Promise<string> {
  const { token } = await facilitator.account()
  const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
  const body = await signedBody({ account: devAccount(1), chainId: 8453, asset, name: 'USD Coin' })
  expect((await facilitator.post('/settle', body, token)).status).toBe(503)
  return String((await facilitator.settlements()).at(-1)?.id)
}

it('commands that decide record each decision with its actor and reason, as the operator interface does', async () => {
  const wallet = newWallet()
  const { id } = await print('accounts', 'create', '--payer', wallet, ...why)
  await print('accounts', 'credit', wallet, '--amount', '0.5', ...why)
  await print('accounts', 'freeze', wallet, ...why)
  await print('accounts', 'unfreeze', String(id), ...why)
  await print('accounts', 'batch', String(id), '--delay', '20', ...why)
  const key = await print('keys', 'create', wallet, '--name', 'till', ...why)
  const rotated = await print('keys', 'rotate', String(key.id), ...why)
  await print('keys', 'revoke', String(rotated.id), ...why)
  const settlement = await createUnknownSettlement()
  await print('settlements', 'resolve', settlement, 'failed', ...why)
  await print('settlements', 'clear-reverts', wallet, ...why)
  await print('settlements', 'clear-reverts', String(id), ...why)

  const decisions = (await readDecisions(11)).reverse()
  expect(new Set(decisions.map(({ actor, reason }) => `${actor}: ${reason}`))).toEqual(
    new Set(['kim: ticket 7']),
  )
  expect(decisions.map(({ operation, subject }) => [operation, subject])).toEqual([
    ['operatorAccounts.create', `payer/${wallet}`],
    ['operatorAccounts.credit', `account/${id}`],
    ['operatorAccounts.freeze', `account/${id}`],
    ['operatorAccounts.unfreeze', `account/${id}`],
    ['operatorAccounts.setBatchDelay', `account/${id}`],
    ['operatorKeys.create', `account/${id}`],
    ['operatorKeys.rotate', `key/${key.id}`],
    ['operatorKeys.revoke', `key/${rotated.id}`],
    ['operatorSettlements.resolve', `settlement/${settlement}`],
    ['operatorReverts.clear', `payer/${wallet}`],
    ['operatorReverts.clear', `account/${id}`],
  ])
  expect(decisions[1]).toMatchObject({ amount: '500000000000000000' })
})

it('commands that decide write the entry that the same change over HTTP writes', async () => {
  const operator = operatorClient(facilitator.url)
  const account = await facilitator.account()
  const reason = 'The key was published'
  await operatorAccounts.freeze(operator, { id: account.id, reason }, by('kim'))
  await print('accounts', 'freeze', String(account.id), '--actor', 'kim', '--reason', reason)
  const { decisions } = await operatorDecisions.list(operator, { subject: `account/${account.id}` })
  const [byCommand, byHttp] = decisions.map(({ id: _, createTime: __, ...decision }) => decision)
  expect(byCommand).toEqual(byHttp)
  const { rows } = await sql<{ input: object }>`
      select distinct input from facilitator.operator_decisions where subject = ${`account/${account.id}`}`.execute(
    facilitator.db,
  )
  expect(rows).toEqual([{ input: { id: account.id, reason } }])
})

it.each([
  ['accounts', 'create', '--payer', newWallet()],
  ['accounts', 'credit', '1', '--amount', '1'],
  ['accounts', 'freeze', '1'],
  ['accounts', 'unfreeze', '1'],
  ['accounts', 'batch', '1', '--delay', '20'],
  ['keys', 'create', '1'],
  ['keys', 'rotate', '1'],
  ['keys', 'revoke', '1'],
  ['settlements', 'resolve', '1', 'failed'],
  ['settlements', 'clear-reverts', '1'],
])(
  'commands that decide refuses %s %s without a usable actor and reason, and shows the form',
  async (...command) => {
    const before = await readDecisions()
    expect(await run(...command)).toMatchObject({
      status: 2,
      out: '',
      error: expect.stringContaining('--actor <who> --reason <why> are required'),
    })
    for (const [actor, reason, message] of [
      ['', 'ticket 7', '--actor: Expected who makes this change'],
      [' ', 'ticket 7', '--actor: Expected who makes this change'],
      ['facilitator', 'ticket 7', '--actor: Expected who makes this change'],
      ['kim\n', 'ticket 7', '--actor: Expected who makes this change'],
      ['kim', '', '--reason: Expected why this change is made'],
      ['kim', ' ', '--reason: Expected why this change is made'],
    ] as const) {
      const refused = await run(...command, '--actor', actor, '--reason', reason)
      expect(refused).toMatchObject({ status: 2, out: '', error: expect.stringContaining(message) })
    }
    expect(await readDecisions()).toEqual(before)
  },
)

it('commands that decide leave no entry when their change is refused or fails', async () => {
  const { id, payer } = await facilitator.account()
  const before = await readDecisions()
  const refused: [command: string[], message: string][] = [
    [['accounts', 'create', '--payer', payer], `The wallet ${payer} already has an account`],
    [['accounts', 'credit', '999999', '--amount', '1'], 'Account 999999'],
    [['accounts', 'batch', String(id), '--delay', '5001'], 'batchDelayMs'],
    [['accounts', 'freeze', String(id), '--reason', 'x'.repeat(1001)], 'reason'],
    [['keys', 'create', String(id), '--name', 'x'.repeat(201)], 'name'],
    [['keys', 'create', '999999'], 'Account 999999'],
    [['keys', 'rotate', '999999'], 'Key 999999 does not exist or is already revoked'],
    [['keys', 'rotate', '1', '--grace', '721'], 'graceSeconds'],
    [['keys', 'revoke', '999999'], 'Key 999999 does not exist or is already revoked'],
    [['settlements', 'resolve', '999999', 'failed'], 'Settlement 999999 does not exist'],
    [['settlements', 'clear-reverts', '999999'], 'Account 999999'],
  ]
  for (const [command, message] of refused) {
    const result = await run(command[0] ?? '', command[1] ?? '', ...why, ...command.slice(2))
    expect(result).toMatchObject({ status: 2, out: '', error: expect.stringContaining(message) })
    expect(result.error).not.toMatch(/\n\s+at /)
  }
  expect(await readDecisions()).toEqual(before)
})

it('commands that decide have no effect when their entry cannot be written', async () => {
  const { id } = await facilitator.account()
  await sql`alter table facilitator.operator_decisions rename to moved_decisions`.execute(opened.system)
  const failed = await run('accounts', 'freeze', String(id), ...why)
  await sql`alter table facilitator.moved_decisions rename to operator_decisions`.execute(opened.system)
  expect(failed.status).toBe(1)
  const { account } = await operatorAccounts.get(operatorClient(facilitator.url), { id })
  expect(account).not.toHaveProperty('frozenReason')
})
