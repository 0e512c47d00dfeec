import { contracts } from '@mintmark/contracts'
import { Badge } from '../../../components/badge.tsx'
import { defineResource } from '../../../components/resource.tsx'
import { t } from '../../../language/translate.ts'
import { MarketTabs } from '../market-tabs.tsx'

/** The contracts of a project, each with its product card. */
export const ProductsPage = defineResource(contracts.list, {
  title: t('Product cards'),
  description: t('Products whose NFTs buyers mint. Each contract has its own product card.'),
  above: <MarketTabs current="products" />,
  columns: {
    name: { label: t('Name'), sort: true },
    nftType: { label: t('Type'), cell: ({ nftType }) => <Badge tone="neutral">{nftType}</Badge> },
    chainId: t('Chain'),
  },
  link: ({ nftAddress }) => `market/products/${nftAddress}`,
  picture: ({ imgUrl }) => imgUrl,
  empty: {
    icon: 'contract',
    title: t('No contracts yet'),
    advice: t('Add a contract first. Its product card is here then.'),
    adviceToRead: t('Each contract of the project has its product card here.'),
  },
})
