import { type Campaign, type CampaignDay, type CampaignTotals, campaigns } from '@mintmark/cards'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../../api/operations.ts'
import { Button } from '../../../components/button.tsx'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { DetailList, Section } from '../../../components/detail-list.tsx'
import { Notice } from '../../../components/notice.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { formatCount } from '../../../format/number.ts'
import { formatDate } from '../../../format/time.ts'
import { ProjectLink } from '../../../navigation/project-link.tsx'
import { usePathParam } from '../../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../../session/project-context.tsx'
import '../../../styles/cards.css'
import { campaignsTexts as texts } from '../../../texts/campaigns.ts'
import { verificationTexts } from '../../../texts/cards.ts'
import { componentTexts } from '../../../texts/shell.ts'
import { BackLink } from '../back-link.tsx'
import { programList } from '../programs.ts'
import { ChangeDialog, type ChangeKind, IssueDialog } from './campaign-dialogs.tsx'
import { CampaignStatus } from './campaign-status.tsx'

/** One campaign: its cards while they are issued, then its totals. */
export function CampaignPage(): ReactNode {
  const id = Number(usePathParam('id'))
  const { projectName } = useProject()
  // The list is read after each part of the cards that are issued, because the totals count all of them.
  const query = useOperation(campaigns.list, {})
  const campaign = query.data?.find((each) => each.id === id)
  return (
    <>
      <PageHeader
        title={campaign?.name ?? texts.ofCampaign}
        context={projectName}
        above={<BackLink to="campaigns">{texts.title}</BackLink>}
        status={campaign && <CampaignStatus status={campaign.status} />}
        actions={campaign && <Actions campaign={campaign} />}
      />
      <QueryView query={query}>
        {() =>
          campaign === undefined ? (
            <Notice tone="warning" {...texts.missing} />
          ) : (
            <CampaignState campaign={campaign} />
          )
        }
      </QueryView>
    </>
  )
}

function CampaignState({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { id, issued, requested, status } = campaign
  const isIssuing = issued < requested && status !== 'ENDED'
  const totals = useOperation(campaigns.get, { id }, { enabled: !isIssuing })
  if (requested === 0) return <Notice tone="info" {...texts.noCards} />
  if (!isIssuing) return <QueryView query={totals}>{(data) => <Totals totals={data} />}</QueryView>
  const progress = texts.issuing(formatCount(issued), formatCount(requested))
  return (
    <div className="panel stack-small">
      <progress className="import-progress" aria-label={texts.issue} value={issued} max={requested} />
      <p role="status">{progress}</p>
    </div>
  )
}

function Actions({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { id, status, requested, cards } = campaign
  const mayChange = useMayChange()
  const [dialog, setDialog] = useState<ChangeKind | 'issue'>()
  const close = () => setDialog(undefined)
  const program = programList.find(({ name }) => name === campaign.program)
  const change = status === 'PAUSED' ? 'resume' : 'pause'
  return (
    <>
      {requested > 0 && program !== undefined && (
        <ProjectLink
          to={`cards/${program.slug}`}
          search={{ campaign: String(id) }}
          className="button button-secondary"
        >
          {texts.showCards}
        </ProjectLink>
      )}
      {mayChange && status !== 'ENDED' && (
        <>
          <Button onClick={() => setDialog(change)}>{texts.changes[change].action}</Button>
          <Button onClick={() => setDialog('end')}>{texts.changes.end.action}</Button>
          {requested < cards && (
            <Button kind="primary" onClick={() => setDialog('issue')}>
              {texts.issue}
            </Button>
          )}
        </>
      )}
      {dialog === 'issue' && <IssueDialog campaign={campaign} onClose={close} />}
      {dialog !== undefined && dialog !== 'issue' && (
        <ChangeDialog kind={dialog} campaign={campaign} onClose={close} />
      )}
    </>
  )
}

/** The newest days that are shown, of at most 1,000. */
const SHOWN_DAYS = 100
const reasons: Readonly<Record<string, string>> = verificationTexts.reasons

const dayColumns: readonly Column<CampaignDay>[] = [
  { key: 'day', header: texts.totals.day, cell: ({ day }) => formatDate(`${day}T12:00:00`) },
  { key: 'store', header: texts.totals.store, cell: ({ store }) => store || componentTexts.none },
  { key: 'used', header: texts.totals.used, align: 'end', cell: ({ used }) => formatCount(used) },
  { key: 'refused', header: texts.totals.refused, align: 'end', cell: ({ refused }) => formatCount(refused) },
]

function Totals({ totals }: { readonly totals: CampaignTotals }): ReactNode {
  const { issued, cards, active, expired, used, refused, days } = totals
  const { totals: labels } = texts
  const refusals = refused.map(({ reason, count }) => `${reasons[reason] ?? reason}: ${formatCount(count)}`)
  return (
    <>
      <Section title={labels.title}>
        <div className="panel">
          <DetailList
            details={[
              { label: labels.issued, value: texts.issuedOf(formatCount(issued), formatCount(cards)) },
              { label: labels.active, value: formatCount(active) },
              { label: labels.used, value: formatCount(used) },
              { label: labels.expired, value: formatCount(expired) },
              { label: labels.refused, value: refusals.join(', ') },
            ]}
          />
        </div>
      </Section>
      <Section title={labels.days}>
        {days.length === 0 ? (
          <p className="muted">{labels.none}</p>
        ) : (
          <DataTable
            label={labels.days}
            columns={dayColumns}
            rows={days.slice(0, SHOWN_DAYS)}
            getKey={({ day, store }) => `${day} ${store}`}
          />
        )}
      </Section>
    </>
  )
}
