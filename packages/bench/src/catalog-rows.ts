import type { Tables } from '@mintmark/facilitator-server'
import { type Kysely, sql } from 'kysely'

/** The asset of most entries, and of few. */
export const ASSETS = {
  common: '0x00000000000000000000000000000000000000aa',
  rare: '0x00000000000000000000000000000000000000ab',
}
export const OLD_NETWORK = 'eip155:8453'
export const NEW_NETWORK = 'eip155:84532'
/** How many recipients there are. */
const RECIPIENTS = 1000
/**
 * How many of the oldest entries are on another network and have a word of their own. More than one request
 * compares.
 */
const OLD_ENTRIES = 30_000

export const recipient = (number: number) => `0x${(number % RECIPIENTS).toString(16).padStart(40, '0')}`

/**
 * Adds the entries from number `from + 1` to `to`. The words: `api` in all, `weather` in each tenth, `even`
 * or `odd`, `topic…` in each 5,000th, `old` in the oldest ones only, and one that no other entry has.
 */
export async function addEntries(db: Kysely<Tables>, from: number, to: number): Promise<void> {
  await sql`
    with added as (
      insert into facilitator.catalog_entries (account_id, entry_key, type, pay_to, scheme, network, asset, amount, words,
        content_hash, settle_count, first_settled_at, last_settled_at, last_settled_on)
      select n / 1000, sha256(n::text::bytea), case when n % 20 = 0 then 'mcp' else 'http' end,
        '0x' || lpad(to_hex(n % ${RECIPIENTS}::integer), 40, '0'), case when n % 10 = 0 then 'upto' else 'exact' end,
        case when n <= ${OLD_ENTRIES}::integer then ${OLD_NETWORK} else ${NEW_NETWORK} end,
        case when n % 1000 = 0 then ${ASSETS.rare} else ${ASSETS.common} end, n::bigint * 7919 % 1000000,
        array['api', 'www', 'com', case when n % 2 = 0 then 'even' else 'odd' end, 'topic' || n % 5000, 'word' || n]
          || case when n % 10 = 0 then array['weather'] else '{}' end
          || case when n <= ${OLD_ENTRIES}::integer then array['old'] else '{}' end,
        sha256('content'), 1, now(), now(), current_date
      from generate_series(${from}::integer + 1, ${to}::integer) as n
      returning id
    )
    insert into facilitator.catalog_documents (entry_id, document)
      select a.id, jsonb_build_object('resource', 'https://api.example/' || a.id, 'type', 'http', 'action', 'GET',
        'description', repeat('A description of the resource. ', 8), 'maxTimeoutSeconds', 60, 'bazaar',
        jsonb_build_object('info', '{}'::jsonb, 'schema', '{}'::jsonb)) from added a`.execute(db)
}
