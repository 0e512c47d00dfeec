import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testGateway } from '../src/testing/gateway.ts'

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url))

/** The folder or file that owns each table: only it inserts, updates and deletes rows. Reading is free. */
const OWNERS: Readonly<Record<string, string>> = {
  audit_entries: 'domains/audit',
  audit_heads: 'domains/audit',
  totals: 'domains/totals',

  event_counts: 'domains/events',
  events: 'domains/events',
  row_changes: 'domains/events',

  // The server kit writes these two, and the folder adds to the second.
  webhooks: 'domains/webhooks',
  webhook_deliveries: 'domains/webhooks',

  address_book: 'domains/wallet',
  conversations: 'domains/wallet/messages',
  fans: 'domains/wallet',
  follows: 'domains/wallet',
  message_views: 'domains/wallet/messages',
  messages: 'domains/wallet/messages',
  wallet_info: 'domains/wallet',

  campaigns: 'domains/cards/campaigns',
  card_counts: 'domains/cards/verification',
  card_settings: 'domains/cards/settings',
  card_stores: 'domains/cards',
  card_verifications: 'domains/cards/verification',
  card_visits: 'domains/cards/verification',
  cards: 'domains/cards',
  stores: 'domains/cards/stores',

  media: 'domains/media',

  contracts: 'domains/contracts/contracts',
  nft_traits: 'domains/contracts/nfts',
  nfts: 'domains/contracts/nfts',

  asset_reservations: 'domains/inventory',
  assets: 'domains/inventory',
  transfers: 'domains/inventory',

  auctions: 'domains/market/auctions',
  bids: 'domains/market/auctions',
  coupon_codes: 'domains/market/coupons',
  coupon_uses: 'domains/market/coupons',
  coupon_wallets: 'domains/market/coupons',
  coupons: 'domains/market/coupons',
  listings: 'domains/market/listings',
  offers: 'domains/market/offers',
  open_orders: 'domains/market/listings',
  token_data: 'domains/market',
  token_data_changes: 'domains/market',

  mint_collections: 'domains/minting/collections',
  mint_phases: 'domains/minting/phases',
  mint_reservations: 'domains/minting/reservations',
  mint_wallets: 'domains/minting/phases',
  mint_whitelist: 'domains/minting/whitelist',
  mintable_nfts: 'domains/minting/nfts',

  consumed_payments: 'domains/orders/payments',
  disputed_payments: 'domains/orders/payments',
  order_events: 'domains/orders',
  order_checks: 'domains/orders',
  order_payments: 'domains/orders/payments',
  orders: 'domains/orders',
  sales: 'domains/orders',

  invitations: 'domains/people',
  members: 'domains/people',
  operator_invitations: 'domains/people',
  people: 'domains/people',
  people_accounts: 'domains/people',
  people_challenges: 'domains/people',
  people_passkeys: 'domains/people',
  people_rate_limits: 'domains/people',
  people_second_factors: 'domains/people',
  people_secret: 'domains/people',
  people_sessions: 'domains/people',

  chain_balances: 'indexer/balances',
  chain_blocks: 'indexer/blocks',
  chain_cursors: 'indexer/blocks',
  chain_transfers: 'indexer/balances',
  deliveries: 'indexer/transfers',
  indexed_contracts: 'indexer',

  session_ends: 'operator',

  api_key_secrets: 'keys',
  api_keys: 'keys',
  idempotency_keys: 'maintenance',
  // The server kit writes these two.
  migrations: 'database',
  sql_functions: 'database',
  minter_keys: 'keys',
  projects: 'keys',
  publishable_keys: 'keys',
  used_signatures: 'keys',
}

/**
 * Sources that may write any table: they create the schema, sample data or the conditions of a test, or copy projects
 * to other databases.
 */
const FREE = /\.test\.ts$|^cells\/|^testing\/|^database\/(due-claims|functions|migrations)|^demo\//

interface Statement {
  readonly file: string
  /** Without the schema; undefined if the source does not name it. */
  readonly table: string | undefined
}

/** Finds the tables that a source writes, by Kysely or by SQL. */
function findWrites(file: string, source: string): Statement[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const tables = new Set<string | undefined>()
  for (const [, table] of code.matchAll(
    /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:['"]gateway\.(\w+)(?:\s[^'"]*)?['"])?/g,
  ))
    tables.add(table)
  for (const [, table] of code.matchAll(
    /\b(?:insert\s+into|(?<!for\s)(?<!key\s)(?<!do\s)update|delete\s+from|merge\s+into|truncate|copy)\s+(?:only\s+)?gateway\.(\w+)/gi,
  ))
    tables.add(table)
  // A statement whose table is interpolated: every table that the file passes to `sql.table` counts as
  // written.
  if (/\b(?:insert\s+into|(?<!for\s)update|delete\s+from|merge\s+into)\s+(?:only\s+)?\$\{/i.test(code)) {
    const interpolated = [...code.matchAll(/\bsql\.(?:table|id|ref)\(\s*['"]gateway\.(\w+)['"]\s*\)/g)]
    for (const [, table] of interpolated) tables.add(table)
    if (interpolated.length === 0) tables.add(undefined)
  }
  return [...tables].map((table) => ({ file, table }))
}

/** Describes why a write is not allowed. Returns undefined if it is. */
function findViolation({ file, table }: Statement): string | undefined {
  const rule = 'One table, one owner'
  if (table === undefined)
    return `${rule}: ${file} writes a table whose name is not in the source. Name it literally, or pass it to sql.table`
  const owner = OWNERS[table]
  if (owner === undefined)
    return `${rule}: ${file} writes gateway.${table}, which has no owner. Add it to OWNERS in architecture.test.ts`
  if (file.startsWith(`${owner}/`)) return undefined
  return `${rule}: ${file} writes gateway.${table}, which ${owner} owns. Call a function of ${owner} instead`
}

const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(SOURCES, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8')

/** Callers of a tenant and of `runIdempotently` name the table. */
const EXCEPTIONS: ReadonlySet<string> = new Set(['database/tenant.ts', 'http/idempotency.ts'])

describe('one table, one owner', () => {
  it('every table is written only inside the folder that owns it', () => {
    const statements = files
      .filter((file) => !FREE.test(file))
      .flatMap((file) => findWrites(file, read(file)))
      .filter(({ file, table }) => table !== undefined || !EXCEPTIONS.has(file))
    expect(statements.length).toBeGreaterThan(50)
    expect(statements.flatMap((statement) => findViolation(statement) ?? [])).toEqual([])
  })

  it('every table of the schema has an owner, and every owner a table', async () => {
    const gateway = await testGateway()
    try {
      const { rows } = await sql<{ name: string; partition: boolean }>`
        select relname as name, relispartition as partition from pg_class
        where relnamespace = 'gateway'::regnamespace and relkind in ('r', 'p')`.execute(gateway.owner.system)
      const unowned = rows.filter(({ name, partition }) => !partition && OWNERS[name] === undefined)
      expect(unowned.map(({ name }) => name)).toEqual([])
      const existing = new Set(rows.map(({ name }) => name))
      expect(Object.keys(OWNERS).filter((table) => !existing.has(table))).toEqual([])
    } finally {
      await gateway.close()
    }
  }, 60_000)

  it.each([
    ["db.updateTable('gateway.assets')", 'One table, one owner: domains/cards/x.ts writes gateway.assets'],
    ["db.insertInto('gateway.assets as a')", 'writes gateway.assets, which domains/inventory owns'],
    ['sql`insert into gateway.listings (id)`', 'writes gateway.listings, which domains/market/listings owns'],
    ['sql`update gateway.orders o set x = 1`', 'writes gateway.orders, which domains/orders owns'],
    ['sql`with a as (\n delete from\n gateway.sales)`', 'writes gateway.sales, which domains/orders owns'],
    [`const T = sql.table('gateway.bids')\nsql\`update \${T} set\``, 'writes gateway.bids'],
    ['db.updateTable(name)', 'writes a table whose name is not in the source'],
    ["db.deleteFrom('gateway.unknown')", 'writes gateway.unknown, which has no owner'],
  ])('one table, one owner reports the statement %s in a foreign folder', (source, message) => {
    const violations = findWrites('domains/cards/x.ts', source).map(findViolation)
    expect(violations).toEqual([expect.stringContaining(message)])
  })

  it('one table, one owner accepts reads and locks of foreign tables', () => {
    const source =
      "db.selectFrom('gateway.assets')\nsql`select 1 from gateway.assets for no key update of gateway.assets`"
    expect(findWrites('domains/cards/x.ts', source)).toEqual([])
  })
})
