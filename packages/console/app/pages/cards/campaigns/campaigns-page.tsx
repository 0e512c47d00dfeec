import { campaigns } from '@mintmark/cards'
import { alignEnd } from '../../../components/data-table.tsx'
import { defineResource } from '../../../components/resource.tsx'
import { formatCount } from '../../../format/number.ts'
import { CampaignStatus } from '../card-status.tsx'
import { programList } from '../programs.ts'

/** The campaigns of a project, newest first. */
export const CampaignsPage = defineResource(campaigns.list, {
  title: 'Campaigns',
  description:
    'Many cards of one kind, each with a code of its own. You can pause or end all of them at once.',
  actions: () => [{ label: 'Create campaign', kind: 'primary', icon: 'plus', to: 'campaigns/new' }],
  columns: {
    name: 'Name',
    program: {
      label: 'Cards',
      cell: ({ program }) => programList.find(({ name }) => name === program)?.texts.tab ?? program,
    },
    status: { label: 'Status', cell: ({ status }) => <CampaignStatus status={status} /> },
    issued: alignEnd('Issued', ({ issued, cards }) => `${formatCount(issued)} of ${formatCount(cards)}`),
    createTime: 'Created',
  },
  link: ({ id }) => `campaigns/${id}`,
  empty: {
    icon: 'campaign',
    title: 'No campaigns yet',
    advice: 'Create one, such as 500 free coffees for an opening.',
    adviceToRead: 'Campaigns appear here when a manager creates them.',
  },
})
