import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ReferenceColumns } from '../references.ts'
import type { ChangingRecordColumns, Id, RecordColumns, Time, TimedRecordColumns } from './columns.ts'

export interface CardTables {
  'gateway.campaigns': ChangingRecordColumns & {
    name: string
    program: 'promo_code' | 'event' | 'commemorative' | 'membership'
    /** The columns of the cards, as JSON. */
    template: ColumnType<object, string, never>
    status: Generated<string>
    max_cards: number
    requested_cards: Generated<number>
    issued_cards: Generated<number>
  }
  'gateway.stores': ChangingRecordColumns & {
    name: string
    code: Generated<string>
    name_key: string
    code_key: Generated<string>
    address: Generated<string>
    time_zone: string
    status: Generated<string>
  }
  'gateway.cards': TimedRecordColumns &
    ReferenceColumns & {
      program: 'promo_code' | 'event' | 'commemorative' | 'membership'
      campaign_id: number | null
      name: string
      creator: Generated<string>
      chain_id: Generated<string>
      nft_address: string
      nft_id: Generated<string>
      nft_type: Generated<string>
      start_time: Date
      end_time: Date
      validity_period: Date
      total_issued: number
      used_count: Generated<number>
      is_checked_in: Generated<boolean>
      /** The verification that checked an event card in. */
      check_in_id: number | null
      is_exhausted: GeneratedAlways<boolean>
      amount: Generated<string>
      applicable_stores: Generated<string[]>
      store_keys: Generated<string[]>
      background_image_url: Generated<string>
      logo_url: Generated<string>
      image_url: Generated<string>
      qr_code: string
      qr_code_url: Generated<string>
      usage_instructions: Generated<string>
      level: Generated<string>
      benefits: Generated<string[]>
      deleted: Generated<boolean>
    }
  /** Maintained by a trigger. */
  'gateway.card_stores': {
    project_id: number
    program: string
    /** '' for every store. */
    store: string
    card_id: number
  }
  'gateway.card_verifications': RecordColumns & {
    program: 'promo_code' | 'event' | 'membership'
    /** Null where no card was found. */
    card_id: number | null
    action: string
    nonce: string
    device: Generated<string>
    store: Generated<string>
    store_key: Generated<string>
    day: string | null
    verifier: Generated<string>
    /** The requested card, by its id or its code. */
    requested_card: string
    result: Generated<string>
    reason: Generated<string>
    used_count: Generated<number>
    actor: Generated<string>
    /** Of a reversal: the verification that it reverses. */
    reverses: number | null
    reversed_by: number | null
  }
  'gateway.card_settings': {
    id: Id
    project_id: number
    reversal_minutes: number
    reversals_per_day: number
    shop_name: string
    logo_url: string
    accent_color: string
    updated_at: Time
  }
  'gateway.card_counts': {
    project_id: number
    campaign_id: Generated<number>
    day: string
    actor: Generated<string>
    store: Generated<string>
    outcome: string
    count: number
  }
  'gateway.card_visits': {
    project_id: number
    card_id: number
    store: string
    day: string
    action: string
    verification_id: number
  }
}
