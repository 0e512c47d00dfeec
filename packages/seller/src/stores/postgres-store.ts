import type { PurchaseId, PurchaseStore, StoredPurchase } from '../store.ts'

/** What is used of `Pool` of the package `pg`. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>
}

export interface PostgresStoreOptions {
  /** The name of the table. `x402_purchases` by default. */
  readonly table?: string
}

/** A store whose table it can create. */
export interface PostgresStore extends PurchaseStore {
  /** Creates the table if it does not exist. */
  createTable(): Promise<void>
}

/** How many expired purchases a claim removes. */
const SWEEP_SIZE = 20

/** Creates a store in PostgreSQL. A claim removes a few expired purchases, so that the table needs no job. */
export function createPostgresStore(
  pool: PostgresPool,
  { table = 'x402_purchases' }: PostgresStoreOptions = {},
): PostgresStore {
  const name = table.split('.').map((part) => `"${part.replaceAll('"', '""')}"`)
  const relation = name.join('.')
  const until = (parameter: string) => `clock_timestamp() + ${parameter} * interval '1 millisecond'`
  const statements = {
    create: `create table if not exists ${relation} (
      payment text primary key, key text unique, token text not null, value text not null, expires_at timestamptz not null)`,
    index: `create index if not exists "${table.replaceAll('"', '').replaceAll('.', '_')}_expiry" on ${relation} (expires_at)`,
    // The insert reads what was deleted, so that it comes after it.
    claim: `with swept as (
        select payment from ${relation} where expires_at <= now() order by expires_at limit ${SWEEP_SIZE} for update skip locked
      ), expired as (
        delete from ${relation} where expires_at <= now() and payment in (
          select payment from swept
          union all select payment from ${relation} where payment = $1
          union all select payment from ${relation} where key = $2
        ) returning payment)
      insert into ${relation} (payment, key, token, value, expires_at)
      select $1, $2, $3, $4, ${until('$5')} from (select count(*) from expired) as removed
      on conflict do nothing`,
    find: (column: string) =>
      `select value from ${relation} where ${column} = $1 and expires_at > clock_timestamp()`,
    replace: `update ${relation} set token = $3, key = $4, value = $5, expires_at = ${until('$6')}
      where payment = $1 and token = $2 and expires_at > clock_timestamp()`,
    remove: `delete from ${relation} where payment = $1 and token = $2 and expires_at > clock_timestamp()`,
  }

  const find = async (id: PurchaseId): Promise<StoredPurchase | undefined> => {
    const [column, value] = 'payment' in id ? ['payment', id.payment] : ['key', id.key]
    const { rows } = await pool.query(statements.find(column), [value])
    const [row] = rows as { value: string }[]
    return row && (JSON.parse(row.value) as StoredPurchase)
  }
  return {
    async createTable() {
      await pool.query(statements.create)
      await pool.query(statements.index)
    },
    async claim(entry, ttlMs) {
      const { payment, key, token } = entry
      const values = [payment, key ?? null, token, JSON.stringify(entry), ttlMs]
      for (;;) {
        const { rowCount } = await pool.query(statements.claim, values)
        if (rowCount === 1) return undefined
        const existing = (await find({ payment })) ?? (key === undefined ? undefined : await find({ key }))
        // Otherwise it was removed meanwhile.
        if (existing !== undefined) return existing
      }
    },
    find,
    async replace(token, entry, ttlMs) {
      const values = [entry.payment, token, entry.token, entry.key ?? null, JSON.stringify(entry), ttlMs]
      return (await pool.query(statements.replace, values)).rowCount === 1
    },
    remove: async (payment, token) => (await pool.query(statements.remove, [payment, token])).rowCount === 1,
  }
}
