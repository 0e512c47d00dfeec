import { type ProductCard, type ProductNft, productCards } from '@mintmark/market'
import type { ReactNode } from 'react'
import { useOperation } from '../../../api/operations.ts'
import { ActionButtons } from '../../../components/actions.tsx'
import { createStatusColumn } from '../../../components/badge.tsx'
import { alignEnd } from '../../../components/data-table.tsx'
import { confirm, openForm } from '../../../components/dialogs.tsx'
import { listMintColumns } from '../../../components/minting/mint-table.tsx'
import { OpenPhase, PhaseSection } from '../../../components/minting/phase-section.tsx'
import { WhitelistSection } from '../../../components/minting/whitelist-section.tsx'
import { RecordPage } from '../../../components/record-page.tsx'
import { ResourceSection } from '../../../components/resource.tsx'
import { TableSection } from '../../../components/table-section.tsx'
import { imageField, metadataField, propertiesField, royaltyField } from '../../../form/nft-fields.ts'
import { formatCount } from '../../../format/number.ts'
import { usePathParam } from '../../../navigation/use-address.ts'
import { useProject } from '../../../session/project-context.tsx'

const isRequired = true
const visibilityOptions = [
  { value: 'DISPLAY', label: 'Shown to buyers' },
  { value: 'HIDDEN', label: 'Hidden' },
]

const fields = {
  name: { kind: 'text', isRequired, label: 'Name', description: 'What buyers see.' },
  owner: { kind: 'address', isRequired, label: 'Owner', description: 'The wallet that makes the product.' },
  imgUrl: imageField,
  description: { kind: 'multiline', sendsEmpty: true, label: 'Description' },
  limited: { kind: 'integer', label: 'Limit', description: 'The most units. 0: no limit.' },
  tokenUri: { ...metadataField, sendsEmpty: true },
  licenseCode: { kind: 'text', sendsEmpty: true, label: 'License' },
  properties: propertiesField,
  royaltyPercentage: royaltyField,
  status: { kind: 'select', isRequired, options: visibilityOptions, label: 'Visibility' },
} as const

/** Adds a product. */
const addProduct = (nftAddress: string, owner: string) =>
  openForm({
    operation: productCards.addNftInfo,
    fields,
    fixed: { nftAddress },
    initial: { status: 'DISPLAY', limited: 0, owner },
    title: 'Add product',
    done: 'The product is added',
  })

/**
 * Changes a product. While units are reserved, its metadata and visibility stay, so they are left out then.
 */
function editProduct(product: ProductNft) {
  const { tokenUri, status, ...details } = fields
  const isFixed = product.status === 'RESERVED' || product.status === 'MINTED' || product.reserved > 0
  return openForm({
    operation: productCards.updateNftInfo,
    fields: isFixed ? details : { ...details, tokenUri, status },
    fixed: { id: product.id },
    initial: product,
    title: `Edit ${product.name}`,
    action: 'Save',
    done: ({ name }) => `${name} is saved`,
  })
}

/** Removes a product. */
const removeProduct = ({ id, name }: ProductNft) =>
  confirm({
    operation: productCards.removeNftInfo,
    input: { id },
    title: `Remove ${name}?`,
    text: 'This cannot be undone. A product of which a unit is reserved or minted cannot be removed.',
    action: 'Remove',
    done: `${name} is removed`,
  })

/** The gateway returns so many products. */
const MAX_PRODUCTS = 100

const statuses = {
  HIDDEN: ['Hidden', 'neutral'],
  DISPLAY: ['On sale', 'success'],
  RESERVED: ['All reserved', 'warning'],
  MINTED: ['Sold out', 'info'],
} as const

/** The product card of a contract: its products, phases, whitelists and mints. */
export function ProductPage(): ReactNode {
  const nftAddress = usePathParam('nftAddress')
  return (
    <RecordPage
      query={useOperation(productCards.product, { nftAddress })}
      list={{ to: 'market/products', title: 'Product cards' }}
      title={({ contract }) => `Product card of ${contract.name}`}
      status={({ presale }) => <OpenPhase presale={presale} />}
    >
      {(card) => (
        <>
          <ProductSection card={card} />
          <PhaseSection program="productCards" chainId={card.contract.chainId} presale={card.presale} />
          <WhitelistSection program="productCards" presale={card.presale} />
          <MintSection nftAddress={nftAddress} chainId={card.contract.chainId} />
        </>
      )}
    </RecordPage>
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
        status: createStatusColumn(statuses),
        minted: 'Minted',
        reserved: 'Reserved',
        limited: alignEnd('Limit', ({ limited }: ProductNft) =>
          limited === 0 ? 'No limit' : formatCount(limited),
        ),
      }}
      rows={nfts}
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
      empty={{
        icon: 'minting',
        title: 'No mints yet',
        advice: 'When a buyer gets permission to mint, it appears here.',
      }}
      pageParam="mints"
    />
  )
}
