import type { ReactNode } from 'react'
import { TabLinks } from '../../components/view-tabs.tsx'

const tabs = [
  { key: 'listings', label: 'Listings', to: 'market' },
  { key: 'coupons', label: 'Coupons', to: 'market/coupons' },
  { key: 'auctions', label: 'Auctions', to: 'market/auctions' },
  { key: 'offers', label: 'Offers', to: 'market/offers' },
  { key: 'products', label: 'Product cards', to: 'market/products' },
] as const

/** Leads between the parts of the market. */
export function MarketTabs({ current }: { readonly current: (typeof tabs)[number]['key'] }): ReactNode {
  return <TabLinks label="Parts of the market" tabs={tabs} current={current} />
}
