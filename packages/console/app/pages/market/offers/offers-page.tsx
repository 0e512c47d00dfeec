import { type Offer, offers } from '@mintmark/market'
import type { ReactNode } from 'react'
import { useList } from '../../../api/lists.ts'
import { FilterSelect, SearchField, Toolbar } from '../../../components/filters.tsx'
import { ListView } from '../../../components/list-view.tsx'
import { OfferButtons, offerColumns } from '../../../components/offers/offer-table.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { EmptyState } from '../../../components/placeholders.tsx'
import { Segments } from '../../../components/segments.tsx'
import { isWalletAddress } from '../../../format/identifier.ts'
import { readPageNumber } from '../../../navigation/search-params.ts'
import { useSearchState } from '../../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../../session/project-context.tsx'
import { offersTexts } from '../../../texts/market.ts'
import { MarketTabs } from '../market-tabs.tsx'

const { statuses, views } = offersTexts

type OfferStatus = keyof typeof statuses
const statusNames = Object.keys(statuses) as OfferStatus[]
const statusOptions = statusNames.map((value) => ({ value, label: statuses[value] }))

/** The offers that a wallet received or made; at first those of the person's own wallet. */
export function OffersPage(): ReactNode {
  const { projectName, wallet: own } = useProject()
  const [search, setSearch] = useSearchState('wallet', 'side', 'status')
  const { wallet = own, side = 'received', status } = search
  return (
    <>
      <PageHeader
        title="Offers"
        context={projectName}
        description="Prices that buyers propose for tokens. Offers belong to wallets: choose one."
      />
      <MarketTabs current="offers" />
      <Toolbar
        isFiltered={status !== undefined || search.wallet !== undefined}
        onClear={() => setSearch({ status: undefined, wallet: undefined })}
      >
        <SearchField label="Wallet" value={wallet} onSearch={(text) => setSearch({ wallet: text })} />
        <FilterSelect
          label="Status"
          value={status ?? ''}
          options={statusOptions}
          onChange={(value) => setSearch({ status: value })}
        />
        <Segments
          label="Direction"
          value={side}
          options={[
            { value: 'received', label: views.received },
            { value: 'made', label: views.made },
          ]}
          onChange={(value) => setSearch({ side: value })}
        />
      </Toolbar>
      {isWalletAddress(wallet) ? (
        <WalletOffers key={side} wallet={wallet} side={side === 'made' ? 'made' : 'received'} />
      ) : (
        <EmptyState
          icon="wallet"
          title="Choose a wallet"
          advice="Enter the address of the wallet whose offers you want to see."
        />
      )}
    </>
  )
}

interface WalletOffersProps {
  readonly wallet: string
  readonly side: 'received' | 'made'
}

function WalletOffers({ wallet, side }: WalletOffersProps): ReactNode {
  const [{ status, page }, setSearch] = useSearchState('status', 'page')
  const known = statusNames.find((name) => name === status)
  const filters = { address: wallet, ...(known !== undefined && { status: known }) }
  const operation = side === 'received' ? offers.received : offers.mine
  const query = useList(operation, filters, { pageNumber: readPageNumber(page) })
  const mayChange = useMayChange()
  return (
    <ListView
      label={views[side]}
      query={query}
      columns={offerColumns}
      getKey={({ id }) => id}
      {...(mayChange && {
        actions: (offer: Offer) => <OfferButtons offer={offer} wallet={wallet} side={side} />,
      })}
      empty={<EmptyState icon="market" {...offersTexts.empty[side]} />}
      isFiltered={known !== undefined}
      onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
    />
  )
}
