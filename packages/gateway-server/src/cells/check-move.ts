import { ConfigurationError } from '@mintmark/server-kit'
import type pg from 'pg'
import { isMember, isOfIndexedContract, readProject } from './project-state.ts'
import { readTables } from './tables.ts'

/** Checks that the other cell can have a project, before its writes are refused. */
export async function checkMove(
  source: pg.ClientBase,
  target: pg.ClientBase,
  project: number,
): Promise<void> {
  const name = (await readProject(source, project))?.name
  const [own, other] = [await readTables(source), await readTables(target)]
  if (JSON.stringify(own) !== JSON.stringify(other))
    throw new ConfigurationError('--to: the schemas differ. Migrate both databases with this version')
  const arrived = await readProject(target, project)
  if (arrived !== undefined && arrived.state !== 'MOVED')
    throw new ConfigurationError(
      `--to: the database has another project ${project}. Each cell needs a range of project ids of its own`,
    )
  const { rows: namesakes } = await target.query(
    'select from gateway.projects where name = $1 and id <> $2',
    [name, project],
  )
  if (namesakes.length > 0)
    throw new ConfigurationError(`--to: the database has another project named ${name}`)
  await checkContracts(source, target, project)
  await checkSecondFactors(source, target, project)
  // Only this role keeps triggers and foreign keys from running for rows that are copied.
  for (const client of [source, target])
    await client.query('set session_replication_role = replica; reset session_replication_role').catch(() => {
      throw new ConfigurationError(
        'The owners of both schemas need a right: grant set on parameter session_replication_role to <owner>',
      )
    })
}

/** A contract that another project of the cell indexes has been read up to another block there. */
async function checkContracts(source: pg.ClientBase, target: pg.ClientBase, project: number): Promise<void> {
  const { rows: contracts } = await source.query<{ chain_id: string; nft_address: string }>(
    `select chain_id, nft_address from gateway.indexed_contracts t where ${isOfIndexedContract(project)}`,
  )
  const { rows: shared } = await target.query<{ nft_address: string }>(
    `select c.nft_address from gateway.contracts c
     join jsonb_to_recordset($1) as o (chain_id text, nft_address text) using (chain_id, nft_address)
     where c.indexed and not c.deleted limit 1`,
    [JSON.stringify(contracts)],
  )
  if (shared[0] !== undefined)
    throw new ConfigurationError(
      `--to: a project of the other cell indexes the contract ${shared[0].nft_address} too. Move both, or let one stop`,
    )
}

/** A secret of each cell encrypts second factors. A cell without people gets that of the first project's. */
async function checkSecondFactors(
  source: pg.ClientBase,
  target: pg.ClientBase,
  project: number,
): Promise<void> {
  const readSecret = async (client: pg.ClientBase) =>
    (await client.query<{ sealed: string }>('select sealed from gateway.people_secret')).rows[0]?.sealed
  if ((await readSecret(source)) === (await readSecret(target))) return
  const { rows: others } = await target.query('select from gateway.people limit 1')
  const { rows: protectedPeople } = await source.query(
    `select from gateway.people t where t.has_second_factor and ${isMember(project)} limit 1`,
  )
  if (others.length > 0 && protectedPeople.length > 0)
    throw new ConfigurationError(
      '--to: people of the project have second factors, which the other cell cannot read: it was used before its first move',
    )
}
