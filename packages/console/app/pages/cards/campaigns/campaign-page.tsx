import { type Campaign, type CampaignDay, type CampaignTotals, campaigns } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { useOperation } from '../../../api/operations.ts'
import type { Actions } from '../../../components/actions.tsx'
import { type Columns, DataTable } from '../../../components/data-table.tsx'
import { DetailSection, Section } from '../../../components/detail-list.tsx'
import { confirm, openForm } from '../../../components/dialogs.tsx'
import { Notice } from '../../../components/notice.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { RecordPage } from '../../../components/record-page.tsx'
import { formatCount } from '../../../format/number.ts'
import { formatDate } from '../../../format/time.ts'
import { t } from '../../../language/translate.ts'
import { usePathParam } from '../../../navigation/use-address.ts'
import '../../../styles/cards.css'
import { campaignsTexts as texts } from '../../../texts/campaigns.ts'
import { verificationTexts } from '../../../texts/cards.ts'
import { CampaignStatus } from '../card-status.tsx'
import { programList } from '../programs.ts'

/** One campaign: its cards while they are issued, then its totals. */
export function CampaignPage(): ReactNode {
  const id = Number(usePathParam('id'))
  // The list is read after each part of the cards that are issued, because the totals count all of them.
  const query = useOperation(campaigns.list, {})
  const campaign = query.data?.find((each) => each.id === id)
  return (
    <RecordPage
      query={query}
      list={{ to: 'campaigns', title: texts.title }}
      title={campaign?.name ?? texts.ofCampaign}
      status={() => campaign && <CampaignStatus status={campaign.status} />}
      actions={() => (campaign === undefined ? [] : listActions(campaign))}
    >
      {() =>
        campaign === undefined ? (
          <Notice
            tone="warning"
            title={t('This campaign does not exist')}
            advice={t('It belongs to another project.')}
          />
        ) : (
          <CampaignState campaign={campaign} />
        )
      }
    </RecordPage>
  )
}

function CampaignState({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { id, issued, requested, status } = campaign
  const isIssuing = issued < requested && status !== 'ENDED'
  const totals = useOperation(campaigns.get, { id }, { enabled: !isIssuing })
  if (requested === 0)
    return (
      <Notice
        tone="info"
        title={t('No cards are issued yet')}
        advice={t('Issue them, then print or export their QR codes.')}
      />
    )
  if (!isIssuing) return <QueryView query={totals}>{(data) => <Totals totals={data} />}</QueryView>
  const progress = t('{issued} of {requested} cards are issued', {
    issued: formatCount(issued),
    requested: formatCount(requested),
  })
  return (
    <div className="panel stack-small">
      <progress className="import-progress" aria-label={t('Issue cards')} value={issued} max={requested} />
      <p role="status">{progress}</p>
    </div>
  )
}

/** How a campaign is changed as a whole. */
const changes = {
  pause: { action: t('Pause'), text: t('Its cards are refused at the counter until you resume it.') },
  resume: { action: t('Resume'), text: t('Its cards are accepted again.') },
  end: {
    action: t('End'),
    text: t('Its cards are refused for good, and no others are issued. This cannot be undone.'),
  },
} as const

const changeCampaign = ({ id, name }: Campaign, kind: keyof typeof changes) =>
  confirm({
    operation: campaigns[kind],
    input: { id },
    title: `${changes[kind].action} ${name}?`,
    ...changes[kind],
  })

/** Issues further cards. */
const issueCards = ({ id, cards, requested }: Campaign) =>
  openForm({
    operation: campaigns.issue,
    fields: {
      count: {
        kind: 'integer',
        isRequired: true,
        label: t('Number of cards'),
        description: t('How many to issue now.'),
      },
    },
    fixed: { id },
    initial: { count: cards - requested },
    title: t('Issue cards'),
    done: (changed) =>
      t('{requested} of {cards} cards are requested', {
        requested: formatCount(changed.requested),
        cards: formatCount(changed.cards),
      }),
  })

/** Issues a card to each person of a list who has none. */
const issueToRecipients = ({ id }: Campaign) =>
  openForm({
    operation: campaigns.issue,
    fields: {
      recipients: {
        kind: 'lines',
        isRequired: true,
        label: t('Recipients'),
        description: t(
          'A name or customer number on each line, at most 500. A person who has a card of this campaign gets no other.',
        ),
      },
    },
    fixed: { id },
    title: t('Issue cards to people'),
    action: t('Issue cards'),
    done: (changed) =>
      t('{issued} of {cards} cards are issued', {
        issued: formatCount(changed.issued),
        cards: formatCount(changed.cards),
      }),
  })

function listActions(campaign: Campaign): Actions {
  const { id, status, requested, cards } = campaign
  const program = programList.find(({ name }) => name === campaign.program)
  const change = status === 'PAUSED' ? 'resume' : 'pause'
  const canChange = status !== 'ENDED'
  return [
    requested > 0 &&
      program !== undefined && {
        label: t('Show its cards'),
        to: `cards/${program.slug}`,
        search: { campaign: String(id) },
        isForReaders: true,
      },
    canChange && { label: changes[change].action, onSelect: () => changeCampaign(campaign, change) },
    canChange && { label: t('End'), onSelect: () => changeCampaign(campaign, 'end') },
    canChange &&
      requested < cards && { label: t('Issue to people'), onSelect: () => issueToRecipients(campaign) },
    canChange &&
      requested < cards && { label: t('Issue cards'), kind: 'primary', onSelect: () => issueCards(campaign) },
  ]
}

/** The newest days that are shown, of at most 1,000. */
const SHOWN_DAYS = 100
const reasons: Readonly<Record<string, string>> = verificationTexts.reasons

const dayColumns: Columns<CampaignDay> = {
  day: { label: t('Day'), cell: ({ day }) => formatDate(`${day}T12:00:00`) },
  store: t('Store'),
  used: texts.totals.used,
  refused: texts.totals.refused,
}

function Totals({ totals }: { readonly totals: CampaignTotals }): ReactNode {
  const { issued, cards, active, expired, used, refused, days } = totals
  const { totals: labels } = texts
  const refusals = refused.map(({ reason, count }) => `${reasons[reason] ?? reason}: ${formatCount(count)}`)
  return (
    <>
      <DetailSection
        title={t('Totals')}
        details={{
          [t('Issued')]: t('{issued} of {cards}', { issued: formatCount(issued), cards: formatCount(cards) }),
          [t('Valid now')]: formatCount(active),
          [labels.used]: formatCount(used),
          [t('Expired')]: formatCount(expired),
          [labels.refused]: refusals.join(', '),
        }}
      />
      <Section title={labels.days}>
        {days.length === 0 ? (
          <p className="muted">{t('Nobody has scanned its cards yet.')}</p>
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
