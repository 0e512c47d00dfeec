import pg from 'pg'
import type { Copy } from './copy-project.ts'
import type { CopiedRows } from './copy-rows.ts'
import { CONTRACT_TABLES, isOfIndexedContract } from './project-state.ts'

/** Ids that other statements may take before the sequence is raised. */
const SEQUENCE_MARGIN = 100_000

/**
 * Copies what was read of the project's indexed contracts, so that the other cell continues at the same block:
 * each transfer is reported once. Returns the expressions for rows that refer to transfers, which get new ids.
 */
export async function copyContracts({ source, target, project, copy }: Copy): Promise<CopiedRows['values']> {
  const where = isOfIndexedContract(project)
  const { rows: contracts } = await source.query<{ chain_id: string }>(
    `select chain_id, nft_address from gateway.indexed_contracts t where ${where}`,
  )
  if (contracts.length === 0) return {}
  const { rows: ids } = await source.query<{ last: string }>(
    'select last_value::text as last from gateway.transfers_id_seq',
  )
  const { rows } = await target.query<{ base: string }>(
    `select nextval('gateway.transfers_id_seq') + ${SEQUENCE_MARGIN} as base`,
  )
  const base = rows[0]?.base ?? '0'
  await target.query(`select setval('gateway.transfers_id_seq', ${base} + ${ids[0]?.last})`)
  // What stayed when the project moved away from there.
  for (const table of CONTRACT_TABLES)
    await target.query(
      `delete from ${table} t using jsonb_to_recordset($1) as o (chain_id text, nft_address text)
       where t.chain_id = o.chain_id and t.nft_address = o.nft_address`,
      [JSON.stringify(contracts)],
    )
  await copyChains({ target, copy }, new Set(contracts.map(({ chain_id }) => chain_id)))
  await copy('gateway.indexed_contracts', { where })
  await copy('gateway.chain_balances', { where })
  await copy('gateway.chain_transfers', { where, values: { id: `t.id + ${base}` } })
  return { transfer_id: `t.transfer_id + ${base}` }
}

/** Lets the other cell begin to read chains that it has not read yet at the same block. */
async function copyChains(
  { target, copy }: Pick<Copy, 'target' | 'copy'>,
  chains: ReadonlySet<string>,
): Promise<void> {
  const { rows } = await target.query<{ chain_id: string }>('select chain_id from gateway.chain_cursors')
  const read = new Set(rows.map(({ chain_id }) => chain_id))
  for (const chain of [...chains].filter((each) => !read.has(each))) {
    const where = `t.chain_id = ${pg.escapeLiteral(chain)}`
    await copy('gateway.chain_cursors', { where })
    await copy('gateway.chain_blocks', { where })
  }
}
