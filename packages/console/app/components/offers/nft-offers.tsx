import { offers } from '@mintmark/market'
import type { ReactNode } from 'react'
import { useList } from '../../api/lists.ts'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { nftsTexts } from '../../texts/contracts.ts'
import { ListView } from '../list-view.tsx'
import { EmptyState } from '../placeholders.tsx'
import { offerColumns, useOfferDecisions } from './offer-table.tsx'

interface NftOffersProps {
  readonly nftAddress: string
  readonly nftId: string
  /** The wallet that would accept or reject them. */
  readonly owner: string
}

/** The open offers for a token. */
export function NftOffers({ nftAddress, nftId, owner }: NftOffersProps): ReactNode {
  const [{ page }, setSearch] = useSearchState('page')
  const query = useList(offers.forNft, { nftAddress, nftId }, { pageNumber: readPageNumber(page) })
  const { render, dialog } = useOfferDecisions(owner, 'received')
  return (
    <>
      <ListView
        label={nftsTexts.offers}
        query={query}
        columns={offerColumns}
        getKey={({ id }) => id}
        {...(render !== undefined && { actions: render })}
        empty={
          <EmptyState
            icon="market"
            title="No open offers"
            advice="Offers of buyers for this NFT appear here."
          />
        }
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
      />
      {dialog}
    </>
  )
}
