import type { ReactNode } from 'react'
import { useState } from 'react'
import { useList } from '../../api/lists.ts'
import { Button } from '../../components/button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { Icon } from '../../components/icon.tsx'
import { ListView } from '../../components/list-view.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { TabLinks } from '../../components/tab-links.tsx'
import { Time } from '../../components/time.tsx'
import { formatDate } from '../../format/time.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import '../../styles/cards.css'
import { campaignsTexts } from '../../texts/campaigns.ts'
import { cardStatusTexts, cardsTexts } from '../../texts/cards.ts'
import { BackLink } from './back-link.tsx'
import { formatUses, getValidityEnd } from './card.ts'
import { CardStatusBadge } from './card-status.tsx'
import { type CardFilters, ExportDialog } from './export-dialog.tsx'
import { type AnyCard, CARD_STATUSES, isCardStatus, type Program, programList } from './programs.ts'
import { useProgram } from './use-program.ts'

const statusOptions = CARD_STATUSES.map((value) => ({ value, label: cardStatusTexts[value] }))

/** The cards of a program: search, filter by status, order and pages. */
export function CardsPage(): ReactNode {
  const program = useProgram()
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const [search, setSearch] = useSearchState('q', 'status', 'campaign', 'sort', 'page')
  const { q, status, campaign, sort, page } = search
  const filters = {
    ...(q !== undefined && { keyword: q }),
    ...(isCardStatus(status) && { status }),
    ...(campaign !== undefined && { campaignId: Number(campaign) }),
  }
  const query = useList(program.operations.search, filters, {
    pageNumber: readPageNumber(page),
    orderBy: sort,
  })
  const isFiltered = [q, status, campaign].some((value) => value !== undefined)
  const clear = () => setSearch({ q: undefined, status: undefined, campaign: undefined })
  return (
    <>
      <PageHeader
        title={program.texts.title}
        context={projectName}
        description={program.texts.description}
        above={
          campaign !== undefined && (
            <BackLink to={`campaigns/${campaign}`}>{campaignsTexts.ofCampaign}</BackLink>
          )
        }
        actions={<ListActions program={program} filters={filters} />}
      />
      <TabLinks label="Kinds of cards" tabs={programList.map((each) => toTab(each, program))} />
      <Toolbar isFiltered={isFiltered} onClear={clear}>
        <SearchField label="Search by name" value={q ?? ''} onSearch={(text) => setSearch({ q: text })} />
        <FilterSelect
          label="Status"
          value={status ?? ''}
          options={statusOptions}
          onChange={(value) => setSearch({ status: value })}
        />
      </Toolbar>
      <ListView
        label={program.texts.title}
        query={query}
        columns={listColumns(program, status === 'REMOVED')}
        getKey={({ id }) => id}
        empty={<NoCards program={program} mayChange={mayChange} />}
        isFiltered={isFiltered}
        onPage={(pageNumber) => setSearch({ page: String(pageNumber) })}
        sort={sort}
        onSort={(next) => setSearch({ sort: next })}
      />
    </>
  )
}

function toTab(each: Program, current: Program) {
  return {
    key: each.name,
    isCurrent: each === current,
    link: <ProjectLink to={`cards/${each.slug}`}>{each.texts.tab}</ProjectLink>,
  }
}

/** The columns of a program. The server sorts by name and by time. */
function listColumns({ slug, texts }: Program, isRemoved: boolean): Columns<AnyCard> {
  return {
    name: {
      label: 'Name',
      sort: true,
      cell: ({ id, name }) =>
        isRemoved ? (
          <strong>{name}</strong>
        ) : (
          <ProjectLink to={`cards/${slug}/${id}`} className="row-link">
            {name}
          </ProjectLink>
        ),
    },
    _status: { label: 'Status', cell: (card) => <CardStatusBadge card={card} isRemoved={isRemoved} /> },
    _uses: { label: texts.usesColumn, cell: formatUses },
    startTime: {
      label: 'Valid from',
      sort: true,
      isWideOnly: true,
      cell: ({ startTime }) => formatDate(startTime),
    },
    endTime: { label: 'Valid until', sort: true, cell: (card) => formatDate(getValidityEnd(card)) },
    createTimeLong: {
      label: 'Created',
      sort: 'createTime',
      cell: ({ createTimeLong }) => <Time value={new Date(createTimeLong).toISOString()} />,
    },
  }
}

interface ListActionsProps {
  readonly program: Program
  readonly filters: CardFilters
}

/** What those who issue cards do with a list: a new card, import, export, and printing what it shows. */
function ListActions({ program, filters }: ListActionsProps): ReactNode {
  const mayChange = useMayChange()
  const [isExportOpen, setIsExportOpen] = useState(false)
  // Others do not see the codes of cards, without which there is nothing to print.
  if (!mayChange) return null
  const { keyword, status, campaignId } = filters
  const path = `cards/${program.slug}`
  return (
    <>
      <ProjectLink
        to={`${path}/print`}
        search={{
          ...(keyword !== undefined && { q: keyword }),
          ...(status !== undefined && { status }),
          ...(campaignId !== undefined && { campaign: String(campaignId) }),
        }}
        className="button button-secondary"
      >
        Print QR codes
      </ProjectLink>
      <Button onClick={() => setIsExportOpen(true)}>Export</Button>
      <ProjectLink to={`${path}/import`} className="button button-secondary">
        Import
      </ProjectLink>
      <ProjectLink to={`${path}/new`} className="button button-primary">
        <Icon name="plus" />
        {cardsTexts.create}
      </ProjectLink>
      {isExportOpen && (
        <ExportDialog program={program} filters={filters} onClose={() => setIsExportOpen(false)} />
      )}
    </>
  )
}

function NoCards({
  program,
  mayChange,
}: {
  readonly program: Program
  readonly mayChange: boolean
}): ReactNode {
  return (
    <EmptyState
      icon="card"
      title="No cards yet"
      advice="Create a card, or import many from a CSV file."
      adviceToRead="Cards appear here when a manager creates them."
      action={
        mayChange && (
          <ProjectLink to={`cards/${program.slug}/new`} className="button button-primary">
            {cardsTexts.create}
          </ProjectLink>
        )
      }
    />
  )
}
