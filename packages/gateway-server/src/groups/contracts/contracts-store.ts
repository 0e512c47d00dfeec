import type { Contract } from '@mintmark/contracts'
import type { Selectable } from 'kysely'
import type { Db } from '../../context.ts'
import type { Tables } from '../../tables.ts'

function contractOf(row: Selectable<Tables['gateway.contracts']>): Contract {
  return {
    adult: row.adult,
    chainId: row.chain_id,
    channel: row.channel,
    contractType: row.contract_type,
    createTime: row.created_at.toISOString(),
    createTimeLong: row.created_at.getTime(),
    deleted: row.deleted,
    description: row.description,
    id: row.id,
    imgUrl: row.img_url,
    metadata: row.metadata,
    name: row.name,
    nftAddress: row.nft_address,
    nftType: row.nft_type,
    owner: row.owner,
    projectId: row.project_id,
    symbol: row.symbol,
    updateTime: row.updated_at.toISOString(),
  }
}

/** The contract of an address; where several chains have one, the one that was registered first. */
export async function find(db: Db, project: number, nftAddress: string): Promise<Contract | undefined> {
  const row = await db
    .selectFrom('gateway.contracts')
    .selectAll()
    .where('project_id', '=', project)
    .where('nft_address', '=', nftAddress)
    .where('deleted', '=', false)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && contractOf(row)
}
