import type { ReactNode } from 'react'
import { TabLinks } from '../../components/view-tabs.tsx'
import { t } from '../../language/translate.ts'

const tabs = [
  { key: 'listings', label: t('Listings'), to: 'market' },
  { key: 'coupons', label: t('Coupons'), to: 'market/coupons' },
  { key: 'auctions', label: t('Auctions'), to: 'market/auctions' },
  { key: 'offers', label: t('Offers'), to: 'market/offers' },
  { key: 'products', label: t('Product cards'), to: 'market/products' },
] as const

/** Leads between the parts of the market. */
export function MarketTabs({ current }: { readonly current: (typeof tabs)[number]['key'] }): ReactNode {
  return <TabLinks label={t('Parts of the market')} tabs={tabs} current={current} />
}
