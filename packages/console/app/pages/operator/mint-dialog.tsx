import { type StuckMint, stuckMints } from '@mintmark/admin'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { RadioGroup, TextField } from '../../components/field.tsx'
import { CancelButton } from '../../components/form-actions.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { stuckOrdersTexts } from '../../texts/operator.ts'
import { isHash } from './decision-input.ts'

interface MintDialogProps {
  readonly mint: StuckMint
  readonly onClose: () => void
}

const { reason: reasonTexts, hash: hashTexts, notHash } = stuckOrdersTexts

/** Decides whether an expired mint signature was used, by what an explorer of the chain shows. */
export function MintDialog({ mint, onClose }: MintDialogProps): ReactNode {
  const [entered, setEntered] = useState({ outcome: 'unused', reason: '', hash: '', tokenId: '' })
  const [isChecked, setIsChecked] = useState(false)
  const resolve = useWrite(stuckMints.resolve)
  const isUsed = entered.outcome === 'used'
  const found = {
    ...(entered.reason.trim() === '' && { reason: reasonTexts.missing }),
    ...(isUsed && !isHash(entered.hash) && { hash: notHash }),
    ...(isUsed &&
      !/^\d{1,78}$/.test(entered.tokenId.trim()) && {
        tokenId: 'Enter the id of the minted token: decimal digits',
      }),
  }
  const issues: { reason?: string; hash?: string; tokenId?: string } = isChecked ? found : {}
  const change = (changes: Partial<typeof entered>) => setEntered((previous) => ({ ...previous, ...changes }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    if (Object.keys(found).length > 0) return focusFirstInvalid(event.currentTarget)
    if (resolve.isPending) return
    const { projectId, reservation } = mint
    const minted = isUsed ? { hash: entered.hash.trim(), tokenId: entered.tokenId.trim() } : {}
    resolve.mutate(
      { projectId, reservation, reason: entered.reason.trim(), ...minted },
      {
        onSuccess: ({ status }) => {
          showToast(`Signature ${String(reservation)}: ${status}`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={`Decide mint signature ${String(mint.reservation)}?`}
      isOpen
      onClose={onClose}
      isDismissable={false}
    >
      <form className="stack" onSubmit={submit} noValidate>
        <MintDetails mint={mint} />
        <p>
          Look the uid up in an explorer of the chain first. A used signature that is released can be minted
          above its limit. This cannot be undone.
        </p>
        <RadioGroup
          label="What the explorer shows"
          name="outcome"
          value={entered.outcome}
          options={[
            { value: 'unused', label: 'It was not used', description: 'Its units are available again.' },
            {
              value: 'used',
              label: 'It was used',
              description: 'The mint is recorded, and its units count as minted.',
            },
          ]}
          onChange={(outcome) => change({ outcome })}
        />
        {isUsed && (
          <>
            <TextField
              {...hashTexts}
              isCode
              value={entered.hash}
              error={issues.hash}
              onChange={(hash) => change({ hash })}
            />
            <TextField
              label="Token id"
              description="The id of the minted token: decimal digits."
              inputMode="numeric"
              value={entered.tokenId}
              error={issues.tokenId}
              onChange={(tokenId) => change({ tokenId })}
            />
          </>
        )}
        <TextField
          label={reasonTexts.label}
          description="Those who read the audit log see it, with your name."
          value={entered.reason}
          error={issues.reason}
          onChange={(reason) => change({ reason })}
        />
        <ErrorNotice error={resolve.error} />
        <div className="dialog-actions">
          <CancelButton onCancel={onClose} />
          <Button kind="danger" type="submit" isPending={resolve.isPending}>
            Decide
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function MintDetails({ mint }: { readonly mint: StuckMint }): ReactNode {
  const { chainId, nftAddress, uid, recipient, quantity, validUntil, provenTo } = mint
  const linkTo = (address: string) => findExplorerLink(chainId, 'address', address)
  return (
    <DetailList
      details={[
        { label: 'Uid on the chain', value: <Identifier value={uid} /> },
        { label: 'Contract', value: <Identifier value={nftAddress} link={linkTo(nftAddress)} /> },
        { label: 'Chain', value: formatChain(chainId) },
        { label: 'Recipient', value: <Identifier value={recipient} link={linkTo(recipient)} /> },
        { label: 'Units', value: formatCount(quantity) },
        { label: 'Ended', value: <Time value={validUntil} /> },
        { label: 'No use before block', value: formatCount(provenTo) },
      ]}
    />
  )
}
