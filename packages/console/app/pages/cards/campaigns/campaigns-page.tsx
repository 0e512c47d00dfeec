import { type Campaign, campaigns } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { useOperation } from '../../../api/operations.ts'
import type { Column } from '../../../components/data-table.tsx'
import { Icon } from '../../../components/icon.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { EmptyState } from '../../../components/placeholders.tsx'
import { QueryTable } from '../../../components/query-table.tsx'
import { Time } from '../../../components/time.tsx'
import { formatCount } from '../../../format/number.ts'
import { ProjectLink } from '../../../navigation/project-link.tsx'
import { useMayChange, useProject } from '../../../session/project-context.tsx'
import { campaignsTexts as texts } from '../../../texts/campaigns.ts'
import { programList } from '../programs.ts'
import { CampaignStatus } from './campaign-status.tsx'

const columns: readonly Column<Campaign>[] = [
  {
    key: 'name',
    header: texts.columns.name,
    cell: ({ id, name }) => (
      <ProjectLink to={`campaigns/${id}`} className="row-link">
        {name}
      </ProjectLink>
    ),
  },
  {
    key: 'program',
    header: texts.columns.program,
    cell: ({ program }) => programList.find(({ name }) => name === program)?.texts.tab ?? program,
  },
  { key: 'status', header: texts.columns.status, cell: ({ status }) => <CampaignStatus status={status} /> },
  {
    key: 'issued',
    header: texts.columns.issued,
    align: 'end',
    cell: ({ issued, cards }) => texts.issuedOf(formatCount(issued), formatCount(cards)),
  },
  { key: 'created', header: texts.columns.created, cell: ({ createTime }) => <Time value={createTime} /> },
]

/** The campaigns of a project, newest first. */
export function CampaignsPage(): ReactNode {
  const { projectName } = useProject()
  const query = useOperation(campaigns.list, {})
  const create = useMayChange() && (
    <ProjectLink to="campaigns/new" className="button button-primary">
      <Icon name="plus" />
      {texts.create}
    </ProjectLink>
  )
  return (
    <>
      <PageHeader
        title={texts.title}
        context={projectName}
        description={texts.description}
        actions={create}
      />
      <QueryTable
        label={texts.title}
        query={query}
        columns={columns}
        getKey={({ id }) => id}
        empty={<EmptyState icon="campaign" {...texts.empty} />}
      />
    </>
  )
}
