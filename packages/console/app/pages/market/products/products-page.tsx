import { contracts } from '@mintmark/contracts'
import { Badge } from '../../../components/badge.tsx'
import { defineResource } from '../../../components/resource.tsx'
import { MarketTabs } from '../market-tabs.tsx'

/** The contracts of a project, each with its product card. */
export const ProductsPage = defineResource(contracts.list, {
  title: 'Product cards',
  description: 'Products whose NFTs buyers mint. Each contract has its own product card.',
  above: <MarketTabs current="products" />,
  columns: {
    name: { label: 'Name', sort: true },
    nftType: { label: 'Type', cell: ({ nftType }) => <Badge tone="neutral">{nftType}</Badge> },
    chainId: 'Chain',
  },
  link: ({ nftAddress }) => `market/products/${nftAddress}`,
  picture: ({ imgUrl }) => imgUrl,
  empty: {
    icon: 'contract',
    title: 'No contracts yet',
    advice: 'Add a contract first. Its product card is here then.',
    adviceToRead: 'Each contract of the project has its product card here.',
  },
})
