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
import { t } from '../../../language/translate.ts'
import { usePathParam } from '../../../navigation/use-address.ts'
import { useProject } from '../../../session/project-context.tsx'

const isRequired = true
const visibilityOptions = [
  { value: 'DISPLAY', label: t('Shown to buyers') },
  { value: 'HIDDEN', label: t('Hidden') },
]

const fields = {
  name: { kind: 'text', isRequired, label: t('Name'), description: t('What buyers see.') },
  owner: {
    kind: 'address',
    isRequired,
    label: t('Owner'),
    description: t('The wallet that makes the product.'),
  },
  imgUrl: imageField,
  description: { kind: 'multiline', sendsEmpty: true, label: t('Description') },
  limited: { kind: 'integer', label: t('Limit'), description: t('The most units. 0: no limit.') },
  tokenUri: { ...metadataField, sendsEmpty: true },
  licenseCode: { kind: 'text', sendsEmpty: true, label: t('License') },
  properties: propertiesField,
  royaltyPercentage: royaltyField,
  status: { kind: 'select', isRequired, options: visibilityOptions, label: t('Visibility') },
} as const

/** Adds a product. */
const addProduct = (nftAddress: string, owner: string) =>
  openForm({
    operation: productCards.addNftInfo,
    fields,
    fixed: { nftAddress },
    initial: { status: 'DISPLAY', limited: 0, owner },
    title: t('Add product'),
    done: t('The product is added'),
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
    title: t('Edit {name}', { name: product.name }),
    action: t('Save'),
    done: ({ name }) => t('{name} is saved', { name }),
  })
}

/** Removes a product. */
const removeProduct = ({ id, name }: ProductNft) =>
  confirm({
    operation: productCards.removeNftInfo,
    input: { id },
    title: t('Remove {name}?', { name }),
    text: t('This cannot be undone. A product of which a unit is reserved or minted cannot be removed.'),
    action: t('Remove'),
    done: t('{name} is removed', { name }),
  })

/** The gateway returns so many products. */
const MAX_PRODUCTS = 100

const statuses = {
  HIDDEN: [t('Hidden'), 'neutral'],
  DISPLAY: [t('On sale'), 'success'],
  RESERVED: [t('All reserved'), 'warning'],
  MINTED: [t('Sold out'), 'info'],
} as const

/** The product card of a contract: its products, phases, whitelists and mints. */
export function ProductPage(): ReactNode {
  const nftAddress = usePathParam('nftAddress')
  return (
    <RecordPage
      query={useOperation(productCards.product, { nftAddress })}
      list={{ to: 'market/products', title: t('Product cards') }}
      title={({ contract }) => t('Product card of {name}', { name: contract.name })}
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
  const add = {
    label: t('Add product'),
    icon: 'plus',
    onSelect: () => addProduct(nftAddress, wallet),
  } as const
  return (
    <TableSection
      title={t('Products')}
      actions={<ActionButtons actions={[add]} />}
      columns={{
        name: t('Name'),
        status: createStatusColumn(statuses),
        minted: t('Minted'),
        reserved: t('Reserved'),
        limited: alignEnd(t('Limit'), ({ limited }: ProductNft) =>
          limited === 0 ? t('No limit') : formatCount(limited),
        ),
      }}
      rows={nfts}
      picture={({ imgUrl }) => imgUrl}
      nameOf={({ name }) => name}
      rowActions={(product) => [
        { label: t('Edit'), onSelect: () => editProduct(product) },
        { label: t('Remove'), isDangerous: true, onSelect: () => removeProduct(product) },
      ]}
      empty={{
        icon: 'market',
        title: t('No products yet'),
        advice: t('Add the first product that buyers can mint.'),
        adviceToRead: t('Products that buyers can mint appear here.'),
      }}
      below={
        nfts.length === MAX_PRODUCTS && (
          <p className="muted">{t('The gateway returns the newest 100 products.')}</p>
        )
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
      title={t('Mints')}
      columns={listMintColumns(chainId)}
      empty={{
        icon: 'minting',
        title: t('No mints yet'),
        advice: t('When a buyer gets permission to mint, it appears here.'),
      }}
      pageParam="mints"
    />
  )
}
