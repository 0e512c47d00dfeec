import { compiled } from '@mintmark/server-kit'
import type { WalletInfo } from '@mintmark/wallet'
import { sql } from 'kysely'
import type { Db } from '../../context.ts'

const shown = [
  'address',
  'background',
  'description',
  'email',
  'name',
  'profile_photo as profilePhoto',
  'showcase_background as showcaseBackground',
] as const

const byAddress = compiled((db: Db, { project, address }: { project: number; address: string }) =>
  db
    .selectFrom('gateway.wallet_info')
    .select(shown)
    .where('project_id', '=', project)
    .where('address', '=', address),
)

export async function find(db: Db, project: number, address: string): Promise<WalletInfo | undefined> {
  const [info] = await byAddress(db, { project, address })
  return info
}

/** What a caller gives of a wallet's info. */
export type Profile = { [Field in Exclude<keyof WalletInfo, 'address'>]?: string | undefined }

// Kysely leaves out what is undefined: a new row then takes the column's default, an old one keeps what it has.
const columnsOf = ({ profilePhoto, showcaseBackground, ...same }: Profile) => ({
  ...same,
  profile_photo: profilePhoto,
  showcase_background: showcaseBackground,
})

/** Adds a wallet's info; undefined when it has one. */
export async function add(
  db: Db,
  project: number,
  address: string,
  profile: Profile,
): Promise<WalletInfo | undefined> {
  return await db
    .insertInto('gateway.wallet_info')
    .values({ project_id: project, address, ...columnsOf(profile) })
    .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing())
    .returning(shown)
    .executeTakeFirst()
}

/** Replaces what is given of a wallet's info; undefined when it has none. */
export async function edit(
  db: Db,
  project: number,
  address: string,
  profile: Profile,
): Promise<WalletInfo | undefined> {
  return await db
    .updateTable('gateway.wallet_info')
    .set({ ...columnsOf(profile), updated_at: sql`clock_timestamp()` })
    .where('project_id', '=', project)
    .where('address', '=', address)
    .returning(shown)
    .executeTakeFirst()
}

/** How a wallet is shown beside what it does. */
export interface Face {
  readonly name: string
  readonly photo: string
}

/** The faces of wallets, by address; those without info have none. */
export type Faces = ReadonlyMap<string, Face>

export async function facesOf(db: Db, project: number, addresses: readonly string[]): Promise<Faces> {
  const rows = await db
    .selectFrom('gateway.wallet_info')
    .select(['address', 'name', 'profile_photo as photo'])
    .where('project_id', '=', project)
    .where('address', '=', sql<string>`any(${[...new Set(addresses)]}::text[])`)
    .execute()
  return new Map(rows.map(({ address, ...face }) => [address, face]))
}

export const NO_FACE: Face = { name: '', photo: '' }
