import { stuckMints } from '@mintmark/admin'
import { defineResource } from '../../components/resource.tsx'
import { Time } from '../../components/time.tsx'
import { decideMint } from './decide-mint.tsx'

/** The mint signatures of all projects that need an operator. */
export const StuckMintsPage = defineResource(stuckMints.list, {
  title: 'Stuck mints',
  description:
    'Expired mint signatures that the chain neither shows as used nor proves unused. What they reserve stays reserved.',
  canRefresh: true,
  columns: {
    reservation: {
      label: 'Signature',
      align: 'start',
      cell: ({ projectId, reservation }) => `Project ${String(projectId)}, signature ${String(reservation)}`,
    },
    recipient: 'Recipient',
    quantity: 'Units',
    validUntil: { label: 'Ended', cell: ({ validUntil }) => <Time value={validUntil} /> },
    attempts: 'Attempts',
  },
  getKey: ({ projectId, reservation }) => `${projectId} ${reservation}`,
  onOpen: (mint) => void decideMint(mint),
  empty: {
    icon: 'check',
    title: 'No mint is stuck',
    advice: 'The chains have decided all expired signatures.',
  },
})
