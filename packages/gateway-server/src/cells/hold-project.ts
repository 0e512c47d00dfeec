import type pg from 'pg'
import { changePartitions } from '../database/partitions.ts'
import { readTables } from './tables.ts'

/** A lock is refused as long as a statement that began before waits for another one of the tables. */
const ATTEMPTS = 100

/**
 * Holds a project: from the commit on, no transaction changes a row of it, whoever runs it. Locks all tables of
 * projects for a moment, which waits for the transactions that write, so that none of them is cut in half.
 */
export async function holdProject(pool: pg.Pool, project: number, cell: string): Promise<void> {
  await changeTriggers(pool, 'share row exclusive', async (client, tables) => {
    await client.query(`update gateway.projects set state = 'FROZEN', cell = $2 where id = $1`, [
      project,
      cell,
    ])
    const triggers = tables.flatMap((table) => [
      `create or replace trigger ${writes(project)} before insert or update on ${table} for each row
        when (new.project_id = ${project}) execute function gateway.hold_project(${project})`,
      `create or replace trigger ${deletes(project)} before delete on ${table} for each row
        when (old.project_id = ${project}) execute function gateway.hold_project(${project})`,
    ])
    await client.query(triggers.join(';\n'))
  })
}

/** Removes the triggers of a project that is in this cell, and makes it active. Nothing without triggers. */
export async function releaseProject(pool: pg.Pool, project: number): Promise<void> {
  const { rows } = await pool.query('select from pg_trigger where tgname = $1 limit 1', [writes(project)])
  if (rows.length === 0) return
  await changeTriggers(pool, 'access exclusive', async (client, tables) => {
    const triggers = tables.flatMap((table) => [
      `drop trigger if exists ${writes(project)} on ${table}`,
      `drop trigger if exists ${deletes(project)} on ${table}`,
    ])
    await client.query(triggers.join(';\n'))
    await client.query(
      `update gateway.projects set state = 'ACTIVE', cell = '' where id = $1 and state = 'FROZEN'`,
      [project],
    )
  })
}

const writes = (project: number) => `hold_writes_of_${project}`
const deletes = (project: number) => `hold_deletes_of_${project}`

async function changeTriggers(
  pool: pg.Pool,
  mode: 'share row exclusive' | 'access exclusive',
  change: (client: pg.ClientBase, tables: readonly string[]) => Promise<void>,
): Promise<void> {
  const locked = async (client: pg.ClientBase) => {
    const tables = (await readTables(client)).filter((each) => each.isOfProjects).map(({ name }) => name)
    await client.query(`lock table ${tables.join(', ')} in ${mode} mode`)
    await change(client, tables)
  }
  await changePartitions(pool, locked, ATTEMPTS)
}
