import type { InputOf } from '@mintmark/operation'
import { compileRead } from '@mintmark/server-kit'
import type { WalletInfo, walletInfo } from '@mintmark/wallet'
import { sql } from 'kysely'
import type { Db } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'
import type { ColumnsOf } from '../../http/record-mapping.ts'

const walletInfoColumns = [
  'address',
  'background',
  'description',
  'email',
  'name',
  'profile_photo as profilePhoto',
  'showcase_background as showcaseBackground',
] as const

const byAddress = compileRead((db: Db, { project, address }: { project: number; address: string }) =>
  db
    .selectFrom('gateway.wallet_info')
    .select(walletInfoColumns)
    .where('project_id', '=', project)
    .where('address', '=', address),
)

export async function find(tenant: Tenant, address: string): Promise<WalletInfo | undefined> {
  const [info] = await byAddress(tenant.db, { project: tenant.project, address })
  return info
}

type Profile = InputOf<typeof walletInfo.add>

// Kysely leaves out undefined columns: a new row gets the column's default, an existing row keeps its value.
function toProfileColumns(profile: Profile) {
  return {
    address: profile.address,
    background: profile.background,
    description: profile.description,
    email: profile.email,
    name: profile.name,
    profile_photo: profile.profilePhoto,
    showcase_background: profile.showcaseBackground,
  } satisfies ColumnsOf<Profile>
}

/** Adds a wallet's info. Returns undefined if it exists. */
export async function add(tenant: Tenant, profile: Profile): Promise<WalletInfo | undefined> {
  return await tenant
    .insertInto('gateway.wallet_info')
    .values(toProfileColumns(profile))
    .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing())
    .returning(walletInfoColumns)
    .executeTakeFirst()
}

/** Replaces the given fields of a wallet's info. Returns undefined if it does not exist. */
export async function edit(
  tenant: Tenant,
  profile: InputOf<typeof walletInfo.edit>,
): Promise<WalletInfo | undefined> {
  return await tenant
    .updateTable('gateway.wallet_info')
    .set({ ...toProfileColumns(profile), updated_at: sql`clock_timestamp()` })
    .where('address', '=', profile.address)
    .returning(walletInfoColumns)
    .executeTakeFirst()
}

/** A wallet's name and photo, as other records show them. */
export interface DisplayProfile {
  readonly name: string
  readonly photo: string
}

/** The profile of a wallet without info. */
export const EMPTY_PROFILE: DisplayProfile = { name: '', photo: '' }

/** Finds the names and photos of wallets, by address. Wallets without info are missing. */
export async function findDisplayProfiles(
  tenant: Tenant,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, DisplayProfile>> {
  const rows = await tenant
    .selectFrom('gateway.wallet_info')
    .select(['address', 'name', 'profile_photo as photo'])
    .where('address', '=', sql<string>`any(${[...new Set(addresses)]}::text[])`)
    .execute()
  return new Map(rows.map(({ address, ...profile }) => [address, profile]))
}
