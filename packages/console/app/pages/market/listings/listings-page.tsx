import type { Listing } from '@mintmark/market'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useContractOptions } from '../../../api/contract-options.ts'
import { useList } from '../../../api/lists.ts'
import { RowActions } from '../../../components/actions.tsx'
import { Button } from '../../../components/button.tsx'
import type { Columns } from '../../../components/data-table.tsx'
import { FilterSelect, Toolbar } from '../../../components/filters.tsx'
import { ListView } from '../../../components/list-view.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { EmptyState } from '../../../components/placeholders.tsx'
import { TitledPicture } from '../../../components/titled-picture.tsx'
import { showToast } from '../../../components/toast.tsx'
import { WalletLink } from '../../../components/wallet-link.tsx'
import { formatCount } from '../../../format/number.ts'
import { parseAssetValue } from '../../../format/sold-token.ts'
import { ProjectLink } from '../../../navigation/project-link.tsx'
import { readPageNumber } from '../../../navigation/search-params.ts'
import { useSearchState } from '../../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../../session/project-context.tsx'
import { marketTexts } from '../../../texts/market.ts'
import { MarketTabs } from '../market-tabs.tsx'
import { closeListing } from './close-listing.ts'
import { ListingDialog } from './listing-form.tsx'
import {
  countReserved,
  getListingKind,
  listingKindNames,
  listingKinds,
  readListingKind,
} from './listing-kinds.ts'
import { ListingEnd, ListingPrice } from './listing-price.tsx'

const { columns: headers, kinds } = marketTexts

const columns: Columns<Listing> = {
  nftImg: {
    label: headers.token,
    cell: (listing) => (
      <TitledPicture address={listing.nftImg}>
        <ProjectLink to={`market/listings/${getListingKind(listing)}/${listing.id}`} className="row-link">
          {listing.nftName}
        </ProjectLink>
      </TitledPicture>
    ),
  },
  payPrice: {
    label: headers.price,
    sort: true,
    align: 'end',
    cell: (listing) => <ListingPrice listing={listing} />,
  },
  remaining: {
    label: headers.left,
    align: 'end',
    cell: ({ remaining, quantity }) => marketTexts.leftOf(formatCount(remaining), formatCount(quantity)),
  },
  reservedFor: {
    label: headers.reserved,
    align: 'end',
    cell: (listing) => formatCount(countReserved(listing)),
  },
  sold: headers.sold,
  _ends: { label: headers.ends, sort: 'endTime', cell: (listing) => <ListingEnd listing={listing} /> },
  seller: { label: headers.seller, cell: ({ seller }) => <WalletLink address={seller} /> },
}

/** The listings of a project that are open. */
export function ListingsPage(): ReactNode {
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const [{ sell }, setSearch] = useSearchState('sell')
  const [isCreating, setIsCreating] = useState(false)
  const create = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {marketTexts.create}
    </Button>
  )
  const close = () => {
    setIsCreating(false)
    if (sell !== undefined) setSearch({ sell: undefined })
  }
  return (
    <>
      <PageHeader
        title={marketTexts.title}
        context={projectName}
        description="What the project sells at present."
        actions={create}
      />
      <MarketTabs current="listings" />
      <ListingList />
      {mayChange && (isCreating || sell !== undefined) && <NewListing sell={sell} onClose={close} />}
    </>
  )
}

function ListingList(): ReactNode {
  const [{ kind, contract, sort, page }, setSearch] = useSearchState('kind', 'contract', 'sort', 'page')
  const mayChange = useMayChange()
  const contractOptions = useContractOptions()
  const filters = contract === undefined ? {} : { nftAddress: contract }
  const query = useList(listingKinds[readListingKind(kind)].list, filters, {
    pageNumber: readPageNumber(page),
    orderBy: sort,
  })
  return (
    <>
      <Toolbar isFiltered={contract !== undefined} onClear={() => setSearch({ contract: undefined })}>
        <KindFilter />
        <FilterSelect
          label="Contract"
          value={contract ?? ''}
          options={contractOptions}
          onChange={(value) => setSearch({ contract: value })}
        />
      </Toolbar>
      <ListView
        label={kinds[readListingKind(kind)].name}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        empty={
          <EmptyState
            icon="market"
            title="Nothing of this kind is on the shelf"
            advice="Put a token on the shelf, or choose another kind."
            adviceToRead="Choose another kind. What is for sale appears here."
          />
        }
        isFiltered={contract !== undefined}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
        sort={sort}
        onSort={(next) => setSearch({ sort: next })}
        {...(mayChange && {
          actions: (listing: Listing) => (
            <RowActions
              name={listing.nftName}
              actions={[{ label: 'Take off the shelf', onSelect: () => closeListing(listing) }]}
            />
          ),
        })}
      />
      <p className="muted list-note">
        The gateway lists listings that are open. Those that were sold or closed are in the orders.
      </p>
    </>
  )
}

/** Selects the kind of listings. Each kind is a list of its own, so one is always selected. */
function KindFilter(): ReactNode {
  const [{ kind }, setSearch] = useSearchState('kind')
  return (
    <FilterSelect
      label={marketTexts.kind}
      value={readListingKind(kind)}
      hasAll={false}
      options={listingKindNames.map((value) => ({ value, label: kinds[value].name }))}
      onChange={(value) => setSearch({ kind: value })}
    />
  )
}

interface NewListingProps {
  /** The token to sell, from the address. */
  readonly sell: string | undefined
  readonly onClose: () => void
}

function NewListing({ sell, onClose }: NewListingProps): ReactNode {
  const { projectId } = useProject()
  const [{ kind }] = useSearchState('kind')
  const navigate = useNavigate()
  return (
    <ListingDialog
      kind={readListingKind(kind)}
      token={sell === undefined ? undefined : parseAssetValue(sell)}
      onClose={onClose}
      onListed={(listing) => {
        showToast(`${listing.nftName} is on the shelf`)
        onClose()
        void navigate({ to: `/p/${projectId}/market/listings/${getListingKind(listing)}/${listing.id}` })
      }}
    />
  )
}
