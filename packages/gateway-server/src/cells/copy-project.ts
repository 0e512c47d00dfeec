import { CommandFailedError } from '@mintmark/server-kit'
import type pg from 'pg'
import { copyContracts } from './copy-contracts.ts'
import { copyPeople } from './copy-people.ts'
import { type CopiedRows, copyRows } from './copy-rows.ts'
import { readProject } from './project-state.ts'
import { readTables, type Table } from './tables.ts'

/** A copy of a project, with a transaction in each of the cells. */
export interface Copy {
  readonly source: pg.ClientBase
  readonly target: pg.ClientBase
  readonly project: number
  /** Copies rows of a table by its name. */
  readonly copy: (table: string, rows: CopiedRows) => Promise<void>
}

interface Held {
  readonly project: number
  readonly cell: string
  readonly log: (line: string) => void
}

/** Ids that other statements may take while a sequence is raised. */
const SEQUENCE_MARGIN = 100_000

/**
 * Copies a project that is held, in a transaction of the other cell that the caller begins and commits. Does
 * nothing if the other cell has it. All rows keep their ids, except transfers of indexed contracts.
 */
export async function copyProject(
  source: pg.ClientBase,
  target: pg.ClientBase,
  { project, cell, log }: Held,
): Promise<void> {
  await source.query('begin isolation level repeatable read read only')
  const held = await readProject(source, project)
  if (held?.state !== 'FROZEN' || held.cell !== cell)
    throw new CommandFailedError(`The project is no longer being moved to ${cell}`)
  const arrived = await readProject(target, project)
  if (arrived !== undefined && arrived.state !== 'MOVED') return
  await target.query('set local session_replication_role = replica; set local synchronous_commit = on')
  const tables = await readTables(source)
  const copy: Copy['copy'] = async (name, rows) => {
    const table = tables.find((each) => each.name === name)
    if (table === undefined) throw new Error(`There is no table ${name}`)
    const count = await copyRows(source, target, table, rows)
    if (count > 0) log(`${name}: ${count}`)
  }
  const own = tables.filter(({ isOfProjects }) => isOfProjects)
  // What stayed when the project moved away from there.
  await target.query('delete from gateway.projects where id = $1', [project])
  for (const { name } of own) await target.query(`delete from ${name} where project_id = ${project}`)
  const common = { source, target, project, copy }
  await copy('gateway.projects', { where: `t.id = ${project}`, values: { state: `'ACTIVE'`, cell: `''` } })
  const values: Readonly<Record<string, CopiedRows['values']>> = {
    'gateway.members': await copyPeople(common),
    'gateway.deliveries': await copyContracts(common),
    // A number of a transaction of this cell is another one's there. The sequencer merges changes by it.
    'gateway.row_changes': { transaction: `('1' || lpad(right(t.transaction::text, 18), 18, '0'))::xid8` },
  }
  for (const table of own) {
    await copy(table.name, { where: `t.project_id = ${project}`, values: values[table.name] })
    await raiseSequence(target, table, project)
  }
  await copy('gateway_jobs.job', {
    where: `(t.data ->> 'owner')::bigint = ${project} and t.state in ('created', 'retry', 'active')`,
  })
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
