import type { AuditEntry } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { formatCount } from '../../format/number.ts'
import { formatExactTime } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { auditTexts } from '../../texts/audit.ts'
import { Button } from '../button.tsx'
import { Identifier } from '../copy-button.tsx'
import { type Columns, DataTable } from '../data-table.tsx'
import { DetailList } from '../detail-list.tsx'
import { Dialog } from '../dialog.tsx'
import { formatKnownActor, type KnownActors } from './actors.ts'
import { type FieldChange, listChanges } from './changes.ts'
import { ActionBadge, formatRecord } from './entry-parts.tsx'

interface EntryDialogProps {
  readonly entry: AuditEntry
  readonly known: KnownActors
  /** Sets filters of the page, as its address has them. */
  readonly onFilter: (search: Partial<Record<'actor' | 'type' | 'record', string>>) => void
  readonly onClose: () => void
}

const columns: Columns<FieldChange> = {
  field: { label: t('Field'), cell: ({ field }) => <code>{field}</code> },
  before: { label: t('Before'), cell: ({ before }) => <ChangedValue value={before} /> },
  after: { label: t('After'), cell: ({ after }) => <ChangedValue value={after} /> },
}

/** Shows an entry of the audit log with each changed field before and after. */
export function EntryDialog({ entry, known, onFilter, onClose }: EntryDialogProps): ReactNode {
  const { sequence, createTime, actor, action, recordType, recordId, hash } = entry
  const changes = listChanges(entry)
  return (
    <Dialog title={t('Entry {sequence}', { sequence: formatCount(sequence) })} size="wide" onClose={onClose}>
      <DetailList
        details={{
          [t('Record')]: (
            <span className="row">
              <ActionBadge action={action} />
              {formatRecord(entry)}
            </span>
          ),
          [t('When')]: formatExactTime(createTime),
          [t('Who')]: <ActorName actor={actor} known={known} />,
          [t('Hash')]: <Identifier value={hash} />,
        }}
      />
      {changes.length === 0 ? (
        <p className="muted">{t('No field changed.')}</p>
      ) : (
        <DataTable label={t('Changes')} columns={columns} rows={changes} getKey={({ field }) => field} />
      )}
      <div className="dialog-actions">
        <Button onClick={() => onFilter({ type: recordType, record: recordId })}>
          {t('All changes of this record')}
        </Button>
        <Button onClick={() => onFilter({ actor })}>{t('All changes by the same')}</Button>
      </div>
    </Dialog>
  )
}

/** Shows the name of an actor, and the actor itself, which the name can hide. */
function ActorName({ actor, known }: { readonly actor: string; readonly known: KnownActors }): ReactNode {
  return (
    <>
      {formatKnownActor(actor, known)}
      <div className="faint">
        <code className="break">{actor}</code>
      </div>
    </>
  )
}

function ChangedValue({ value }: { readonly value: string | undefined }): ReactNode {
  if (value === undefined) return <span className="faint">{auditTexts.nothing}</span>
  return <span className="written">{value}</span>
}
