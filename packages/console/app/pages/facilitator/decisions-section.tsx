import { operatorDecisions } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { ResourceSection } from '../../components/resource.tsx'
import { formatOperation, formatSubject } from './facilitator-format.ts'
import { useOperatorNames } from './operator-names.ts'
import { NativeAmount } from './payment-amount.tsx'

/**
 * What operators decided, newest first.
 *
 * @param subject Only about this, such as `account/12`. Default: all.
 */
export function DecisionsSection({ subject }: { readonly subject?: string }): ReactNode {
  const nameOperator = useOperatorNames()
  return (
    <ResourceSection
      operation={operatorDecisions.list}
      input={{ subject }}
      title="Decisions of operators"
      columns={{
        operation: {
          label: 'What',
          cell: ({ operation, amount }) => (
            <>
              <strong>{formatOperation(operation)}</strong>{' '}
              {amount !== undefined && <NativeAmount wei={amount} />}
            </>
          ),
        },
        subject: {
          label: 'About',
          cell: (decision) => (
            <>
              <span className="break">{formatSubject(decision.subject)}</span>
              {decision.program !== undefined && <div className="muted break">{decision.program}</div>}
            </>
          ),
        },
        actor: { label: 'Who', cell: ({ actor }) => <span className="break">{nameOperator(actor)}</span> },
        reason: 'Why',
        createTime: 'When',
      }}
      rows="decisions"
      hasParts
      empty={{
        icon: 'audit',
        title: 'No decisions',
        advice:
          'What operators change here or through the interface appears here. Commands in a shell do not, except “sessions end”.',
      }}
    />
  )
}
