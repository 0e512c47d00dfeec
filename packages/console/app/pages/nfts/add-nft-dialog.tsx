import { type Nft, nfts } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useContractOptions } from '../../api/contract-options.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Picture } from '../../components/picture.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { metadataField, propertiesField, royaltyField } from '../../form/nft-fields.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { toImageAddress } from '../../format/web-address.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useProject } from '../../session/project-context.tsx'
import { nftsTexts } from '../../texts/contracts.ts'

const { fields: texts } = nftsTexts
const isRequired = true

interface AddNftDialogProps {
  /** The contract that is selected first. Default: the newest. */
  readonly nftAddress?: string | undefined
  readonly onAdded: (nft: Nft) => void
  readonly onClose: () => void
}

/** Adds a token of a contract, with a preview of its image. */
export function AddNftDialog({ nftAddress, onAdded, onClose }: AddNftDialogProps): ReactNode {
  const { wallet } = useProject()
  const options = useContractOptions()
  const [newest] = options
  const addContract = (
    <ProjectLink to="contracts" className="button button-primary">
      Go to contracts
    </ProjectLink>
  )
  return (
    <Dialog title={nftsTexts.add} onClose={onClose} isDismissable={false}>
      {newest === undefined ? (
        <EmptyState
          icon="contract"
          title="Add a contract first"
          advice="An NFT is a token of a contract. Add the contract of your collection."
          action={addContract}
        />
      ) : (
        <OperationForm
          operation={nfts.add}
          fields={{
            nftAddress: { kind: 'select', isRequired, options, ...texts.nftAddress },
            nftId: {
              kind: 'code',
              isRequired,
              label: 'Token id',
              description: 'The number of the token in its contract.',
            },
            name: {
              kind: 'text',
              isRequired,
              label: 'Name',
              description: 'What buyers see, at most 200 characters.',
            },
            imgUrl: { kind: 'url', label: 'Image', description: 'An address that begins with https://.' },
            owner: {
              kind: 'address',
              isRequired,
              label: 'First owner',
              description: 'The wallet that has the token now.',
            },
            quantity: {
              kind: 'integer',
              isRequired,
              label: 'Units',
              description: '1 for ERC-721. For ERC-1155, the size of the edition.',
            },
            description: { kind: 'multiline', label: 'Description' },
            properties: propertiesField,
            royaltyPercentage: royaltyField,
            tokenUri: metadataField,
          }}
          initial={{ nftAddress: nftAddress ?? newest.value, owner: wallet, quantity: 1 }}
          action={nftsTexts.add}
          onDone={onAdded}
          onCancel={onClose}
          preview={({ imgUrl }) =>
            typeof imgUrl === 'string' &&
            toImageAddress(imgUrl) !== undefined && (
              <Picture address={imgUrl} label="Preview of the image" size="large" />
            )
          }
        />
      )}
    </Dialog>
  )
}
