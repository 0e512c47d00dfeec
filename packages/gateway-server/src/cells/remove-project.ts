import type pg from 'pg'
import { CONTRACT_TABLES, isOfIndexedContract } from './project-state.ts'
import { readTables } from './tables.ts'

/** What stays of a project that has moved, so that a call of its keys is told where it is. */
const KEPT_TABLES = ['gateway.api_keys', 'gateway.api_key_secrets', 'gateway.publishable_keys']

/** Removes the rows of a project that another cell has, and those of contracts that it alone has indexed. */
export async function removeProject(client: pg.ClientBase, project: number): Promise<void> {
  await client.query('begin; set local session_replication_role = replica')
  for (const table of CONTRACT_TABLES)
    await client.query(`delete from ${table} t where ${isOfIndexedContract(project)} and not exists (
      select from gateway.contracts c where c.project_id <> ${project} and c.indexed and not c.deleted
        and c.chain_id = t.chain_id and c.nft_address = t.nft_address)`)
  for (const { name, isOfProjects } of await readTables(client))
    if (isOfProjects && !KEPT_TABLES.includes(name))
      await client.query(`delete from ${name} where project_id = ${project}`)
  await client.query('commit')
}
