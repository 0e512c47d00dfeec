import pg from 'pg'
import type { Copy } from './copy-rows.ts'
import { isOfIndexedContract } from './project-state.ts'

/** Transfers that the cells may record during a move. */
const MARGIN = 1_000_000_000

/**
 * Reserves ids in the other cell for all transfers of this one. Returns what is to be added to the ids: those of
 * indexed contracts belong to the cell.
 */
export async function reserveTransferIds(source: pg.Pool, target: pg.ClientBase): Promise<string> {
  const { rows: own } = await source.query<{ last: string }>(
    'select last_value::text as last from gateway.transfers_id_seq',
  )
  const { rows } = await target.query<{ base: string }>(
    `select (nextval('gateway.transfers_id_seq') + ${MARGIN})::text as base`,
  )
  const base = rows[0]?.base ?? '0'
  await target.query(
    `select setval('gateway.transfers_id_seq', ${base}::bigint + ${own[0]?.last} + ${MARGIN})`,
  )
  return base
}

/**
 * Lets the other cell begin to read the project's chains at the same block, unless it reads them already. Then
 * it reads the project's contracts beside the others until they have reached them.
 */
export async function copyChains({ source, target, project, copy }: Copy): Promise<void> {
  const { rows: read } = await target.query<{ chain_id: string }>(
    'select chain_id from gateway.chain_cursors',
  )
  const { rows: chains } = await source.query<{ chain_id: string }>(
    `select distinct chain_id from gateway.indexed_contracts t
     where chain_id <> all ($1) and ${isOfIndexedContract(project)}`,
    [read.map(({ chain_id }) => chain_id)],
  )
  for (const { chain_id: chain } of chains) {
    const where = `t.chain_id = ${pg.escapeLiteral(chain)}`
    await copy('gateway.chain_cursors', { where })
    await copy('gateway.chain_blocks', { where })
  }
}
