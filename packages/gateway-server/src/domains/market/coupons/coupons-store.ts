import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
import { COUPON_CODE } from '../listing-rules.ts'

type CouponTable = Tables['gateway.coupons']
/** A coupon with its code; `''` if buyers enter its codes. */
export type CouponRow = Selectable<CouponTable> & { code: string }

// A coupon that applies without a code has one code. The inner query refers to the table by the name that
// Kysely gives it.
const code = sql<string>`case when market_type = ${COUPON_CODE} then '' else coalesce((
  select c.code from gateway.coupon_codes c
  where c.project_id = gateway.coupons.project_id and c.coupon_id = gateway.coupons.id limit 1), '') end`.as(
  'code',
)

export async function add(
  tenant: Tenant,
  coupon: NewRow<'gateway.coupons'>,
): Promise<Selectable<CouponTable>> {
  return await tenant.insertInto('gateway.coupons').values(coupon).returningAll().executeTakeFirstOrThrow()
}

/** Adds codes to a coupon. Returns those that no coupon of the project had. */
export async function addCodes(trx: Tenant, coupon: number, codes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    insert into gateway.coupon_codes (project_id, coupon_id, code)
    select ${trx.project}, ${coupon}, code from unnest(${[...codes]}::text[]) as code
    on conflict do nothing
    returning code`.execute(trx)
  return rows.map((row) => row.code)
}

function selectCoupons(tenant: Tenant) {
  return tenant.selectFrom('gateway.coupons').selectAll().select(code)
}

export async function find(tenant: Tenant, id: number): Promise<CouponRow | undefined> {
  return await selectCoupons(tenant).where('id', '=', id).executeTakeFirst()
}

/** @param code Upper-case. */
export async function findByCode(tenant: Tenant, code: string): Promise<CouponRow | undefined> {
  return await selectCoupons(tenant)
    .where('id', '=', (sub) =>
      sub
        .selectFrom('gateway.coupon_codes')
        .select('coupon_id')
        .where('project_id', '=', tenant.project)
        .where('code', '=', code),
    )
    .executeTakeFirst()
}

export type Coupons = ReadonlyMap<number, CouponRow>

/** Finds the coupons of listings, by their ids. */
export async function findCoupons(
  tenant: Tenant,
  listings: readonly { readonly coupon_id: number | null }[],
): Promise<Coupons> {
  const ids = listings.flatMap((listing) => listing.coupon_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await selectCoupons(tenant).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}
