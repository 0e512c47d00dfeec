import { type Contract, contracts, NftType } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { contractsTexts } from '../../texts/contracts.ts'
import { componentTexts } from '../../texts/shell.ts'

const { fields: texts } = contractsTexts
const isRequired = true

const typeOptions = Object.values(NftType).map((value) => ({ value, label: contractsTexts.types[value] }))

/** The fields that can be changed later, by the names of the input. */
const details = {
  symbol: { kind: 'text', sendsEmpty: true, label: 'Symbol', description: 'Such as PRINT.' },
  owner: { kind: 'address', label: 'Owner', description: 'The wallet that created the collection.' },
  contractType: {
    kind: 'text',
    sendsEmpty: true,
    label: 'Category',
    description: 'Your own word, such as collection.',
  },
  description: { kind: 'multiline', sendsEmpty: true, label: 'Description' },
  imgUrl: {
    kind: 'url',
    sendsEmpty: true,
    label: 'Image',
    description: 'An address that begins with https://.',
  },
  adult: { kind: 'boolean', label: 'For adults only' },
} as const

interface AddContractDialogProps {
  readonly onAdded: (contract: Contract) => void
  readonly onClose: () => void
}

/** Registers a contract. */
export function AddContractDialog({ onAdded, onClose }: AddContractDialogProps): ReactNode {
  return (
    <Dialog title={contractsTexts.add} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={contracts.add}
        fields={{
          name: { kind: 'text', isRequired, ...texts.name },
          nftAddress: {
            kind: 'address',
            isRequired,
            label: 'Address',
            description: 'The address of the contract on its chain.',
          },
          chainId: {
            kind: 'code',
            isRequired,
            label: 'Chain id',
            description: 'A number, such as 8453 for Base.',
          },
          nftType: { kind: 'select', isRequired, options: typeOptions, label: 'Type of the tokens' },
          index: {
            kind: 'boolean',
            label: 'Follow transfers on the chain',
            description:
              'The chain then determines who owns the tokens. This cannot be changed later. Without it, ownership changes only by sales here.',
          },
          ...details,
          allowUnknownChain: {
            kind: 'boolean',
            label: 'Add it even if the gateway cannot read the chain',
            description: 'Tokens cannot be sold or minted until an operator connects the chain.',
          },
        }}
        initial={{ nftType: NftType.ERC721 }}
        action={contractsTexts.add}
        onDone={onAdded}
        onCancel={onClose}
      />
    </Dialog>
  )
}

interface EditContractDialogProps {
  readonly contract: Contract
  readonly onSaved: (contract: Contract) => void
  readonly onClose: () => void
}

/** Changes what the project wrote about a contract. */
export function EditContractDialog({ contract, onSaved, onClose }: EditContractDialogProps): ReactNode {
  return (
    <Dialog title={`Edit ${contract.name}`} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={contracts.update}
        fields={{ name: { kind: 'text', isRequired, ...texts.name }, ...details }}
        fixed={{ nftAddress: contract.nftAddress }}
        initial={contract}
        action={componentTexts.save}
        onDone={onSaved}
        onCancel={onClose}
      />
    </Dialog>
  )
}
