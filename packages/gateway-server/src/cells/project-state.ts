import type pg from 'pg'

export interface ProjectState {
  readonly name: string
  readonly state: 'ACTIVE' | 'FROZEN' | 'MOVED'
  /** The cell of a project that is not active. */
  readonly cell: string
}

export async function readProject(
  client: pg.Pool | pg.ClientBase,
  project: number,
): Promise<ProjectState | undefined> {
  const { rows } = await client.query<ProjectState>(
    'select name, state, cell from gateway.projects where id = $1',
    [project],
  )
  return rows[0]
}

/** Condition of rows `t` of a chain that belong to the contracts of a project which are indexed. */
export const isOfIndexedContract = (project: number) => `exists (
  select from gateway.contracts c where c.project_id = ${project} and c.indexed and not c.deleted
    and c.chain_id = t.chain_id and c.nft_address = t.nft_address)`

/** The rows of chains, which belong to no project. */
export const CONTRACT_TABLES = [
  'gateway.chain_transfers',
  'gateway.chain_balances',
  'gateway.indexed_contracts',
]

/** Condition of people `t` who are members of a project. */
export const isMember = (project: number) =>
  `exists (select from gateway.members m where m.project_id = ${project} and m.person_id = t.id)`
