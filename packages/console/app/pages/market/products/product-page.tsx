import { type ProductCard, type ProductNft, productCards } from '@mintmark/market'
import { type ReactNode, useState } from 'react'
import { useList } from '../../../api/lists.ts'
import { useOperation } from '../../../api/operations.ts'
import { BackLink } from '../../../components/back-link.tsx'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { type Columns, DataTable } from '../../../components/data-table.tsx'
import { Section } from '../../../components/detail-list.tsx'
import { LazyMenu } from '../../../components/lazy-menu.tsx'
import { ListView } from '../../../components/list-view.tsx'
import { listMintColumns } from '../../../components/minting/mint-table.tsx'
import { PhaseSection } from '../../../components/minting/phase-section.tsx'
import { WhitelistSection } from '../../../components/minting/whitelist-section.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { EmptyState } from '../../../components/placeholders.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { TitledPicture } from '../../../components/titled-picture.tsx'
import { formatCount } from '../../../format/number.ts'
import { readPageNumber } from '../../../navigation/search-params.ts'
import { usePathParam, useSearchState } from '../../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../../session/project-context.tsx'
import { productsTexts } from '../../../texts/market.ts'
import { mintingTexts, mintsTexts } from '../../../texts/minting.ts'
import { AddProductDialog, EditProductDialog, RemoveProductDialog } from './product-dialogs.tsx'

const { statuses } = productsTexts
/** The gateway returns so many products. */
const MAX_PRODUCTS = 100

const tones: Readonly<Record<keyof typeof statuses, Tone>> = {
  HIDDEN: 'neutral',
  DISPLAY: 'success',
  RESERVED: 'warning',
  MINTED: 'info',
}

type OpenDialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'remove'; readonly product: ProductNft }

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
  const mayChange = useMayChange()
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const add = mayChange && (
    <Button icon="plus" onClick={() => setDialog({ kind: 'add' })}>
      {productsTexts.add}
    </Button>
  )
  return (
    <Section title={productsTexts.products} actions={add}>
      {nfts.length === 0 ? (
        <EmptyState
          icon="market"
          title="No products yet"
          advice="Add the first product that buyers can mint."
          adviceToRead="Products that buyers can mint appear here."
        />
      ) : (
        <DataTable
          label={productsTexts.products}
          columns={productColumns}
          rows={nfts}
          getKey={({ id }) => id}
          actions={mayChange ? (product) => <ProductMenu product={product} onOpen={setDialog} /> : undefined}
        />
      )}
      {nfts.length === MAX_PRODUCTS && <p className="muted">The gateway returns the newest 100 products.</p>}
      {dialog?.kind === 'add' && <AddProductDialog nftAddress={contract.nftAddress} onClose={close} />}
      {dialog?.kind === 'edit' && <EditProductDialog product={dialog.product} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveProductDialog product={dialog.product} onClose={close} />}
    </Section>
  )
}

const productColumns: Columns<ProductNft> = {
  name: { label: 'Name', cell: ({ name, imgUrl }) => <TitledPicture address={imgUrl}>{name}</TitledPicture> },
  status: { label: 'Status', cell: ({ status }) => <ProductStatusBadge status={status} /> },
  minted: 'Minted',
  reserved: 'Reserved',
  limited: {
    label: 'Limit',
    align: 'end',
    cell: ({ limited }) => (limited === 0 ? 'No limit' : formatCount(limited)),
  },
}

function ProductStatusBadge({ status }: { readonly status: string }): ReactNode {
  const known = status in statuses ? (status as keyof typeof statuses) : undefined
  return <Badge tone={known ? tones[known] : 'neutral'}>{known ? statuses[known] : status}</Badge>
}

interface ProductMenuProps {
  readonly product: ProductNft
  readonly onOpen: (dialog: OpenDialog) => void
}

function ProductMenu({ product, onOpen }: ProductMenuProps): ReactNode {
  return (
    <LazyMenu
      label={`Actions for ${product.name}`}
      entries={[
        { key: 'edit', label: 'Edit', onSelect: () => onOpen({ kind: 'edit', product }) },
        {
          key: 'remove',
          label: productsTexts.remove,
          isDangerous: true,
          onSelect: () => onOpen({ kind: 'remove', product }),
        },
      ]}
    />
  )
}

interface MintSectionProps {
  readonly nftAddress: string
  readonly chainId: string
}

function MintSection({ nftAddress, chainId }: MintSectionProps): ReactNode {
  const [{ mints }, setSearch] = useSearchState('mints', 'page')
  const query = useList(productCards.mints, { nftAddress }, { pageNumber: readPageNumber(mints) })
  return (
    <Section title={mintsTexts.title}>
      <ListView
        label={mintsTexts.title}
        query={query}
        columns={listMintColumns(chainId)}
        getKey={({ id }) => id}
        empty={<EmptyState icon="minting" {...mintsTexts.empty} />}
        onPage={(pageNumber) => setSearch({ mints: String(pageNumber), page: undefined })}
      />
    </Section>
  )
}
