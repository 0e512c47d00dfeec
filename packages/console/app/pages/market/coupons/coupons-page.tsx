import type { Coupon, MadeCoupon } from '@mintmark/market'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { type Columns, DataTable } from '../../../components/data-table.tsx'
import { SearchField, Toolbar } from '../../../components/filters.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { EmptyState } from '../../../components/placeholders.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { usePageOf } from '../../../components/use-page-of.tsx'
import { useSearchState } from '../../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../../session/project-context.tsx'
import { couponsTexts, marketTexts } from '../../../texts/market.ts'
import { getListingKind } from '../listings/listing-kinds.ts'
import { MarketTabs } from '../market-tabs.tsx'
import { CouponEnd, CouponStatus, formatUses } from './coupon-details.tsx'
import { CodeDialog, CodesDialog, CouponDialog, CreateCouponDialog } from './coupon-dialogs.tsx'
import { type FormatToken, formatDiscount, useCoupons } from './coupons.ts'

const { columns: headers } = couponsTexts

type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'codes'; readonly made: MadeCoupon }
  | { readonly kind: 'coupon'; readonly coupon: Coupon; readonly formatToken: FormatToken }

/** The coupons of a project, and looking up a code. */
export function CouponsPage(): ReactNode {
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const [{ code }, setSearch] = useSearchState('code')
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const create = mayChange && (
    <Button kind="primary" icon="plus" onClick={() => setDialog({ kind: 'create' })}>
      {couponsTexts.create}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={couponsTexts.title}
        context={projectName}
        description={couponsTexts.description}
        actions={create}
      />
      <MarketTabs current="coupons" />
      <Toolbar isFiltered={false} onClear={() => setSearch({ code: undefined })}>
        <SearchField
          label={couponsTexts.search}
          value={code ?? ''}
          onSearch={(text) => setSearch({ code: text })}
        />
      </Toolbar>
      <CouponList onOpen={(coupon, formatToken) => setDialog({ kind: 'coupon', coupon, formatToken })} />
      {code !== undefined && code.length >= 4 && (
        <CodeDialog code={code} onClose={() => setSearch({ code: undefined })} />
      )}
      {dialog?.kind === 'create' && (
        <CreateCouponDialog onCreated={(made) => setDialog({ kind: 'codes', made })} onClose={close} />
      )}
      {dialog?.kind === 'codes' && <CodesDialog made={dialog.made} onClose={close} />}
      {dialog?.kind === 'coupon' && <CouponDialog {...dialog} onClose={close} />}
    </>
  )
}

interface CouponListProps {
  readonly onOpen: (coupon: Coupon, formatToken: FormatToken) => void
}

function CouponList({ onOpen }: CouponListProps): ReactNode {
  const { query, list, getFormat } = useCoupons()
  const { items, pagination } = usePageOf(list)
  const columns: Columns<Coupon> = {
    id: {
      label: headers.coupon,
      cell: (coupon) => (
        <button
          type="button"
          className="link-button row-link"
          onClick={() => onOpen(coupon, getFormat(coupon))}
        >
          {couponsTexts.couponNo(coupon.id)}
        </button>
      ),
    },
    _status: { label: headers.status, cell: (coupon) => <CouponStatus coupon={coupon} /> },
    _discount: { label: headers.discount, cell: (coupon) => formatDiscount(coupon, getFormat(coupon)) },
    _for: {
      label: couponsTexts.forListing,
      cell: (coupon) => marketTexts.kinds[getListingKind(coupon)].name,
    },
    _uses: { label: headers.uses, align: 'end', cell: formatUses },
    redeemed: headers.redeemed,
    _ends: { label: headers.ends, cell: (coupon) => <CouponEnd coupon={coupon} /> },
  }
  return (
    <QueryView query={query}>
      {({ hasMore }) => (
        <>
          {list.length === 0 ? (
            <EmptyState icon="market" {...couponsTexts.empty} />
          ) : (
            <DataTable label={couponsTexts.title} columns={columns} rows={items} getKey={({ id }) => id} />
          )}
          {pagination}
          {hasMore && <p className="muted">{couponsTexts.truncated}</p>}
        </>
      )}
    </QueryView>
  )
}
