import { campaigns } from '@mintmark/cards'
import { alignEnd } from '../../../components/data-table.tsx'
import { defineResource } from '../../../components/resource.tsx'
import { formatCount } from '../../../format/number.ts'
import { t } from '../../../language/translate.ts'
import { CampaignStatus } from '../card-status.tsx'
import { programList } from '../programs.ts'

/** The campaigns of a project, newest first. */
export const CampaignsPage = defineResource(campaigns.list, {
  title: t('Campaigns'),
  description: t(
    'Many cards of one kind, each with a code of its own. You can pause or end all of them at once.',
  ),
  actions: () => [{ label: t('Create campaign'), kind: 'primary', icon: 'plus', to: 'campaigns/new' }],
  columns: {
    name: t('Name'),
    program: {
      label: t('Cards'),
      cell: ({ program }) => programList.find(({ name }) => name === program)?.texts.tab ?? program,
    },
    status: { label: t('Status'), cell: ({ status }) => <CampaignStatus status={status} /> },
    issued: alignEnd(t('Issued'), ({ issued, cards }) =>
      t('{issued} of {cards}', { issued: formatCount(issued), cards: formatCount(cards) }),
    ),
    createTime: t('Created'),
  },
  link: ({ id }) => `campaigns/${id}`,
  empty: {
    icon: 'campaign',
    title: t('No campaigns yet'),
    advice: t('Create one, such as 500 free coffees for an opening.'),
    adviceToRead: t('Campaigns appear here when a manager creates them.'),
  },
})
