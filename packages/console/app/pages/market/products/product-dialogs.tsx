import { type ProductNft, productCards } from '@mintmark/market'
import type { ReactNode } from 'react'
import { useWrite } from '../../../api/operations.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { showToast } from '../../../components/toast.tsx'
import { OperationForm } from '../../../form/operation-form.tsx'
import { useProject } from '../../../session/project-context.tsx'
import { productsTexts } from '../../../texts/market.ts'
import { componentTexts } from '../../../texts/shell.ts'

const { visibility } = productsTexts
const isRequired = true
const visibilityOptions = Object.entries(visibility).map(([value, label]) => ({ value, label }))

const fields = {
  name: { kind: 'text', isRequired, label: 'Name', description: 'What buyers see.' },
  owner: { kind: 'address', isRequired, label: 'Owner', description: 'The wallet that makes the product.' },
  imgUrl: {
    kind: 'url',
    sendsEmpty: true,
    label: 'Image',
    description: 'An address that begins with https://.',
  },
  description: { kind: 'multiline', sendsEmpty: true, label: 'Description' },
  limited: { kind: 'integer', label: 'Limit', description: 'The most units. 0: no limit.' },
  tokenUri: {
    kind: 'url',
    sendsEmpty: true,
    label: 'Metadata',
    description: 'The address that the contract returns as tokenURI.',
  },
  licenseCode: { kind: 'text', sendsEmpty: true, label: 'License' },
  properties: {
    kind: 'pairs',
    keys: ['trait_type', 'value'],
    label: 'Properties',
    description: 'One in each line: a name, a colon and a value, as in paper: cotton.',
  },
  royaltyPercentage: {
    kind: 'integer',
    label: 'Royalty in percent',
    description: 'Of each resale: 0 to 100.',
  },
  status: { kind: 'select', isRequired, options: visibilityOptions, label: 'Visibility' },
} as const

interface AddProductDialogProps {
  readonly nftAddress: string
  readonly onClose: () => void
}

/** Adds a product. */
export function AddProductDialog({ nftAddress, onClose }: AddProductDialogProps): ReactNode {
  const { wallet } = useProject()
  return (
    <Dialog title={productsTexts.add} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={productCards.addNftInfo}
        fields={fields}
        fixed={{ nftAddress }}
        initial={{ status: 'DISPLAY', limited: 0, owner: wallet }}
        action={productsTexts.add}
        onDone={() => {
          showToast('The product is added')
          onClose()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface ProductDialogProps {
  readonly product: ProductNft
  readonly onClose: () => void
}

/**
 * Changes a product. While units are reserved, its metadata and visibility stay, so they are left out then.
 */
export function EditProductDialog({ product, onClose }: ProductDialogProps): ReactNode {
  const { tokenUri, status, ...details } = fields
  const isFixed = product.status === 'RESERVED' || product.status === 'MINTED' || product.reserved > 0
  return (
    <Dialog title={`Edit ${product.name}`} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={productCards.updateNftInfo}
        fields={isFixed ? details : { ...details, tokenUri, status }}
        fixed={{ id: product.id }}
        initial={product}
        action={componentTexts.save}
        onDone={({ name }) => {
          showToast(`${name} is saved`)
          onClose()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Removes a product. */
export function RemoveProductDialog({ product: { id, name }, onClose }: ProductDialogProps): ReactNode {
  const remove = useWrite(productCards.removeNftInfo)
  const onConfirm = () =>
    remove.mutate(
      { id },
      {
        onSuccess: () => {
          showToast(`${name} is removed`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action={productsTexts.remove}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>This cannot be undone. A product of which a unit is reserved or minted cannot be removed.</p>
    </ConfirmDialog>
  )
}
