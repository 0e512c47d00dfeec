import { type Nft, nfts } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { useContractOptions } from '../../api/contract-options.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Picture } from '../../components/picture.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
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
      {nftsTexts.addContract}
    </ProjectLink>
  )
  return (
    <Dialog title={nftsTexts.add} isOpen onClose={onClose} isDismissable={false}>
      {newest === undefined ? (
        <EmptyState icon="contract" {...nftsTexts.noContract} action={addContract} />
      ) : (
        <OperationForm
          operation={nfts.add}
          fields={{
            nftAddress: { kind: 'select', isRequired, options, ...texts.nftAddress },
            nftId: { kind: 'code', isRequired, ...texts.nftId },
            name: { kind: 'text', isRequired, ...texts.name },
            imgUrl: { kind: 'url', ...texts.imgUrl },
            owner: { kind: 'address', isRequired, ...texts.owner },
            quantity: { kind: 'integer', isRequired, ...texts.quantity },
            description: { kind: 'multiline', ...texts.description },
            properties: { kind: 'pairs', keys: ['trait_type', 'value'], ...texts.properties },
            royaltyPercentage: { kind: 'integer', ...texts.royaltyPercentage },
            tokenUri: { kind: 'url', ...texts.tokenUri },
          }}
          initial={{ nftAddress: nftAddress ?? newest.value, owner: wallet, quantity: 1 }}
          action={nftsTexts.add}
          onDone={onAdded}
          onCancel={onClose}
          preview={({ imgUrl }) =>
            typeof imgUrl === 'string' &&
            toImageAddress(imgUrl) !== undefined && (
              <Picture address={imgUrl} label={nftsTexts.preview} size="large" />
            )
          }
        />
      )}
    </Dialog>
  )
}
