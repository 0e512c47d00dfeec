import { readSqlFunctions, type SegmentedTable, type SqlFunction } from '@mintmark/server-kit'

/** The view of the transfers that this server recorded, and of those of a project's indexed contracts. */
export const TRANSFER_HISTORY = 'transfer_history'

/** The lists of transfers. `address` is on either side. */
export const transferLists: SegmentedTable = {
  column: 'id',
  lists: [[], ['nft_address'], ['nft_address', 'nft_id'], ['address']],
}

/**
 * The functions, and their triggers, that record the transfers of lists with segments. A transfer of a chain
 * belongs to the lists of each project that registered its contract. Contracts that are registered or removed
 * add or remove many transfers, so that the lists of the project are counted again.
 */
export const transferSegmentFunctions: readonly SqlFunction[] = readSqlFunctions(
  new URL('./functions/', import.meta.url),
  ['record_transfers_in_lists', 'record_chain_transfers_in_lists', 'reset_transfer_lists'],
)

/** The keys of a list that are read, in SQL. */
export interface KeyRange {
  /** The columns of the list, separated by commas. */
  readonly field: string
  /** The first key. */
  readonly start: string
  /** The next segment's first key, which may be null. */
  readonly next: string
  /** A number. The keys of more rows may be left out, after those of the first rows. */
  readonly limit: string
}

/**
 * Selects the keys of transfers of the connection's project.
 *
 * @param values The SQL of the values of the list's columns.
 */
export function selectTransferKeys(
  { field, start, next, limit }: KeyRange,
  [value = 'null', nftId = 'null']: readonly string[],
): string {
  const filter =
    field === 'address' ? `null, null, ${value}` : `${field === '' ? 'null' : value}, ${nftId}, null`
  return `select id as key, id as position
    from gateway.list_transfer_ids(${filter}, (${start})::bigint, (${next})::bigint - 1, false, 0, ${limit}) as id`
}
