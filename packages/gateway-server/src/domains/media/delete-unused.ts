import { sql } from 'kysely'
import type { Db } from '../../database/tables.ts'
import type { MediaRow } from './media-store.ts'
import type { MediaStorage } from './storage/media-storage.ts'

/**
 * The columns that can name pictures, by table: `keepPictures` accepts a picture in whatever field. Orders,
 * sales and messages keep a copy of what they showed. A row that is marked as deleted names nothing.
 */
export const PICTURE_COLUMNS: Readonly<Record<string, { columns: readonly string[]; hasDeleted?: true }>> = {
  address_book: { columns: ['name', 'remark'] },
  auctions: { columns: ['nft_img', 'nft_name', 'reference'] },
  campaigns: { columns: ['name', 'template'] },
  card_settings: { columns: ['logo_url', 'shop_name'] },
  cards: {
    columns: [
      ...['background_image_url', 'benefits', 'image_url', 'level', 'logo_url', 'name', 'qr_code_url'],
      ...['reference', 'usage_instructions'],
    ],
    hasDeleted: true,
  },
  contracts: {
    columns: [
      ...['channel', 'contract_type', 'description', 'extension', 'img_url', 'metadata', 'name', 'reference'],
      'symbol',
    ],
    hasDeleted: true,
  },
  coupons: { columns: ['reference'] },
  listings: { columns: ['nft_img', 'nft_name', 'reference'] },
  messages: { columns: ['content', 'recipient_name', 'recipient_photo', 'sender_name', 'sender_photo'] },
  mint_collections: {
    columns: ['banner_url', 'description', 'extension', 'img_url', 'name', 'previews', 'token_uri'],
  },
  mint_phases: { columns: ['name'], hasDeleted: true },
  mint_reservations: { columns: ['payload', 'resolution'] },
  mintable_nfts: {
    columns: [
      ...['channel', 'description', 'img_url', 'license_code', 'media_file_type', 'media_file_url', 'name'],
      ...['properties', 'token_uri'],
    ],
    hasDeleted: true,
  },
  nfts: {
    columns: [
      'description',
      'img_url',
      'media_file_type',
      'media_file_url',
      'name',
      'properties',
      'token_uri',
    ],
    hasDeleted: true,
  },
  offers: { columns: ['nft_name', 'reference'] },
  order_events: { columns: ['reason'] },
  orders: {
    columns: [
      ...['description', 'file_type', 'name', 'nft_img', 'nft_name', 'reason', 'recipient_name'],
      ...['recipient_photo', 'reference', 'sender_name', 'sender_photo'],
    ],
    hasDeleted: true,
  },
  stores: { columns: ['address', 'code', 'name'] },
  token_data: { columns: ['data'] },
  wallet_info: {
    columns: ['background', 'description', 'email', 'name', 'profile_photo', 'showcase_background'],
  },
  webhooks: { columns: ['description', 'url'] },
}

/** Selects what names pictures, each text once: many cards have the same picture. */
const SELECT_NAMES = Object.entries(PICTURE_COLUMNS)
  .map(([table, { columns, hasDeleted }]) => {
    const texts = columns.map((column) => `(${column}::text)`).join(', ')
    const condition = `picture like '%/media/%'${hasDeleted ? ' and not deleted' : ''}`
    return `select project_id, picture from gateway.${table}, lateral (values ${texts}) texts (picture) where ${condition}`
  })
  .join(' union ')

/** How many rows are read at a time. */
const BATCH = 1000

/** What this job needs of a log. */
interface Log {
  error(details: { readonly err: unknown; readonly object: string }, message: string): void
}

/**
 * Deletes the pictures of all projects that no record has named for a day, and uploads that were interrupted
 * so long ago. Requires the owner's rights. Reads all records that can name a picture. An object that cannot
 * be removed keeps its row, so that the next run tries it again.
 *
 * @throws Error after all others were removed, if an object could not be.
 */
export async function deleteUnusedMedia(db: Db, storage: MediaStorage, log: Log): Promise<void> {
  await updateUses(db)
  await markUnused(db)
  let failed = 0
  let batch = await listRemoving(db)
  while (batch.length > 0) {
    for (const media of batch) {
      try {
        await removeMedia(db, storage, media)
      } catch (err) {
        failed += 1
        log.error({ err, object: media.object }, 'a picture could not be removed')
      }
    }
    batch = await listRemoving(db, batch.at(-1))
  }
  if (failed > 0) throw new Error(`${failed} ${failed === 1 ? 'picture' : 'pictures'} could not be removed`)
}

type MediaKey = Pick<MediaRow, 'project_id' | 'hash' | 'object'>

/** Lists pictures to be removed, after the last one of the batch before: those that failed are not repeated. */
async function listRemoving(db: Db, after?: MediaKey): Promise<MediaKey[]> {
  let query = db.selectFrom('gateway.media').select(['project_id', 'hash', 'object'])
  if (after !== undefined)
    query = query.where(
      sql<boolean>`(project_id, hash, object) > (${after.project_id}, ${after.hash}, ${after.object})`,
    )
  return await query
    .where('status', '=', 'REMOVING')
    .orderBy('project_id')
    .orderBy('hash')
    .orderBy('object')
    .limit(BATCH)
    .execute()
}

async function removeMedia(db: Db, storage: MediaStorage, { project_id, hash, object }: MediaKey) {
  await storage.remove(object)
  await db
    .deleteFrom('gateway.media')
    .where('project_id', '=', project_id)
    .where('hash', '=', hash)
    .where('object', '=', object)
    .execute()
}

/** Records since when no record names a picture. */
async function updateUses(db: Db): Promise<void> {
  await sql`
    with named as materialized (
      select distinct project_id, match[1] as hash from (${sql.raw(SELECT_NAMES)}) record
      cross join lateral regexp_matches(record.picture, '/media/[0-9]+/([0-9a-f]{64})', 'g') match)
    update gateway.media
    set unused_since = case when unused_since is null then clock_timestamp() end
    where status = 'STORED'
      and (unused_since is null) = ((project_id, hash) not in (select project_id, hash from named))`.execute(
    db,
  )
}

/**
 * Marks the pictures that were unused for a day. A call that names one of them meanwhile locks its row: then
 * this waits, compares again and leaves it.
 */
async function markUnused(db: Db): Promise<void> {
  await sql`
    update gateway.media set status = 'REMOVING'
    where status <> 'REMOVING' and unused_since < statement_timestamp() - interval '1 day'`.execute(db)
}
