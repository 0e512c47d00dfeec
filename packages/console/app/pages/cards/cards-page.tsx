import type { ReactNode } from 'react'
import { openDialog } from '../../components/open-dialog.tsx'
import { ResourcePage } from '../../components/resource.tsx'
import { Time } from '../../components/time.tsx'
import { TabLinks } from '../../components/view-tabs.tsx'
import { formatDate } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { Redirect } from '../../navigation/redirect.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { useProject } from '../../session/project-context.tsx'
import { campaignsTexts } from '../../texts/campaigns.ts'
import { cardSettingsTexts, cardStatusTexts } from '../../texts/cards.ts'
import { formatUses, getValidityEnd } from './card.ts'
import { CardStatusBadge } from './card-status.tsx'
import { ExportCards } from './export-cards.tsx'
import { isCardStatus, programList, programs, useProgram } from './programs.ts'
import '../../styles/cards.css'

const tabs = programList.map(({ slug, texts }) => ({ key: slug, label: texts.tab, to: `cards/${slug}` }))

/** The cards of a program: search, filter by status, order and pages. */
export function CardsPage(): ReactNode {
  const program = useProgram()
  const { slug, texts, operations } = program
  const [{ status, campaign }] = useSearchState('status', 'campaign')
  const isRemoved = status === 'REMOVED'
  const create = { label: t('Create card'), kind: 'primary', to: `cards/${slug}/new` } as const
  return (
    <ResourcePage<typeof operations.search>
      operation={operations.search}
      title={texts.title}
      description={texts.description}
      list={
        campaign === undefined ? undefined : { to: `campaigns/${campaign}`, title: campaignsTexts.ofCampaign }
      }
      // Others do not see the codes of cards, without which there is nothing to print.
      actions={({ search }) => [
        { label: cardSettingsTexts.open, to: 'cards/settings' },
        { label: t('Print QR codes'), to: `cards/${slug}/print`, search },
        {
          label: t('Export'),
          onSelect: () =>
            openDialog((close) => <ExportCards program={program} search={search} onClose={() => close()} />),
        },
        { label: t('Import'), to: `cards/${slug}/import` },
        { ...create, icon: 'plus' },
      ]}
      above={<TabLinks label={t('Kinds of cards')} tabs={tabs} current={slug} />}
      filters={{
        q: { label: t('Search by name'), toInput: (keyword) => ({ keyword }) },
        status: {
          label: t('Status'),
          options: cardStatusTexts,
          toInput: (text) => (isCardStatus(text) ? { status: text } : {}),
        },
        campaign: { toInput: (id) => ({ campaignId: Number(id) }) },
      }}
      columns={{
        name: {
          label: t('Name'),
          sort: true,
          cell: ({ name }) => (isRemoved ? <strong>{name}</strong> : name),
        },
        _status: {
          label: t('Status'),
          cell: (card) => <CardStatusBadge card={card} isRemoved={isRemoved} />,
        },
        _uses: { label: texts.usesColumn, cell: formatUses },
        startTime: {
          label: t('Valid from'),
          sort: true,
          isWideOnly: true,
          cell: ({ startTime }) => formatDate(startTime),
        },
        endTime: { label: t('Valid until'), sort: true, cell: (card) => formatDate(getValidityEnd(card)) },
        createTimeLong: {
          label: t('Created'),
          sort: 'createTime',
          cell: ({ createTimeLong }) => <Time value={new Date(createTimeLong).toISOString()} />,
        },
      }}
      link={({ id }) => (isRemoved ? undefined : `cards/${slug}/${id}`)}
      empty={{
        icon: 'card',
        title: t('No cards yet'),
        advice: t('Create a card, or import many from a CSV file.'),
        adviceToRead: t('Cards appear here when a manager creates them.'),
        action: create,
      }}
    />
  )
}

/** Leads from the address of all cards to the first program. */
export function CardsIndexPage(): ReactNode {
  const { projectId } = useProject()
  return <Redirect to={`/p/${projectId}/cards/${programs.promoCodeCards.slug}`} />
}
