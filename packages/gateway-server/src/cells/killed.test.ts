import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promoCodeCards } from '@mintmark/cards'
import { type Random, randomFrom } from '@mintmark/devkit/random'
import type { TestDatabase } from '@mintmark/devkit/testing'
import { isMintmarkError } from '@mintmark/envelope'
import type { GatewayClient } from '@mintmark/operation'
import { createSealer, createSecretKey, type Database } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import { expect, test } from 'vitest'
import { openGatewayDatabase } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { verifyAudit } from '../domains/audit/verify-audit.ts'
import { createKey } from '../keys/keys-store.ts'
import { createReader } from '../testing/event-faults/reader.ts'
import { createGatewayDatabase } from '../testing/gateway.ts'
import { createGatewayPool, type GatewayPool } from '../testing/gateway-pool.ts'

// MINTMARK_SEED repeats a run's choices.
const seed = Number(process.env.MINTMARK_SEED ?? 1)
const moves = Number(process.env.PROJECT_MOVES ?? 3)
const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))
const WRITERS = 3
const [startTime, endTime] = ['2026-01-01T00:00:00Z', '2126-01-01T00:00:00Z']
/** The lines that a move prints, one after each step. */
const STEPS = 6

/** A database with a gateway. */
interface Cell {
  readonly name: string
  readonly place: TestDatabase
  readonly database: Database<Tables>
  readonly env: Readonly<Record<string, string>>
  /** The address of the gateway that serves now. */
  url: string
  /** Starts a gateway. Kills the present one before. */
  restart(): Promise<void>
}

async function startCell(
  { name, secretKeys, pool }: { name: string; secretKeys: string; pool: GatewayPool },
  stops: AsyncDisposableStack,
): Promise<Cell> {
  const place = await createGatewayDatabase()
  stops.defer(() => place.drop())
  const database = openGatewayDatabase({ url: place.url, max: 2 })
  stops.defer(() => database.close())
  const env = {
    DATABASE_URL: place.url,
    SECRET_KEYS: secretKeys,
    GATEWAY_PORT: '0',
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_BURST: '200000',
    CONCURRENT_CALLS_PER_PROJECT: '100',
  }
  let stop = async () => {}
  const restart = async () => {
    await stop()
    const started = await pool.start({ env })
    if (!('url' in started)) throw new Error(`The gateway of ${name} did not start`)
    cell.url = started.url
    stop = async () => {
      started.kill('SIGKILL')
      await started.ended
    }
  }
  const cell: Cell = { name, place, database, env, url: '', restart }
  await restart()
  stops.defer(() => stop())
  return cell
}

/** A project with a client whose calls go where the proxy sends them. */
interface Project {
  readonly name: string
  readonly id: number
  readonly client: GatewayClient
  /** Where the proxy sends its calls. */
  cell: Cell
  /** The ids of the cards that were acknowledged, by their names. */
  readonly cards: Map<string, number>
  /** How long writes were refused or interrupted, in milliseconds. */
  readonly held: number[]
}

async function createProject(name: string, cell: Cell, secretKeys: string): Promise<Project> {
  const key = await createKey(cell.database.system, createSealer(secretKeys), { project: name, name })
  const client = createGateway({
    baseUrl: 'http://cells.test',
    credentials: { apiKey: key.apiKey, secret: key.secret },
    retries: 0,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const { pathname, search } = new URL(request.url)
      return await fetch(new Request(`${project.cell.url}${pathname}${search}`, request))
    },
  })
  const project: Project = { name, id: key.projectId, client, cell, cards: new Map(), held: [] }
  return project
}

/** Creates a card, and repeats the call until it is acknowledged. */
async function createCard(project: Project, cells: readonly Cell[], end: AbortSignal): Promise<void> {
  const name = randomUUID()
  const card = { name, nftAddress: `0x${'c'.repeat(40)}`, startTime, endTime, totalIssued: 1 }
  let refusedAt: number | undefined
  while (!end.aborted) {
    try {
      const { id } = await promoCodeCards.create(project.client, card, { idempotencyKey: name })
      project.cards.set(name, id)
      if (refusedAt !== undefined) project.held.push(performance.now() - refusedAt)
      return
    } catch (error) {
      if (!isMintmarkError(error)) throw error
      refusedAt ??= performance.now()
      const { reason, detail } = error as { reason?: string; detail?: { cell: string } }
      if (reason === 'PROJECT_MOVED')
        project.cell = cells.find((each) => each.name === detail?.cell) ?? project.cell
      // A gateway that is killed has no status.
      else if (reason !== 'PROJECT_MOVING' && error.status !== undefined) throw error
      await pause(20)
    }
  }
}

/** Moves a project by the command, which is killed after a step and repeated. */
async function move(project: Project, [from, to]: readonly [Cell, Cell], random: Random): Promise<void> {
  const run = async (killAfter: number, ...flags: string[]) => {
    const options = [`--project=${project.id}`, `--to=${to.place.url}`, `--cell=${to.name}`]
    const child = spawn(
      process.execPath,
      ['--conditions=@mintmark/source', cli, 'projects', 'move', ...options, ...flags],
      { env: { PATH: process.env.PATH, ...from.env }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const exit = once(child, 'exit')
    let step = 0
    for await (const _ of createInterface({ input: child.stdout })) {
      step += 1
      if (step !== killAfter) continue
      await pause(random.integer(60))
      child.kill('SIGKILL')
    }
    return (await exit)[0] as number | null
  }
  const restarted = random.chance(0.5)
    ? pause(random.integer(3000)).then(random.pick([from, to]).restart)
    : undefined
  const killAfter = random.integer(STEPS + 1)
  const status = await run(killAfter)
  if (status !== 0) {
    if (random.chance(0.3)) await run(0, '--undo')
    expect(await run(0)).toBe(0)
  }
  await restarted
}

test(`a project that moves ${moves} times between cells, with kills, loses and doubles nothing (seed ${seed})`, async () => {
  await using stops = new AsyncDisposableStack()
  const random = randomFrom(seed)
  const pool = await createGatewayPool({ spare: 1 }, stops)
  const secretKeys = createSecretKey('cells')
  const a = await startCell({ name: 'a', secretKeys, pool }, stops)
  const b = await startCell({ name: 'b', secretKeys, pool }, stops)
  await b.database.pool.query('alter table gateway.projects alter id restart with 1000001')
  const moving = await createProject('moving', a, secretKeys)
  const others = [await createProject('stays', a, secretKeys), await createProject('other', b, secretKeys)]
  let isLoaded = true
  const end = new AbortController()
  stops.defer(() => {
    isLoaded = false
    end.abort()
  })
  const write = async (project: Project) => {
    while (isLoaded) await createCard(project, [a, b], end.signal)
  }
  const reader = createReader('moving', random)
  const read = async () => {
    while (isLoaded) {
      await reader.step(moving.client)
      await pause(random.integer(50))
    }
  }
  const load = Promise.all([
    ...Array.from({ length: WRITERS }, () => write(moving)),
    ...others.map(write),
    read(),
  ])
  for (let count = 0; count < moves; count += 1) {
    await Promise.race([load, move(moving, count % 2 === 0 ? [a, b] : [b, a], random)])
    const moved = moving.cards.size
    while (moving.cards.size === moved) await Promise.race([load, pause(20)])
  }
  isLoaded = false
  await load

  const [last, left] = moves % 2 === 0 ? [a, b] : [b, a]
  const held = moving.held.sort((x, y) => x - y)
  console.log(
    `Seed ${seed}: ${moves} moves, ${moving.cards.size} cards, writes held for ${Math.round(held[held.length >> 1] ?? 0)} ms at the median, ${Math.round(held.at(-1) ?? 0)} at most`,
  )
  for (const project of [moving, ...others]) {
    const { database } = project === moving ? last : project.cell
    const { rows } = await database.pool.query<{ name: string; id: number }>(
      'select name, id from gateway.cards where project_id = $1 order by id',
      [project.id],
    )
    expect(rows.map(({ name, id }) => [name, id])).toEqual([...project.cards].sort(([, x], [, y]) => x - y))
    const { problem } = await verifyAudit(database.system, project.id)
    expect(problem).toBeUndefined()
  }
  const { rows } = await left.database.pool.query('select from gateway.cards where project_id = $1', [
    moving.id,
  ])
  expect(rows).toEqual([])
  await expect
    .poll(async () => {
      await reader.finish(moving.client)
      return [...reader.read.values()].filter(({ type }) => type === 'card.created').length
    })
    .toBe(moving.cards.size)
  expect(reader.problems).toEqual([])
  const created = [...reader.read.values()].filter(({ type }) => type === 'card.created')
  expect(new Set(created.map(({ subject }) => subject)).size).toBe(moving.cards.size)
}, 1_800_000)
