import type { WalletInfo } from '@mintmark/wallet'
import type { Db } from '../../context.ts'

export async function find(db: Db, project: number, address: string): Promise<WalletInfo | undefined> {
  return await db
    .selectFrom('gateway.wallet_info')
    .select([
      'address',
      'background',
      'description',
      'email',
      'name',
      'profile_photo as profilePhoto',
      'showcase_background as showcaseBackground',
    ])
    .where('project_id', '=', project)
    .where('address', '=', address)
    .executeTakeFirst()
}
