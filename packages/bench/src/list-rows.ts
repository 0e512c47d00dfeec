import { sql } from 'kysely'
import type { GatewayStorage } from './gateway-environment.ts'

export const OWNER = '0x00000000000000000000000000000000000000c1'
export const CONTRACT = '0x00000000000000000000000000000000000000a1'
const CHAIN = '84532'
/** A transfer's block belongs to no project: another project has most transfers of the chain. */
const OTHER_CONTRACT = '0x00000000000000000000000000000000000000a2'
const TIMES = "'2026-01-01', '2099-01-01'"

/** The tables that `insertRows` fills. */
export const FILLED_TABLES = [
  'address_book',
  'assets',
  'cards',
  'card_stores',
  'card_verifications',
  'chain_transfers',
  'fans',
  'listings',
  'nfts',
  'offers',
  'orders',
] as const

/** The inserts of one row of each list, for the number `n`. `$project` and `$contract` are replaced. */
const INSERTS: readonly string[] = [
  `insert into gateway.cards (project_id, program, name, creator, chain_id, nft_address, nft_id, start_time, end_time,
     validity_period, total_issued, store_keys, qr_code)
   select $project, 'promo_code', 'Card ' || n::bigint * 7919 % 1000, '${OWNER}', '${CHAIN}', '${CONTRACT}', n::text, ${TIMES}, '2099-01-01', 1,
     case when n % 10 = 0 then '{berlin}'::text[] else '{}' end, md5(n::text) from numbers`,
  `insert into gateway.card_stores (project_id, program, store, card_id)
   select project_id, program, case when nft_id::bigint % 10 = 0 then 'berlin' else '' end, id from gateway.cards
   where project_id = $project and nft_id::bigint in (select n from numbers)`,
  `insert into gateway.card_verifications (project_id, program, action, nonce, store, verifier, requested_card)
   select $project, 'event', 'CHECK_IN', n::text, 'Berlin', 'Door ' || n % 10, 'none' from numbers`,
  `insert into gateway.fans (project_id, fan, address) select $project, 'fan ' || n, '${OWNER}' from numbers`,
  `insert into gateway.address_book (project_id, owner, address, name)
   select $project, '${OWNER}', '0x' || lpad(to_hex(n), 40, '0'), 'Friend ' || n % 1000 from numbers`,
  `insert into gateway.nfts (project_id, contract_id, chain_id, nft_address, nft_id, nft_type, name, creator, first_owner, quantity)
   select $project, $contract, '${CHAIN}', '${CONTRACT}', n::text, 'ERC1155', 'Print ' || n % 1000, '${OWNER}', '${OWNER}', 1 from numbers`,
  `with owned as (
     insert into gateway.assets (project_id, chain_id, nft_address, nft_id, nft_type, owner, quantity)
     select $project, '${CHAIN}', '${CONTRACT}', n::text, 'ERC1155', case when n % 10 < 9 then '${OWNER}' else 'seller ' || n % 1000 end, 1
     from numbers returning id, nft_id, owner)
   insert into gateway.listings (project_id, market_type, asset_id, chain_id, nft_address, nft_id, nft_type, seller, quantity, remaining,
     pay_price, start_time, end_time)
   select $project, 1, id, '${CHAIN}', '${CONTRACT}', nft_id, 'ERC1155', owner, 1, 1, 1 + id * 7919 % 1000, ${TIMES} from owned`,
  `insert into gateway.orders (project_id, order_no, serial_no, status, market_type, chain_id, nft_address, nft_id, nft_name, search_key,
     sender, recipient, order_amount, pay_amount, expires_at)
   select $project, md5(n::text), n::text, case when n % 10 < 9 then 2 else 3 + n % 2 end, 1, '${CHAIN}', '${CONTRACT}', '1', 'Print #' || n,
     'print #' || n, '${OWNER}', '${OWNER}', 1000, 1000, clock_timestamp() from numbers`,
  `insert into gateway.offers (project_id, offer_no, chain_id, nft_address, nft_id, quantity, offerer, total_price, expire_time)
   select $project, n::text, '${CHAIN}', '${CONTRACT}', '1', 1, '${OWNER}', 1 + n % 1000, '2099-01-01' from numbers`,
  `insert into gateway.chain_transfers (chain_id, block_number, block_time, tx_hash, log_index, batch_index, nft_address, nft_id,
     from_address, to_address, quantity)
   select '${CHAIN}', n, '2026-01-01', $project || ' ' || n, 0, 0, '$address', n::text, '${OWNER}', 'buyer ' || n, 1 from numbers`,
]

/** A project with a contract, whose lists are filled. */
export interface FilledProject {
  readonly projectId: number
  readonly contract: number
  readonly address: string
}

/** Adds the indexed contract of a project, whose transfers only this project sees. */
export async function addContract(
  { owner }: GatewayStorage,
  projectId: number,
  isMeasured: boolean,
): Promise<FilledProject> {
  const address = isMeasured ? CONTRACT : OTHER_CONTRACT
  const { rows } = await sql<{ id: number }>`
    insert into gateway.contracts (project_id, chain_id, nft_address, name, nft_type, owner, indexed, assets_written)
    values (${projectId}, ${CHAIN}, ${address}, 'Prints', 'ERC1155', ${OWNER}, true, true) returning id`.execute(
    owner.system,
  )
  const [row] = rows
  if (row === undefined) throw new Error('The insert returned no contract')
  return { projectId, contract: row.id, address }
}

/**
 * Inserts the rows with the numbers after `from`, up to `to`, into every list of a project, or into those of
 * some tables.
 */
export async function insertRows(
  { owner }: GatewayStorage,
  { projectId, contract, address }: FilledProject,
  from: number,
  to: number,
  tables: readonly string[] = FILLED_TABLES,
): Promise<void> {
  // Neither list reads what triggers write, except the stores of cards.
  await sql`set session_replication_role = replica`.execute(owner.system)
  const series = `(select n from generate_series(${from + 1}, ${to}) n) as numbers`
  for (const insert of INSERTS) {
    if (!tables.some((table) => insert.includes(`insert into gateway.${table} (`))) continue
    const text = insert
      .replace('from numbers', `from ${series}`)
      .replaceAll('$project', String(projectId))
      .replaceAll('$contract', String(contract))
      .replaceAll('$address', address)
    await sql.raw(text).execute(owner.system)
  }
  await sql`reset session_replication_role`.execute(owner.system)
}
