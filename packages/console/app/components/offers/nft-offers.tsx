import { offers } from '@mintmark/market'
import type { ReactNode } from 'react'
import { ResourceSection } from '../resource.tsx'
import { OfferButtons, offerColumns } from './offer-table.tsx'

interface NftOffersProps {
  readonly nftAddress: string
  readonly nftId: string
  /** The wallet that would accept or reject them. */
  readonly owner: string
}

/** The open offers for a token. */
export function NftOffers({ nftAddress, nftId, owner }: NftOffersProps): ReactNode {
  return (
    <ResourceSection
      operation={offers.forNft}
      input={{ nftAddress, nftId }}
      title="Offers"
      columns={offerColumns}
      getKey={({ id }) => id}
      renderActions={(offer) => <OfferButtons offer={offer} wallet={owner} side="received" />}
      empty={{
        icon: 'market',
        title: 'No open offers',
        advice: 'Offers of buyers for this NFT appear here.',
      }}
    />
  )
}
