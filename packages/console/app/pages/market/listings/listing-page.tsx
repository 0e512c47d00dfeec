import type { Coupon, Listing } from '@mintmark/market'
import type { ReactNode } from 'react'
import { useOperation } from '../../../api/operations.ts'
import { StatusBadge } from '../../../components/badge.tsx'
import { DetailList, Section } from '../../../components/detail-list.tsx'
import { WalletLink } from '../../../components/links.tsx'
import { Picture } from '../../../components/picture.tsx'
import { RecordPage } from '../../../components/record-page.tsx'
import { Time } from '../../../components/time.tsx'
import { formatTokenAmount, SaleAmount } from '../../../components/token-amount.tsx'
import { formatCount } from '../../../format/number.ts'
import { t } from '../../../language/translate.ts'
import { ProjectLink, toTokenPath } from '../../../navigation/project-link.tsx'
import { usePathParam } from '../../../navigation/use-address.ts'
import { nftsTexts } from '../../../texts/contracts.ts'
import { marketTexts } from '../../../texts/market.ts'
import { CouponDetails } from '../coupons/coupon-details.tsx'
import { closeListing } from './close-listing.ts'
import { ListingEnd } from './listing-end.tsx'
import { countReserved, getListingKind, listingKinds, readListingKind } from './listing-kinds.ts'

const { columns: headers, kinds } = marketTexts

const statuses = {
  ON: [t('On the shelf'), 'success'],
  SOLD: [t('Sold out'), 'info'],
  OFF: [t('Taken off'), 'neutral'],
  EXPIRED: [t('Ended'), 'neutral'],
  INACTIVE: [t('Paused: the seller no longer has enough'), 'warning'],
} as const

/** A listing with its stock and its coupon. */
export function ListingPage(): ReactNode {
  const kind = readListingKind(usePathParam('kind'))
  const id = Number(usePathParam('id'))
  return (
    <RecordPage
      query={useOperation(listingKinds[kind].get, { id })}
      list={{ to: 'market', title: marketTexts.title }}
      title={({ nftName }) => t('{nftName}, listing {id}', { nftName, id })}
      titleFirst={t('Details')}
      status={({ status }) => <StatusBadge status={status} statuses={statuses} />}
      actions={(listing) => [
        (listing.status === 'ON' || listing.status === 'INACTIVE') && {
          label: t('Take off the shelf'),
          onSelect: () => closeListing(listing),
        },
      ]}
    >
      {(listing) => <ListingDetails listing={listing} />}
    </RecordPage>
  )
}

function ListingDetails({ listing }: { readonly listing: Listing }): ReactNode {
  const { nftImg, nftName, nftAddress, nftId, quantity, remaining, sold, reservedFor, coupon } = listing
  const details = {
    [headers.price]: <SaleAmount sale={listing} baseUnits={listing.payPrice} />,
    [headers.left]: marketTexts.leftOf(formatCount(remaining), formatCount(quantity)),
    [headers.reserved]: formatCount(countReserved(listing)),
    [headers.sold]: formatCount(sold),
    [marketTexts.kind]: kinds[getListingKind(listing)].name,
    [headers.seller]: <WalletLink address={listing.seller} />,
    [headers.token]: <ProjectLink to={toTokenPath({ nftAddress, nftId })}>{nftName}</ProjectLink>,
    [t('Opens')]: <Time value={listing.startTime} />,
    [headers.ends]: <ListingEnd listing={listing} />,
    [t('Listed')]: <Time value={listing.createTime} />,
  }
  return (
    <>
      <div className="record-head">
        <Picture address={nftImg} label={nftsTexts.alt(nftName)} size="large" />
        <DetailList details={details} />
      </div>
      {reservedFor.length > 0 && (
        <Section title={t('Wallets that can buy')}>
          <ul className="stack-small">
            {reservedFor.map((address) => (
              <li key={address}>
                <WalletLink address={address} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {isCoupon(coupon) && (
        <Section title={t('Coupon')}>
          <CouponDetails coupon={coupon} formatToken={(baseUnits) => formatInToken(listing, baseUnits)} />
        </Section>
      )}
    </>
  )
}

/** Whether a listing has a coupon: without one, the field is an empty object. */
function isCoupon(coupon: Listing['coupon']): coupon is Coupon {
  return 'couponType' in coupon
}

function formatInToken({ chainId, payTokenAddress, payTokenDecimals }: Listing, baseUnits: string): string {
  return formatTokenAmount({ chainId, payTokenAddress, decimals: payTokenDecimals, baseUnits })
}
