import { operatorReverts, type RevertCount } from '@mintmark/facilitator/operator'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { defineResource } from '../../components/resource.tsx'
import { formatSubject, reasonField } from './facilitator-format.ts'

const formatWho = ({ kind, subject }: RevertCount) => formatSubject(`${kind}/${subject}`)

const acceptAgain = (count: RevertCount) =>
  openForm({
    operation: operatorReverts.clear,
    fixed: { kind: count.kind, subject: count.subject },
    fields: { reason: reasonField },
    title: `Accept the payments of ${formatWho(count)} again?`,
    text: 'The reverted transactions so far no longer count. Do it when their cause is removed: every further one costs gas.',
    action: 'Accept again',
    done: `${formatWho(count)} is accepted again`,
  })

/** Who is refused because of reverted transactions, and accepting them again. */
export const RevertsPage = defineResource(operatorReverts.list, {
  title: 'Reverts',
  description:
    'Payers and accounts whose transactions reverted recently. Each one costs gas, so too many are refused for a while.',
  canRefresh: true,
  columns: {
    subject: {
      label: 'Who',
      cell: (count) => (count.kind === 'account' ? formatWho(count) : <Identifier value={count.subject} />),
    },
    reverts: 'Reverts',
    refused: {
      label: 'State',
      cell: ({ refused }) => (
        <Badge tone={refused ? 'danger' : 'success'}>{refused ? 'Refused' : 'Accepted'}</Badge>
      ),
    },
  },
  getKey: ({ kind, subject }) => `${kind}/${subject}`,
  link: ({ kind, subject }) => (kind === 'account' ? `facilitator/accounts/${subject}` : undefined),
  renderActions: (count) => (
    <Button
      kind="plain"
      aria-label={`Accept again: ${formatWho(count)}`}
      onClick={() => void acceptAgain(count)}
    >
      Accept again
    </Button>
  ),
  empty: { icon: 'check', title: 'Nothing reverted', advice: 'No transaction reverted recently.' },
})
