import type { ColumnType, Generated } from 'kysely'
import type { ResourceListing } from '../../payment/listing.ts'

type Timestamp = ColumnType<Date, Date | undefined, Date>

export interface StagedResourcesTable {
  settlement_id: number
  account_id: number
  listing: ColumnType<ResourceListing, string, string>
  staged_at: Timestamp
  check_at: Timestamp
  check_count: Generated<number>
}

export interface CatalogEntriesTable {
  id: Generated<number>
  account_id: number
  entry_key: Buffer
  type: 'http' | 'mcp'
  pay_to: string
  scheme: string
  network: string
  asset: string
  amount: ColumnType<string, bigint | string, bigint | string>
  words: string[]
  content_hash: Buffer
  content_changed_at: Timestamp
  content_confirmed_at: Timestamp
  settle_count: ColumnType<string, bigint | number, bigint | number>
  first_settled_at: Timestamp
  last_settled_at: Timestamp
  last_settled_on: ColumnType<Date, Date | string, Date | string>
  document_bytes: Generated<number>
}

export interface CatalogDocumentsTable {
  entry_id: number
  document: ColumnType<ResourceListing, string, string>
}

/** The tables of the catalog. Only this folder writes them. */
export interface CatalogTables {
  'facilitator.staged_resources': StagedResourcesTable
  'facilitator.catalog_entries': CatalogEntriesTable
  'facilitator.catalog_documents': CatalogDocumentsTable
}
