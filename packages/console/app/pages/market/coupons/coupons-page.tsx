import type { Coupon } from '@mintmark/market'
import type { ReactNode } from 'react'
import { ActionButtons } from '../../../components/actions.tsx'
import { FeedTable } from '../../../components/feed-table.tsx'
import { SearchField, Toolbar } from '../../../components/filters.tsx'
import { openDialog } from '../../../components/open-dialog.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { t } from '../../../language/translate.ts'
import { useSearchState } from '../../../navigation/use-address.ts'
import { couponsTexts, marketTexts } from '../../../texts/market.ts'
import { getListingKind } from '../listings/listing-kinds.ts'
import { MarketTabs } from '../market-tabs.tsx'
import { CouponEnd, CouponStatus, formatUses } from './coupon-details.tsx'
import { CodeDialog, CodesDialog, createCoupon, openCoupon } from './coupon-dialogs.tsx'
import { formatDiscount, useCoupons } from './coupons.ts'

const { columns: headers } = couponsTexts

/** Creates a coupon, then shows its codes. */
async function createWithCodes(): Promise<void> {
  const made = await createCoupon()
  if (made !== undefined) await openDialog((close) => <CodesDialog made={made} onClose={() => close()} />)
}

/** The coupons of a project, and looking up a code. */
export function CouponsPage(): ReactNode {
  const [{ code }, setSearch] = useSearchState('code')
  const { getFormat } = useCoupons()
  return (
    <>
      <PageHeader
        title={couponsTexts.title}
        description={t(
          'Coupons lower the price of listings. Here are those that were created or used within the time for which the gateway keeps events.',
        )}
        actions={
          <ActionButtons
            actions={[
              { label: couponsTexts.create, kind: 'primary', icon: 'plus', onSelect: createWithCodes },
            ]}
          />
        }
      />
      <MarketTabs current="coupons" />
      <Toolbar isFiltered={false} onClear={() => setSearch({ code: undefined })}>
        <SearchField
          label={t('Find a code')}
          value={code ?? ''}
          onSearch={(text) => setSearch({ code: text })}
        />
      </Toolbar>
      <FeedTable<Coupon>
        feed={{ group: 'couponCodes', types: 'coupon.*' }}
        label={couponsTexts.title}
        columns={{
          id: { label: t('Coupon'), align: 'start', cell: ({ id }) => couponsTexts.couponNo(id) },
          _status: { label: headers.status, cell: (coupon) => <CouponStatus coupon={coupon} /> },
          _discount: { label: headers.discount, cell: (coupon) => formatDiscount(coupon, getFormat(coupon)) },
          _for: { label: t('Listings'), cell: (coupon) => marketTexts.kinds[getListingKind(coupon)].name },
          _uses: { label: headers.uses, align: 'end', cell: formatUses },
          redeemed: headers.redeemed,
          _ends: { label: headers.ends, cell: (coupon) => <CouponEnd coupon={coupon} /> },
        }}
        onOpen={(coupon) => void openCoupon(coupon, getFormat(coupon))}
        empty={{
          icon: 'market',
          title: t('No coupons'),
          advice: t('Create a coupon with codes for your customers.'),
          adviceToRead: t('Coupons and their codes appear here.'),
        }}
        truncated={t(
          'The gateway has more events about coupons than were read. Use the search to find others by their code.',
        )}
      />
      {code !== undefined && code.length >= 4 && (
        <CodeDialog code={code} onClose={() => setSearch({ code: undefined })} />
      )}
    </>
  )
}
