import { type StuckMint, stuckMints } from '@mintmark/admin'
import type { InputOf } from '@mintmark/operation'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { Time } from '../../components/time.tsx'
import { hashField } from '../../form/hash-field.ts'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { createReasonField } from './stuck-decisions.ts'

const isRequired = true
const tokenIdField = {
  kind: 'text',
  isRequired,
  label: 'Token id',
  description: 'The id of the minted token: decimal digits.',
  check: { pattern: /^\d{1,78}$/, message: 'Enter the id of the minted token: decimal digits' },
} as const

/** Decides whether an expired mint signature was used, by what an explorer of the chain shows. */
export const decideMint = (mint: StuckMint) =>
  openForm({
    operation: stuckMints.resolve,
    fields: ({ outcome }) => ({
      outcome: {
        kind: 'radio',
        isRequired,
        label: 'What the explorer shows',
        options: [
          { value: 'unused', label: 'It was not used', description: 'Its units are available again.' },
          {
            value: 'used',
            label: 'It was used',
            description: 'The mint is recorded, and its units count as minted.',
          },
        ],
      },
      ...(outcome === 'used' && { hash: { ...hashField, isRequired }, tokenId: tokenIdField }),
      reason: createReasonField('audit log'),
    }),
    entered: { outcome: 'unused' },
    toOperationInput: ({ outcome, ...decision }) => {
      const { projectId, reservation } = mint
      // The fields have the names and the types of the input, which the form checks by the operation.
      return { projectId, reservation, ...decision } as InputOf<typeof stuckMints.resolve>
    },
    title: `Decide mint signature ${String(mint.reservation)}?`,
    text: (
      <>
        <MintDetails mint={mint} />
        <p>
          Look the uid up in an explorer of the chain first. A used signature that is released can be minted
          above its limit. This cannot be undone.
        </p>
      </>
    ),
    action: 'Decide',
    kind: 'danger',
    done: ({ status }) => `Signature ${String(mint.reservation)}: ${status.toLowerCase()}`,
  })

function MintDetails({ mint }: { readonly mint: StuckMint }): ReactNode {
  const { chainId, nftAddress, uid, recipient, quantity, validUntil, provenTo } = mint
  const linkTo = (address: string) => findExplorerLink(chainId, 'address', address)
  return (
    <DetailList
      details={{
        'Uid on the chain': <Identifier value={uid} />,
        Contract: <Identifier value={nftAddress} link={linkTo(nftAddress)} />,
        Chain: formatChain(chainId),
        Recipient: <Identifier value={recipient} link={linkTo(recipient)} />,
        Units: formatCount(quantity),
        Ended: <Time value={validUntil} />,
        'No use before block': formatCount(provenTo),
      }}
    />
  )
}
