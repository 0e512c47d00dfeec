import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ReferenceColumns } from '../references.ts'

export type Id = GeneratedAlways<number>
export type Time = Generated<Date>
/** numeric(78,0): base units as decimal text. */
export type Amount = ColumnType<string, string, string>
/** A time at which a row changes by itself. A trigger and `pass_times` maintain it. */
export type NextTime = GeneratedAlways<Date | null>

/** The columns of a project's record. */
export interface RecordColumns {
  id: Id
  project_id: number
  created_at: Time
}

/** The columns of a record that can change. */
export interface ChangingRecordColumns extends RecordColumns {
  updated_at: Time
}

/** The columns of a record that changes by itself when a time passes. */
export interface TimedRecordColumns extends ChangingRecordColumns {
  time_due_at: NextTime
  time_passed_at: NextTime
}

export interface PayTokenColumns {
  /** Empty for the chain's native token. */
  pay_token_address: Generated<string>
  pay_token_type: Generated<string>
  pay_token_decimals: Generated<number>
}

/** The columns of a record that sells units of an asset. */
export interface AssetSaleColumns extends TimedRecordColumns, PayTokenColumns, ReferenceColumns {
  asset_id: number
  chain_id: string
  nft_address: string
  nft_id: string
  nft_type: string
  nft_name: Generated<string>
  nft_img: Generated<string>
  seller: string
  quantity: number
}
