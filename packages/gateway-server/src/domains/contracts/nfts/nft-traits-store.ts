import type { NftProperty } from '@mintmark/contracts'
import { sql } from 'kysely'
import type { Db } from '../../../context.ts'

/** A collection's properties, or those of one of its NFTs, with how many NFTs of the collection have each and which share that is. */
export async function rarities(
  db: Db,
  project: number,
  contract: number,
  nft: number | undefined,
  most: number,
): Promise<readonly NftProperty[]> {
  const { rows } = await sql<NftProperty>`
    select t.trait_type, t.value, count(*) as count, count(*)::double precision / (
      select count(*) from gateway.nfts
      where project_id = ${project} and contract_id = ${contract} and not deleted) as rarity
    from gateway.nft_traits t
    where t.project_id = ${project} and t.contract_id = ${contract}
      and (${nft}::bigint is null or exists (
        select from gateway.nft_traits own
        where own.project_id = t.project_id and own.nft = ${nft}::bigint
          and own.trait_type = t.trait_type and own.value = t.value))
    group by t.trait_type, t.value
    order by t.trait_type, count(*) desc, t.value
    limit ${most}`.execute(db)
  return rows
}
