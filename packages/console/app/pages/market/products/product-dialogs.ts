import { type ProductNft, productCards } from '@mintmark/market'
import { confirm, openForm } from '../../../components/dialogs.tsx'
import { imageField, metadataField, propertiesField, royaltyField } from '../../../form/nft-fields.ts'
import { productsTexts } from '../../../texts/market.ts'

const { visibility } = productsTexts
const isRequired = true
const visibilityOptions = Object.entries(visibility).map(([value, label]) => ({ value, label }))

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
export const addProduct = (nftAddress: string, owner: string) =>
  openForm({
    operation: productCards.addNftInfo,
    fields,
    fixed: { nftAddress },
    initial: { status: 'DISPLAY', limited: 0, owner },
    title: 'Add product',
    action: 'Add product',
    done: 'The product is added',
  })

/**
 * Changes a product. While units are reserved, its metadata and visibility stay, so they are left out then.
 */
export function editProduct(product: ProductNft) {
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
export const removeProduct = ({ id, name }: ProductNft) =>
  confirm({
    operation: productCards.removeNftInfo,
    input: { id },
    title: `Remove ${name}?`,
    text: 'This cannot be undone. A product of which a unit is reserved or minted cannot be removed.',
    action: 'Remove',
    done: `${name} is removed`,
  })
