import { operatorReverts, type RevertCount } from '@mintmark/facilitator/operator'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { facilitatorTexts, revertsTexts as texts } from '../../texts/facilitator.ts'
import { formatSubject } from './facilitator-format.ts'
import { FacilitatorLink } from './facilitator-link.tsx'

const formatWho = ({ kind, subject }: RevertCount) => formatSubject(`${kind}/${subject}`)

const columns: Columns<RevertCount> = {
  subject: {
    label: 'Who',
    cell: (count) =>
      count.kind === 'account' ? (
        <FacilitatorLink to={`accounts/${count.subject}`} className="row-link">
          {formatWho(count)}
        </FacilitatorLink>
      ) : (
        <Identifier value={count.subject} />
      ),
  },
  reverts: 'Reverts',
  refused: {
    label: 'State',
    cell: ({ refused }) => (
      <Badge tone={refused ? 'danger' : 'success'}>{refused ? 'Refused' : 'Accepted'}</Badge>
    ),
  },
}

/** Who is refused because of reverted transactions, and accepting them again. */
export function RevertsPage(): ReactNode {
  const query = useOperation(operatorReverts.list, {}, { staleTime: 0 })
  const [cleared, setCleared] = useState<RevertCount>()
  return (
    <>
      <PageHeader
        title={texts.title}
        context={texts.context}
        description="Payers and accounts whose transactions reverted recently. Each one costs gas, so too many are refused for a while."
        actions={
          <Button onClick={() => void query.refetch()} isPending={query.isFetching}>
            {facilitatorTexts.refresh}
          </Button>
        }
      />
      <QueryView query={query}>
        {(counts) =>
          counts.length === 0 ? (
            <EmptyState icon="check" title="Nothing reverted" advice="No transaction reverted recently." />
          ) : (
            <DataTable
              label={texts.title}
              columns={columns}
              rows={counts}
              getKey={({ kind, subject }) => `${kind}/${subject}`}
              actions={(count) => (
                <Button
                  kind="plain"
                  aria-label={`Accept again: ${formatWho(count)}`}
                  onClick={() => setCleared(count)}
                >
                  {texts.clear}
                </Button>
              )}
            />
          )
        }
      </QueryView>
      {cleared !== undefined && <ClearDialog count={cleared} onClose={() => setCleared(undefined)} />}
    </>
  )
}

interface ClearDialogProps {
  readonly count: RevertCount
  readonly onClose: () => void
}

function ClearDialog({ count, onClose }: ClearDialogProps): ReactNode {
  const { kind, subject } = count
  const onDone = () => {
    showToast(`${formatWho(count)} is accepted again`)
    onClose()
  }
  return (
    <Dialog
      title={`Accept the payments of ${formatWho(count)} again?`}
      isOpen
      onClose={onClose}
      isDismissable={false}
    >
      <p>
        The reverted transactions so far no longer count. Do it when their cause is removed: every further one
        costs gas.
      </p>
      <OperationForm
        operation={operatorReverts.clear}
        fixed={{ kind, subject }}
        fields={{ reason: { kind: 'text', isRequired: true, ...facilitatorTexts.reason } }}
        action={texts.clear}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}
