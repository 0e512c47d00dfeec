import { compiled } from '@mintmark/server-kit'
import type { WalletInfo } from '@mintmark/wallet'
import type { Db } from '../../context.ts'

const byAddress = compiled((db: Db, { project, address }: { project: number; address: string }) =>
  db
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
    .where('address', '=', address),
)

export async function find(db: Db, project: number, address: string): Promise<WalletInfo | undefined> {
  const [info] = await byAddress(db, { project, address })
  return info
}
