import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Amount, Time } from './columns.ts'
import type { ContractTables } from './contracts.ts'

export interface IndexerTables {
  'gateway.chain_cursors': {
    chain_id: string
    /** The first block that is not read yet. */
    next_block: number
    /** Counts every write of what the chain says. */
    version: Generated<number>
    holder: string
    lease_until: Date
    head: Generated<number>
    began_at: Time
    caught_up_at: Date | null
    read_block_time: Date | null
  }
  'gateway.chain_blocks': { chain_id: string; number: number; hash: string }
  'gateway.indexed_contracts': {
    chain_id: string
    nft_address: string
    /** The first block that is not read for it; null until its start is known. */
    next_block: number | null
  }
  'gateway.chain_transfers': {
    id: Generated<number>
    chain_id: string
    block_number: number
    block_time: Date
    tx_hash: string
    log_index: number
    /** The place within a TransferBatch; 0 elsewhere. */
    batch_index: number
    nft_address: string
    nft_id: string
    from_address: string
    to_address: string
    quantity: Amount
  }
  'gateway.chain_balances': {
    chain_id: string
    nft_address: string
    nft_id: string
    owner: string
    quantity: Amount
    /** No block after this one has changed it. */
    changed_block: number
  }
  'gateway.deliveries': { project_id: number; order_id: number; transfer_id: number; quantity: Amount }
  /** A view of `gateway.transfers` and, of the project's indexed contracts, `gateway.chain_transfers`. */
  'gateway.transfer_history': {
    [Column in keyof Selectable<ContractTables['gateway.transfers']>]: ColumnType<
      Selectable<ContractTables['gateway.transfers']>[Column],
      never,
      never
    >
  }
}
