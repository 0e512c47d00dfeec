import { isMintmarkError } from '@mintmark/envelope'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { callOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { SelectField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader, type PageHeaderProps } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { formatCount } from '../../format/number.ts'
import { formatDate } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useMayChange, useProjectGateway } from '../../session/project-context.tsx'
import { IssuerPage } from './issuer-page.tsx'
import '../../styles/print.css'
import '../../styles/receipt.css'
import { printTexts } from '../../texts/cards.ts'
import { findCardLink, getValidityEnd } from './card.ts'
import { type CardSearch, readCards } from './export-cards.tsx'
import { listLabels, MAX_PRINTED_CARDS, type PrintedLabel, toSheets } from './print-labels.ts'
import { type AnyCard, type Program, useProgram } from './programs.ts'

const PAPERS = ['a4', 'letter'] as const
type Paper = (typeof PAPERS)[number]
const COPIES = [1, 2, 4, 8, 12, 24] as const

/** A sheet of QR codes to print and cut: 24 on a page, for A4 and Letter. Only for those who issue cards. */
export function PrintPage(): ReactNode {
  const program = useProgram()
  const title = printTexts.title(program.texts.title)
  const list = { to: `cards/${program.slug}`, title: program.texts.title }
  const mayChange = useMayChange()
  return mayChange ? (
    <Sheets program={program} title={title} list={list} />
  ) : (
    <IssuerPage title={title} list={list}>
      {null}
    </IssuerPage>
  )
}

function Sheets({ program, ...header }: PageHeaderProps & { readonly program: Program }): ReactNode {
  const [{ paper, copies, ...list }, setSearch] = useSearchState(
    'paper',
    'copies',
    'part',
    'q',
    'status',
    'campaign',
    'id',
  )
  const query = usePrintedCards(program, list)
  const chosenPaper: Paper = paper === 'letter' ? 'letter' : 'a4'
  const chosenCopies = COPIES.find((count) => String(count) === copies) ?? 1
  const labels = listLabels(query.data?.cards ?? [], chosenCopies, location.origin)
  const sheets = toSheets(labels)
  return (
    <>
      <div className="screen-only">
        <PageHeader
          {...header}
          description={t('24 QR codes on each page, with lines to cut. Print without scaling.')}
          actions={
            <Button kind="primary" disabled={sheets.length === 0} onClick={() => window.print()}>
              {t('Print')}
            </Button>
          }
        />
        <div className="toolbar">
          <SelectField
            label={t('Paper')}
            value={chosenPaper}
            options={PAPERS.map((value) => ({ value, label: printTexts.papers[value] }))}
            onChange={(value) => setSearch({ paper: value })}
          />
          <SelectField
            label={t('Copies of each card')}
            value={String(chosenCopies)}
            options={COPIES.map((count) => ({ value: String(count), label: String(count) }))}
            onChange={(value) => setSearch({ copies: value })}
          />
          {query.data !== undefined && (
            <p className="muted" role="status">
              {printTexts.count(labels.length, sheets.length)}
            </p>
          )}
        </div>
        <QueryView query={query}>
          {(printed) => (
            <>
              <PartNotices printed={printed} part={toPart(list.part)} />
              {labels.length === 0 && (
                <EmptyState
                  icon="card"
                  title={t('No cards to print')}
                  advice={t('Choose another search or status in the list of cards.')}
                />
              )}
            </>
          )}
        </QueryView>
      </div>
      <div className={`printed sheets sheets-${chosenPaper}`}>
        {sheets.map((sheet, index) => (
          <section
            key={sheet[0]?.key}
            className="sheet"
            aria-label={t('Page {number}', { number: index + 1 })}
          >
            {sheet.map((label) => (
              <Label key={label.key} label={label} />
            ))}
          </section>
        ))}
      </div>
    </>
  )
}

interface PartNoticesProps {
  readonly printed: PrintedCards
  readonly part: number
}

/** Says which cards these are, and which of them are not printed or have expired. */
function PartNotices({ printed: { cards, hasMore }, part }: PartNoticesProps): ReactNode {
  const [, setSearch] = useSearchState('part')
  const [now] = useState(() => Date.now())
  const withoutCode = cards.filter((card) => findCardLink(card, location.origin) === undefined).length
  const expired = cards.filter((card) => new Date(getValidityEnd(card)).getTime() < now).length
  return (
    <>
      {(hasMore || part > 0) && (
        <Notice
          tone="info"
          {...printTexts.part(formatCount(part * MAX_PRINTED_CARDS + 1), formatCount(MAX_PRINTED_CARDS))}
          action={
            <>
              {part > 0 && (
                <Button onClick={() => setSearch({ part: part > 1 ? String(part - 1) : undefined })}>
                  {t('Previous part')}
                </Button>
              )}
              {hasMore && (
                <Button onClick={() => setSearch({ part: String(part + 1) })}>{t('Next part')}</Button>
              )}
            </>
          }
        />
      )}
      {withoutCode > 0 && <Notice tone="info" title={printTexts.withoutCode(withoutCode)} />}
      {expired > 0 && <Notice tone="warning" title={printTexts.expired(expired)} />}
    </>
  )
}

function Label({
  label: { name, reference, code, address, endTime },
}: {
  readonly label: PrintedLabel
}): ReactNode {
  return (
    <div className="label">
      <QrCode content={address} label={name} />
      <div className="label-text">
        <p className="label-name">{name}</p>
        {reference !== '' && <p>{reference}</p>}
        <p>{t('Valid until {endTime}', { endTime: formatDate(endTime) })}</p>
        <p className="label-code">{code}</p>
      </div>
    </div>
  )
}

interface PrintedCards {
  readonly cards: readonly AnyCard[]
  /** Whether the list has more cards than are printed at a time. */
  readonly hasMore: boolean
}

/** Which cards are printed: those of a list, or one. */
interface PrintSearch extends CardSearch {
  readonly id?: string
  /** Which of the parts that are printed at a time, from 0. */
  readonly part?: string
}

const toPart = (text = '0') => (/^\d{1,6}$/.test(text) ? Number(text) : 0)

/** Reads the cards of a part of a list, or one card. */
function usePrintedCards(program: Program, { id, part, ...search }: PrintSearch) {
  const { gateway, projectId } = useProjectGateway()
  return useQuery({
    queryKey: ['printed-cards', projectId ?? null, program.name, id, part, search],
    queryFn: async ({ signal }): Promise<PrintedCards> => {
      if (id !== undefined) {
        const card = await callOperation(gateway, program.operations.get, { id: Number(id) }, { signal })
        return { cards: [card], hasMore: false }
      }
      const cards: AnyCard[] = []
      let skipped = toPart(part) * MAX_PRINTED_CARDS
      for await (const card of readCards(gateway, program, search, signal)) {
        skipped -= 1
        if (skipped >= 0) continue
        if (cards.length === MAX_PRINTED_CARDS) return { cards, hasMore: true }
        cards.push(card)
      }
      return { cards, hasMore: false }
    },
    staleTime: 0,
    retry: (_count, error) => !isMintmarkError(error),
  })
}
