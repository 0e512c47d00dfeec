import { type ProductCard, productCards } from '@mintmark/market'
import type { ReactNode } from 'react'
import { useOperation } from '../../../api/operations.ts'
import { ActionButtons } from '../../../components/actions.tsx'
import { BackLink } from '../../../components/back-link.tsx'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { listMintColumns } from '../../../components/minting/mint-table.tsx'
import { PhaseSection } from '../../../components/minting/phase-section.tsx'
import { WhitelistSection } from '../../../components/minting/whitelist-section.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { ResourceSection } from '../../../components/resource.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { TableSection } from '../../../components/table-section.tsx'
import { formatCount } from '../../../format/number.ts'
import { usePathParam } from '../../../navigation/use-address.ts'
import { useProject } from '../../../session/project-context.tsx'
import { productsTexts } from '../../../texts/market.ts'
import { mintingTexts } from '../../../texts/minting.ts'
import { addProduct, editProduct, removeProduct } from './product-dialogs.ts'

const { statuses } = productsTexts
/** The gateway returns so many products. */
const MAX_PRODUCTS = 100

const tones: Readonly<Record<keyof typeof statuses, Tone>> = {
  HIDDEN: 'neutral',
  DISPLAY: 'success',
  RESERVED: 'warning',
  MINTED: 'info',
}

/** The product card of a contract: its products, phases, whitelists and mints. */
export function ProductPage(): ReactNode {
  const nftAddress = usePathParam('nftAddress')
  const { projectName } = useProject()
  const query = useOperation(productCards.product, { nftAddress })
  const { data: card } = query
  return (
    <>
      <PageHeader
        title={card === undefined ? productsTexts.title : `Product card of ${card.contract.name}`}
        context={projectName}
        above={<BackLink to="market/products">{productsTexts.title}</BackLink>}
        status={
          card &&
          card.presale.active !== '' && (
            <Badge tone="success">{mintingTexts.openPhase(card.presale.active)}</Badge>
          )
        }
      />
      <QueryView query={query}>
        {(found) => (
          <>
            <ProductSection card={found} />
            <PhaseSection program="productCards" chainId={found.contract.chainId} presale={found.presale} />
            <WhitelistSection program="productCards" presale={found.presale} />
            <MintSection nftAddress={nftAddress} chainId={found.contract.chainId} />
          </>
        )}
      </QueryView>
    </>
  )
}

function ProductSection({ card: { nfts, contract } }: { readonly card: ProductCard }): ReactNode {
  const { wallet } = useProject()
  const { nftAddress } = contract
  const add = { label: 'Add product', icon: 'plus', onSelect: () => addProduct(nftAddress, wallet) } as const
  return (
    <TableSection
      title="Products"
      actions={<ActionButtons actions={[add]} />}
      columns={{
        name: 'Name',
        status: {
          label: 'Status',
          cell: ({ status }) => <StatusBadge status={status} names={statuses} tones={tones} />,
        },
        minted: 'Minted',
        reserved: 'Reserved',
        limited: {
          label: 'Limit',
          align: 'end',
          cell: ({ limited }) => (limited === 0 ? 'No limit' : formatCount(limited)),
        },
      }}
      rows={nfts}
      getKey={({ id }) => id}
      picture={({ imgUrl }) => imgUrl}
      nameOf={({ name }) => name}
      rowActions={(product) => [
        { label: 'Edit', onSelect: () => editProduct(product) },
        { label: 'Remove', isDangerous: true, onSelect: () => removeProduct(product) },
      ]}
      empty={{
        icon: 'market',
        title: 'No products yet',
        advice: 'Add the first product that buyers can mint.',
        adviceToRead: 'Products that buyers can mint appear here.',
      }}
      below={
        nfts.length === MAX_PRODUCTS && <p className="muted">The gateway returns the newest 100 products.</p>
      }
    />
  )
}

interface MintSectionProps {
  readonly nftAddress: string
  readonly chainId: string
}

function MintSection({ nftAddress, chainId }: MintSectionProps): ReactNode {
  return (
    <ResourceSection
      operation={productCards.mints}
      input={{ nftAddress }}
      title="Mints"
      columns={listMintColumns(chainId)}
      getKey={({ id }) => id}
      empty={{
        icon: 'minting',
        title: 'No mints yet',
        advice: 'When a buyer gets permission to mint, it appears here.',
      }}
      pageParam="mints"
    />
  )
}
