import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ASSET_KEY } from '../testing/seller.ts'
import { BudgetExceededError, Budgets } from './budgets.ts'
import { openStateDatabase } from './state-database.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2026-01-01T12:00:00Z')
let folder: string
let stateFile: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintmark-mcp-'))
  stateFile = join(folder, 'mcp.sqlite')
})
afterEach(() => rm(folder, { recursive: true }))

function openBudgets(day: bigint, now = () => NOON) {
  const state = openStateDatabase(stateFile)
  const budgets = new Budgets(state, { day: new Map([[ASSET_KEY, day]]), session: new Map() }, now)
  return { budgets, close: () => state.close() }
}

const payment = (id: string, amount: bigint, session = 'one') => ({ id, session, asset: ASSET_KEY, amount })

it('budgets of payments count what was reserved before a restart, until the next UTC day', () => {
  const first = openBudgets(100n)
  first.budgets.reserve(payment('a', 60n))
  first.budgets.commit('a')
  first.budgets.reserve(payment('b', 30n))
  first.close()
  let now = NOON
  const second = openBudgets(100n, () => now)
  expect(() => second.budgets.reserve(payment('c', 11n, 'two'))).toThrow(BudgetExceededError)
  second.budgets.reserve(payment('c', 10n, 'two'))
  now += DAY_MS
  expect(second.budgets.list('another')).toMatchObject([{ usedToday: 0n, usedInSession: 0n }])
  second.close()
})

it('budgets of payments return what is released once, and never what is spent', () => {
  const { budgets, close } = openBudgets(100n)
  budgets.reserve(payment('a', 60n))
  budgets.reserve(payment('b', 40n))
  budgets.commit('b')
  for (const id of ['a', 'a', 'b', 'unknown']) budgets.release(id)
  expect(budgets.list('one')).toMatchObject([{ usedToday: 40n, usedInSession: 40n }])
  close()
})

it('budgets of payments are exact for amounts beyond 64 bits', () => {
  const limit = 2n ** 200n
  const { budgets, close } = openBudgets(limit)
  budgets.reserve(payment('a', limit - 1n))
  expect(() => budgets.reserve(payment('b', 2n))).toThrow(BudgetExceededError)
  budgets.reserve(payment('b', 1n))
  close()
})

it('budgets of payments refuse an asset without a budget and a negative amount', () => {
  const { budgets, close } = openBudgets(100n)
  const other = { ...payment('a', 1n), asset: 'eip155:1/0x00' }
  expect(() => budgets.reserve(other)).toThrow(BudgetExceededError)
  expect(() => budgets.reserve(payment('b', -1n))).toThrow(BudgetExceededError)
  close()
})

it('budgets of payments are exact when several processes spend at a time and some are killed', async () => {
  const limit = 400
  const start = () => {
    const program = fileURLToPath(new URL('../testing/spend-until-refused.ts', import.meta.url))
    const child = spawn(
      process.execPath,
      ['--conditions=@mintmark/source', program, stateFile, String(limit)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    return child
  }
  const killed = start()
  const others = [start(), start(), start()]
  // Killed in the middle: what it has reserved stays reserved.
  killed.stdout.once('data', () => killed.kill('SIGKILL'))
  const printed = await Promise.all([killed, ...others].map(readReservations))
  expect(others.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
  const { budgets, close } = openBudgets(BigInt(limit), Date.now)
  const [status] = budgets.list('one')
  expect(status?.usedToday).toBe(BigInt(limit))
  const reported = printed.flat()
  expect(new Set(reported).size).toBe(reported.length)
  expect(reported.length).toBeLessThanOrEqual(limit)
  close()
})

async function readReservations(child: ChildProcess): Promise<readonly string[]> {
  if (child.stdout === null) throw new Error('The process has no output')
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return output.split('\n').filter((line) => line !== '')
}
