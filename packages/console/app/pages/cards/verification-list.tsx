import type { VerificationRecord } from '@mintmark/cards'
import { type ReactNode, useState } from 'react'
import { useList } from '../../api/lists.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { ListView } from '../../components/list-view.tsx'
import { UndoDialog } from '../../components/undo-dialog.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { useMayChange } from '../../session/project-context.tsx'
import { undoTexts, verificationTexts } from '../../texts/cards.ts'
import { componentTexts } from '../../texts/shell.ts'
import type { AnyCard, Program } from './programs.ts'

const reasons: Readonly<Record<string, string>> = verificationTexts.reasons

const columns: Columns<VerificationRecord> = {
  result: {
    label: 'Result',
    cell: ({ result, reversedBy }) =>
      reversedBy > 0 ? (
        <Badge tone="neutral">{undoTexts.undone}</Badge>
      ) : result === 'OK' ? (
        <Badge tone="success">Accepted</Badge>
      ) : result === 'REVERSED' ? (
        <Badge tone="neutral">Undo</Badge>
      ) : (
        <Badge tone="danger">Refused</Badge>
      ),
  },
  createTime: 'Time',
  action: { label: 'Action', cell: ({ action }) => formatAction(action) },
  reason: { label: 'Reason', cell: ({ reason }) => formatReason(reason) },
  store: { label: 'Store', cell: ({ store }) => orDash(store) },
  verifier: { label: 'Scanned by', cell: ({ verifier }) => orDash(verifier) },
  device: {
    label: 'Device',
    isWideOnly: true,
    cell: ({ device }) => <span title={device}>{orDash(shortenIdentifier(device))}</span>,
  },
}

function orDash(text: string): ReactNode {
  return text === '' ? <span className="faint">{componentTexts.none}</span> : text
}

function formatAction(action: string): string {
  return action === 'REDEEM' ? 'Redeem' : action === 'CHECK_IN' ? 'Check in' : action
}

/** Formats why a card was refused. A reason of a newer server is shown as it is. */
function formatReason(reason: string): ReactNode {
  return orDash(reasons[reason] ?? reason)
}

interface VerificationListProps {
  readonly operation: NonNullable<Program['verifications']>
  readonly card: AnyCard
}

/** The scans of a card, newest first, accepted and refused ones. */
export function VerificationList({ operation, card }: VerificationListProps): ReactNode {
  const [pageNumber, setPageNumber] = useState(1)
  const [undoing, setUndoing] = useState<VerificationRecord>()
  const mayChange = useMayChange()
  const query = useList(operation, { cardId: card.id }, { pageNumber })
  const toUndo = (record: VerificationRecord) =>
    record.result === 'OK' &&
    record.reversedBy === 0 && (
      <Button kind="plain" onClick={() => setUndoing(record)}>
        {undoTexts.action}
      </Button>
    )
  return (
    <Section title={verificationTexts.title}>
      <ListView
        label={verificationTexts.title}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        {...(mayChange && { actions: toUndo })}
        empty={<p className="muted">Nobody has scanned this card yet.</p>}
        onPage={setPageNumber}
      />
      {undoing !== undefined && (
        <UndoDialog id={undoing.id} name={card.name} onClose={() => setUndoing(undefined)} />
      )}
    </Section>
  )
}
