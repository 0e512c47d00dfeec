import type { ReactNode } from 'react'
import { TabLinks } from '../../components/tab-links.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { marketTexts } from '../../texts/market.ts'

const { views } = marketTexts

const parts = {
  listings: 'market',
  coupons: 'market/coupons',
  auctions: 'market/auctions',
  offers: 'market/offers',
  products: 'market/products',
} as const

interface MarketTabsProps {
  readonly current: keyof typeof parts
}

/** Leads between the parts of the market. */
export function MarketTabs({ current }: MarketTabsProps): ReactNode {
  const keys = Object.keys(parts) as (keyof typeof parts)[]
  return (
    <div className="section-tabs">
      <TabLinks
        label={views.label}
        tabs={keys.map((key) => ({
          key,
          isCurrent: key === current,
          link: <ProjectLink to={parts[key]}>{views[key]}</ProjectLink>,
        }))}
      />
    </div>
  )
}
