import type { InputOf } from '@mintmark/operation'
import { compileRead } from '@mintmark/server-kit'
import type { WalletInfo, walletInfo } from '@mintmark/wallet'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'
import { toColumns } from '../../http/record-mapping.ts'

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
    ...toColumns(profile),
    search_name: profile.name === undefined ? undefined : toSearchName(profile.name),
  }
}

/** Returns a name in the form in which names are searched. */
const toSearchName = (name: string) => name.normalize('NFKC').toLowerCase()

/** A profile that a search has found. */
export interface FoundProfile
  extends Pick<Selectable<Tables['gateway.wallet_info']>, 'address' | 'name' | 'created_at'> {
  readonly found_by: 'WALLET' | 'NAME'
}

/** Finds the profile of an address, and those whose name begins with a text, in the order of their names. */
export async function searchProfiles(tenant: Tenant, text: string, limit: number): Promise<FoundProfile[]> {
  const start = toSearchName(text)
  // A range instead of `like`: row-level security keeps `like` from using an index.
  const { rows } = await sql<FoundProfile>`
    (select address, name, created_at, 'WALLET' as found_by from gateway.wallet_info
    where project_id = ${tenant.project} and address in (${text}, ${text.toLowerCase()}))
    union all
    (select address, name, created_at, 'NAME' as found_by from gateway.wallet_info
    where project_id = ${tenant.project} and search_name >= ${start} and search_name < ${`${start}\u{10ffff}`}
    order by search_name limit ${limit})`.execute(tenant)
  return rows
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
