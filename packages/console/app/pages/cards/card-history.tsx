import type { AuditEntry } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useRecordLog } from '../../components/audit/entry-parts.tsx'
import { Section } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { Timeline, type TimelineEntry } from '../../components/timeline.tsx'
import { formatActor } from '../../format/actor.ts'
import { t } from '../../language/translate.ts'
import { cardHistoryTexts as texts } from '../../texts/cards.ts'
import type { AnyCard } from './programs.ts'

/**
 * What happened to a card: the changes of the audit log for those who may read it, otherwise what the record
 * shows.
 */
export function CardHistory({ card }: { readonly card: AnyCard }): ReactNode {
  const { mayRead, entries, error, isPending } = useRecordLog('cards', card.id)
  return (
    <Section title={t('Changes')}>
      <ErrorNotice error={error} />
      {isPending ? (
        <Skeleton />
      ) : (
        <Timeline
          label={t('Changes of the card')}
          // A log that begins later than the card does not have its creation.
          entries={entries.length === 0 ? listRecorded(card) : entries.map(toTimelineEntry)}
        />
      )}
      {!mayRead && <p className="muted">{t('Owners and auditors see every change here.')}</p>}
    </Section>
  )
}

function listRecorded({ createTimeLong }: AnyCard): readonly TimelineEntry[] {
  const time = new Date(createTimeLong).toISOString()
  return [{ key: 'created', title: texts.created, time, tone: 'success' }]
}

function toTimelineEntry({ sequence, action, actor, createTime, changes }: AuditEntry): TimelineEntry {
  const isRemoval = changes.deleted?.after === true
  const title = isRemoval ? t('Removed') : action === 'CREATED' ? texts.created : t('Changed')
  return {
    key: String(sequence),
    title,
    time: createTime,
    tone: isRemoval ? 'danger' : action === 'CREATED' ? 'success' : 'info',
    details: (
      <>
        <span>{t('By {actor}', { actor: formatActor(actor) })}</span>
        {action === 'UPDATED' && !isRemoval && (
          <ul>
            {Object.keys(changes).map((name) => (
              <li key={name} className="break">
                {`${columns[name] ?? name}: ${formatValue(changes[name]?.before)} → ${formatValue(changes[name]?.after)}`}
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  }
}

const columns: Readonly<Record<string, string>> = texts.columns

function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
