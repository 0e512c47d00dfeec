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

const { fields: texts, visibility } = productsTexts
const isRequired = true
const visibilityOptions = Object.entries(visibility).map(([value, label]) => ({ value, label }))

const fields = {
  name: { kind: 'text', isRequired, ...texts.name },
  owner: { kind: 'address', isRequired, ...texts.owner },
  imgUrl: { kind: 'url', sendsEmpty: true, ...texts.imgUrl },
  description: { kind: 'multiline', sendsEmpty: true, ...texts.description },
  limited: { kind: 'integer', ...texts.limited },
  tokenUri: { kind: 'url', sendsEmpty: true, ...texts.tokenUri },
  licenseCode: { kind: 'text', sendsEmpty: true, ...texts.licenseCode },
  properties: { kind: 'pairs', keys: ['trait_type', 'value'], ...texts.properties },
  royaltyPercentage: { kind: 'integer', ...texts.royaltyPercentage },
  status: { kind: 'select', isRequired, options: visibilityOptions, ...texts.status },
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
          showToast(productsTexts.added)
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
    <Dialog title={productsTexts.editTitle(product.name)} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={productCards.updateNftInfo}
        fields={isFixed ? details : { ...details, tokenUri, status }}
        fixed={{ id: product.id }}
        initial={product}
        action={componentTexts.save}
        onDone={({ name }) => {
          showToast(productsTexts.saved(name))
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
          showToast(productsTexts.removed(name))
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={productsTexts.removeTitle(name)}
      action={productsTexts.remove}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{productsTexts.removeWarning}</p>
    </ConfirmDialog>
  )
}
