import type pg from 'pg'
import { copyChains, reserveTransferIds } from './copy-contracts.ts'
import { copyPeople } from './copy-people.ts'
import { type Copy, copyChanges, copyRows, type Rows, type Transactions } from './copy-rows.ts'
import { holdProject } from './hold-project.ts'
import { CONTRACT_TABLES, isOfIndexedContract } from './project-state.ts'
import { readTables, type Table } from './tables.ts'

export interface CopyOptions {
  readonly project: number
  readonly cell: string
  readonly source: pg.Pool
  /** The transaction that the caller commits. */
  readonly target: pg.ClientBase
  readonly log: (line: string) => void
}

/** They have few rows, which mostly change, or depend on others. */
const LATE_TABLES = ['gateway.row_changes', 'gateway.members']
/** Ids that other statements may take while a sequence is raised. */
const SEQUENCE_MARGIN = 100_000
/** The texts of rows must not depend on settings of a database. */
const TEXT_SETTINGS = `set local timezone = 'UTC'; set local datestyle = 'ISO'; set local bytea_output = 'hex';
  set local extra_float_digits = 1`

/**
 * Copies a project while it is used, then what changed meanwhile, and holds it for the last changes. All rows
 * keep their ids, except transfers of indexed contracts. Nobody sees anything of it in the other cell before the
 * commit.
 */
export async function copyProject(options: CopyOptions): Promise<void> {
  const { project, cell, source, target, log } = options
  await target.query(
    `${TEXT_SETTINGS}; set local session_replication_role = replica; set local synchronous_commit = on`,
  )
  await target.query('delete from gateway.projects where id = $1', [project])
  const transferIds = await reserveTransferIds(source, target)
  const first = await copyRound(options, { transferIds })
  const second = await copyRound(options, { transferIds, since: first })
  await holdProject(source, project, cell)
  log('The project refuses writes.')
  await copyRound(options, { transferIds, since: second, isLast: true })
}

interface Round {
  /** What is added to the ids of transfers. */
  readonly transferIds: string
  /** The snapshot of the round before. Undefined for the first one, which copies all rows. */
  readonly since?: string
  readonly isLast?: boolean
}

/** Copies what a snapshot has and the one before had not. Returns the snapshot. */
async function copyRound(
  { project, source: pool, target, log }: CopyOptions,
  { transferIds, since, isLast = false }: Round,
): Promise<string> {
  const source = await pool.connect()
  try {
    await source.query(`begin isolation level repeatable read read only; ${TEXT_SETTINGS}`)
    const { rows } = await source.query<{ oldest: string }>(
      'select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric % 4294967296)::text as oldest',
    )
    const tables = await readTables(source)
    const all = [...listRows(tables, project, transferIds)]
    const count =
      since === undefined
        ? await copyAll({ source, target }, all)
        : await copyChanges({ source, target }, all, since)
    if (isLast) await copyLast({ source, target, project, tables })
    log(`${count} rows ${since === undefined ? 'are copied' : 'have changed, and are copied'}.`)
    await source.query('commit')
    return rows[0]?.oldest ?? '0'
  } finally {
    source.release()
  }
}

async function copyAll(transactions: Transactions, all: readonly Rows[]): Promise<number> {
  let count = 0
  for (const rows of all) {
    // What stayed when the project moved away from there.
    await transactions.target.query(`delete from ${rows.table.name} t where ${rows.where}`)
    count += await copyRows(transactions, rows)
  }
  return count
}

/** Lists the rows that every round copies. Those of contracts come after the contracts, which select them. */
function* listRows(tables: readonly Table[], project: number, transferIds: string): Generator<Rows> {
  for (const table of tables.filter(
    ({ name, isOfProjects }) => isOfProjects && !LATE_TABLES.includes(name),
  )) {
    const values =
      table.name === 'gateway.deliveries' ? { transfer_id: `t.transfer_id + ${transferIds}` } : {}
    yield { table, where: `t.project_id = ${project}`, values }
  }
  for (const table of tables.filter(({ name }) => CONTRACT_TABLES.includes(name))) {
    const values = table.name === 'gateway.chain_transfers' ? { id: `t.id + ${transferIds}` } : {}
    yield { table, where: isOfIndexedContract(project), values }
  }
}

/** Copies what no other round copies, while the project is held. */
async function copyLast({
  source,
  target,
  project,
  tables,
}: Transactions & { readonly project: number; readonly tables: readonly Table[] }): Promise<void> {
  const copy: Copy['copy'] = async (name, rows) => {
    for (const table of tables.filter((each) => each.name === name))
      await copyRows({ source, target }, { table, ...rows })
  }
  const where = `t.project_id = ${project}`
  await copy('gateway.projects', { where: `t.id = ${project}`, values: { state: `'ACTIVE'`, cell: `''` } })
  const members = await copyPeople({ source, target, project, copy })
  await copy('gateway.members', { where, values: members })
  // The number of a transaction is another one's there. The sequencer merges changes by it.
  const transaction = `('1' || lpad(right(t.transaction::text, 18), 18, '0'))::xid8`
  await copy('gateway.row_changes', { where, values: { transaction } })
  await copyChains({ source, target, project, copy })
  await copy('gateway_jobs.job', {
    where: `(t.data ->> 'owner')::bigint = ${project} and t.state in ('created', 'retry', 'active')`,
  })
  for (const table of tables) if (table.isOfProjects) await raiseSequence(target, table, project)
}

/** Lets the ids of later rows be higher than those of the copied ones. */
async function raiseSequence(
  target: pg.ClientBase,
  { name, sequence }: Table,
  project: number,
): Promise<void> {
  if (sequence === null) return
  await target.query(
    `select setval($1::regclass, m.id + ${SEQUENCE_MARGIN}) from (
       select max(id) as id from ${name} where project_id = ${project}) m
     join ${sequence} s on m.id >= s.last_value`,
    [sequence],
  )
}
