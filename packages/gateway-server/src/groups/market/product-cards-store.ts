import type { productCards } from '@mintmark/market'
import type { InputOf } from '@mintmark/transport/operation'
import type { Db } from '../../context.ts'

type NftInfo = InputOf<typeof productCards.addNftInfo> & {
  status: string
  royaltyPercentage: number
  limited: number
}

export async function add(db: Db, project: number, nft: NftInfo): Promise<void> {
  await db
    .insertInto('gateway.product_nfts')
    .values({
      project_id: project,
      nft_address: nft.nftAddress.toLowerCase(),
      name: nft.name,
      owner: nft.owner.toLowerCase(),
      adult: nft.adult ?? false,
      channel: nft.channel ?? '',
      description: nft.description ?? '',
      img_url: nft.imgUrl ?? '',
      license_code: nft.licenseCode ?? '',
      limited: nft.limited,
      media_file_type: nft.mediaFileType ?? '',
      media_file_url: nft.mediaFileUrl ?? '',
      properties: JSON.stringify(nft.properties ?? []),
      royalty_percentage: nft.royaltyPercentage,
      status: nft.status,
      token_uri: nft.tokenUri ?? '',
    })
    .execute()
}
