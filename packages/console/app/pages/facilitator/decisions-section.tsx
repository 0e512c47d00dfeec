import { type OperatorDecision, operatorDecisions } from '@mintmark/facilitator/operator'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Amount } from '../../components/amount.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Time } from '../../components/time.tsx'
import { decisionsTexts as texts } from '../../texts/facilitator.ts'
import { formatOperation, formatSubject, NATIVE_DECIMALS } from './facilitator-format.ts'
import { useOperatorNames } from './operator-names.ts'
import { PartLinks } from './part-links.tsx'

const columns = (nameOperator: (actor: string) => string): readonly Column<OperatorDecision>[] => [
  {
    key: 'operation',
    header: 'What',
    cell: ({ operation, amount }) => (
      <>
        <strong>{formatOperation(operation)}</strong>{' '}
        {amount !== undefined && <Amount baseUnits={amount} decimals={NATIVE_DECIMALS} symbol="" />}
      </>
    ),
  },
  {
    key: 'subject',
    header: 'About',
    cell: ({ subject, program }) => (
      <>
        <span className="break">{formatSubject(subject)}</span>
        {program !== undefined && <div className="muted break">{program}</div>}
      </>
    ),
  },
  {
    key: 'actor',
    header: 'Who',
    cell: ({ actor }) => <span className="break">{nameOperator(actor)}</span>,
  },
  {
    key: 'reason',
    header: 'Why',
    cell: ({ reason }) => <span className="break">{reason}</span>,
  },
  { key: 'time', header: 'When', cell: ({ createTime }) => <Time value={createTime} /> },
]

/**
 * What operators decided, newest first.
 *
 * @param subject Only about this, such as `account/12`. Default: all.
 */
export function DecisionsSection({ subject }: { readonly subject?: string }): ReactNode {
  const [before, setBefore] = useState<number>()
  const query = useOperation(operatorDecisions.list, { subject, before }, { keepPrevious: true })
  const nameOperator = useOperatorNames()
  return (
    <Section title={texts.title}>
      <QueryView query={query}>
        {({ decisions, next }) => (
          <>
            {decisions.length === 0 ? (
              <EmptyState
                icon="audit"
                title="No decisions"
                advice="What operators change here or through the interface appears here. Commands in a shell do not, except “sessions end”."
              />
            ) : (
              <DataTable
                label={texts.title}
                columns={columns(nameOperator)}
                rows={decisions}
                getKey={({ id }) => id}
                isStale={query.isPlaceholderData}
              />
            )}
            <PartLinks isFirst={before === undefined} next={next} onOpen={setBefore} label={texts.title} />
          </>
        )}
      </QueryView>
    </Section>
  )
}
