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
  symbol: { kind: 'text', sendsEmpty: true, ...texts.symbol },
  owner: { kind: 'address', ...texts.owner },
  contractType: { kind: 'text', sendsEmpty: true, ...texts.contractType },
  description: { kind: 'multiline', sendsEmpty: true, ...texts.description },
  imgUrl: { kind: 'url', sendsEmpty: true, ...texts.imgUrl },
  adult: { kind: 'boolean', ...texts.adult },
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
          nftAddress: { kind: 'address', isRequired, ...texts.nftAddress },
          chainId: { kind: 'code', isRequired, ...texts.chainId },
          nftType: { kind: 'select', isRequired, options: typeOptions, ...texts.nftType },
          index: { kind: 'boolean', ...texts.index },
          ...details,
          allowUnknownChain: { kind: 'boolean', ...texts.allowUnknownChain },
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
    <Dialog title={contractsTexts.editTitle(contract.name)} isOpen onClose={onClose} isDismissable={false}>
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
