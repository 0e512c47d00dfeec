import type { Listing } from '@mintmark/market'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useContractOptions } from '../../../api/contract-options.ts'
import { alignEnd } from '../../../components/data-table.tsx'
import { WalletLink } from '../../../components/links.tsx'
import { openDialog } from '../../../components/open-dialog.tsx'
import { ResourcePage } from '../../../components/resource.tsx'
import { showToast } from '../../../components/toast.tsx'
import { SaleAmount } from '../../../components/token-amount.tsx'
import { formatCount } from '../../../format/number.ts'
import { parseAssetValue } from '../../../format/sold-token.ts'
import { t } from '../../../language/translate.ts'
import { useSearchState } from '../../../navigation/use-address.ts'
import { useBasePath, useMayChange } from '../../../session/project-context.tsx'
import { marketTexts } from '../../../texts/market.ts'
import { MarketTabs } from '../market-tabs.tsx'
import { closeListing } from './close-listing.ts'
import { ListingEnd } from './listing-end.tsx'
import { ListingDialog } from './listing-form.tsx'
import {
  countReserved,
  getListingKind,
  listingKindNames,
  listingKinds,
  readListingKind,
} from './listing-kinds.ts'

const { columns: headers, kinds } = marketTexts

const toPath = (listing: Listing) => `market/listings/${getListingKind(listing)}/${listing.id}`

/** The listings of a project that are open. Each kind is a list of its own, so one is always selected. */
export function ListingsPage(): ReactNode {
  const [search, setSearch] = useSearchState('kind', 'sell')
  const kind = readListingKind(search.kind)
  const { list } = listingKinds[kind]
  const base = useBasePath()
  const navigate = useNavigate()
  const mayChange = useMayChange()
  const show = (listing: Listing, replace: boolean) => {
    showToast(t('{nftName} is on the shelf', { nftName: listing.nftName }))
    void navigate({ to: `${base}/${toPath(listing)}`, replace })
  }
  const create = () =>
    openDialog((close) => (
      <ListingDialog
        kind={kind}
        token={undefined}
        onClose={() => close()}
        onListed={(listing) => show(listing, false)}
      />
    ))
  // The page of a token leads here with the token in the address.
  const dialog = mayChange && search.sell !== undefined && (
    <ListingDialog
      kind={kind}
      token={parseAssetValue(search.sell)}
      onClose={() => setSearch({ sell: undefined })}
      onListed={(listing) => show(listing, true)}
    />
  )
  return (
    <ResourcePage<typeof list>
      operation={list}
      title={marketTexts.title}
      description={t('What the project sells at present.')}
      actions={() => [
        {
          label: marketTexts.create,
          kind: 'primary',
          icon: 'plus',
          onSelect: create,
        },
      ]}
      above={<MarketTabs current="listings" />}
      filters={{
        kind: {
          label: marketTexts.kind,
          initial: 'common',
          options: Object.fromEntries(listingKindNames.map((name) => [name, kinds[name].name])),
        },
        contract: {
          label: t('Contract'),
          options: useContractOptions,
          toInput: (nftAddress) => ({ nftAddress }),
        },
      }}
      columns={{
        nftName: headers.token,
        payPrice: {
          label: headers.price,
          sort: true,
          align: 'end',
          cell: (listing) => <SaleAmount sale={listing} baseUnits={listing.payPrice} />,
        },
        remaining: alignEnd(headers.left, ({ remaining, quantity }) =>
          marketTexts.leftOf(formatCount(remaining), formatCount(quantity)),
        ),
        reservedFor: alignEnd(headers.reserved, (listing) => formatCount(countReserved(listing))),
        sold: headers.sold,
        _ends: { label: headers.ends, sort: 'endTime', cell: (listing) => <ListingEnd listing={listing} /> },
        seller: { label: headers.seller, cell: ({ seller }) => <WalletLink address={seller} /> },
      }}
      link={toPath}
      picture={({ nftImg }) => nftImg}
      nameOf={({ nftName }) => nftName}
      rowActions={(listing) => [{ label: t('Take off the shelf'), onSelect: () => closeListing(listing) }]}
      empty={{
        icon: 'market',
        title: t('Nothing of this kind is on the shelf'),
        advice: t('Put a token on the shelf, or choose another kind.'),
        adviceToRead: t('Choose another kind. What is for sale appears here.'),
      }}
      below={
        <>
          <p className="muted">
            {t('The gateway lists listings that are open. Those that were sold or closed are in the orders.')}
          </p>
          {dialog}
        </>
      }
    />
  )
}
