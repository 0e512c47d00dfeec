import type { VerificationRecord } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { undoScan } from '../../components/undo-scan.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatTime } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { useSession } from '../../session/project-context.tsx'
import { verificationTexts } from '../../texts/cards.ts'
import { componentTexts } from '../../texts/shell.ts'
import { undoTexts } from '../../texts/undo.ts'
import type { AnyCard, Program } from './programs.ts'

const reasons: Readonly<Record<string, string>> = verificationTexts.reasons

const columns: Columns<VerificationRecord> = {
  result: {
    label: t('Result'),
    cell: ({ result, reversedBy }) =>
      reversedBy > 0 ? (
        <Badge tone="neutral">{undoTexts.undone}</Badge>
      ) : result === 'OK' ? (
        <Badge tone="success">{t('Accepted')}</Badge>
      ) : result === 'REVERSED' ? (
        <Badge tone="neutral">{t('Undo||badge')}</Badge>
      ) : (
        <Badge tone="danger">{t('Refused')}</Badge>
      ),
  },
  createTime: t('Time'),
  action: { label: t('Action'), cell: ({ action }) => formatAction(action) },
  reason: { label: t('Reason'), cell: ({ reason }) => formatReason(reason) },
  store: t('Store'),
  verifier: t('Scanned by'),
  device: {
    label: t('Device'),
    isWideOnly: true,
    cell: ({ device }) => <span title={device}>{orDash(shortenIdentifier(device))}</span>,
  },
}

function orDash(text: string): ReactNode {
  return text === '' ? <span className="faint">{componentTexts.none}</span> : text
}

function formatAction(action: string): string {
  return action === 'REDEEM' ? t('Redeem') : action === 'CHECK_IN' ? t('Check in') : action
}

/** Formats why a card was refused. A reason of a newer server is shown as it is. */
function formatReason(reason: string): ReactNode {
  return orDash(reasons[reason] ?? reason)
}

interface VerificationSectionProps {
  readonly operation: NonNullable<Program['verifications']>
  readonly card: AnyCard
}

/** The scans of a card, newest first, accepted and refused ones. */
export function VerificationSection({ operation, card: { id, name } }: VerificationSectionProps): ReactNode {
  const { email: verifier } = useSession()
  return (
    <ResourceSection<typeof operation>
      operation={operation}
      input={{ cardId: id }}
      title={t('Scans')}
      columns={columns}
      nameOf={({ createTime }) => t('the scan of {createTime}', { createTime: formatTime(createTime) })}
      rowActions={(record) => [
        record.result === 'OK' &&
          record.reversedBy === 0 && {
            label: undoTexts.action,
            onSelect: () => undoScan({ id: record.id, name, device: '', verifier }),
          },
      ]}
      pageParam="scans"
      empty={{ icon: 'scanner', title: t('Nobody has scanned this card yet') }}
    />
  )
}
