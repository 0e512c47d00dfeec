import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'
import { COUPON_CODE } from '../listings/listing-rules.ts'

type CouponTable = Tables['gateway.coupons']
/** A coupon with its code; `''` if buyers enter its codes. */
export type CouponRow = Selectable<CouponTable> & { code: string }

// A coupon that applies without a code has one code. The inner query refers to the table by the name that Kysely gives it.
const code = sql<string>`case when market_type = ${COUPON_CODE} then '' else coalesce((
  select c.code from gateway.coupon_codes c
  where c.project_id = gateway.coupons.project_id and c.coupon_id = gateway.coupons.id limit 1), '') end`.as(
  'code',
)

export async function add(db: Db, coupon: Insertable<CouponTable>): Promise<Selectable<CouponTable>> {
  return await db.insertInto('gateway.coupons').values(coupon).returningAll().executeTakeFirstOrThrow()
}

/** Adds codes to a coupon. Returns those that no coupon of the project had. */
export async function addCodes(
  trx: Db,
  project: number,
  coupon: number,
  codes: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    insert into gateway.coupon_codes (project_id, coupon_id, code)
    select ${project}, ${coupon}, code from unnest(${[...codes]}::text[]) as code
    on conflict do nothing
    returning code`.execute(trx)
  return rows.map((row) => row.code)
}

function selectCoupons(db: Db, project: number) {
  return db.selectFrom('gateway.coupons').selectAll().select(code).where('project_id', '=', project)
}

export async function find(db: Db, project: number, id: number): Promise<CouponRow | undefined> {
  return await selectCoupons(db, project).where('id', '=', id).executeTakeFirst()
}

/** @param code Upper-case. */
export async function findByCode(db: Db, project: number, code: string): Promise<CouponRow | undefined> {
  return await selectCoupons(db, project)
    .where('id', '=', (sub) =>
      sub
        .selectFrom('gateway.coupon_codes')
        .select('coupon_id')
        .where('project_id', '=', project)
        .where('code', '=', code),
    )
    .executeTakeFirst()
}

export type Coupons = ReadonlyMap<number, CouponRow>

/** Finds the coupons of listings, by their ids. */
export async function findCoupons(
  db: Db,
  project: number,
  listings: readonly { readonly coupon_id: number | null }[],
): Promise<Coupons> {
  const ids = listings.flatMap((listing) => listing.coupon_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await selectCoupons(db, project).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
