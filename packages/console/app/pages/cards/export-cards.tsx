import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import type { GatewayClient, InputOf } from '@mintmark/operation'
import type { ReactNode } from 'react'
import { ExportDialog } from '../../components/export-dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { saveFile } from '../../components/save-file.ts'
import { formatCsvRecord } from '../../format/csv.ts'
import { t } from '../../language/translate.ts'
import { useProjectGateway } from '../../session/project-context.tsx'
import { listExportColumns } from './card-columns.ts'
import { type AnyCard, isCardStatus, type Program } from './programs.ts'

/** The filters of a list, as its address has them. */
export interface CardSearch {
  readonly q?: string
  readonly status?: string
  readonly campaign?: string
}

interface ExportCardsProps {
  readonly program: Program
  readonly search: CardSearch
  readonly onClose: () => void
}

/** Saves the cards of a list as a CSV file. It reads them page by page, and can be stopped. */
export function ExportCards({ program, search, onClose }: ExportCardsProps): ReactNode {
  const { gateway } = useProjectGateway()
  const save = async (signal: AbortSignal, onCount: (count: number) => void) => {
    const columns = listExportColumns(program)
    const lines = [formatCsvRecord(columns.map(({ name }) => name))]
    for await (const card of readCards(gateway, program, search, signal)) {
      lines.push(formatCsvRecord(columns.map(({ read }) => read(card, location.origin))))
      if (lines.length % MAX_PAGE_SIZE === 0) onCount(lines.length - 1)
    }
    saveFile(`${program.slug}-cards.csv`, 'text/csv;charset=utf-8', lines.join(''))
    return lines.length - 1
  }
  return (
    <ExportDialog
      title={t('Export cards')}
      formatRecords={(count) => t('{count, plural, one {# card} other {# cards}}', { count })}
      save={save}
      onClose={onClose}
    >
      <p>
        {Object.keys(search).length === 0
          ? t('Saves all cards of this kind as a CSV file, which spreadsheets open.')
          : t(
              'Saves the cards that the search and the status select as a CSV file, which spreadsheets open.',
            )}
      </p>
      <Notice
        tone="warning"
        title={t('The file contains the links of the cards')}
        advice={t(
          'Whoever has the link of a card has the card. Keep the file where only your team reads it.',
        )}
      />
    </ExportDialog>
  )
}

/**
 * Reads the cards of a list, oldest first, so that cards that are created meanwhile do not move the others.
 */
export function readCards(
  gateway: GatewayClient,
  program: Program,
  { q, status, campaign }: CardSearch,
  signal: AbortSignal,
): AsyncIterable<AnyCard> {
  const input: InputOf<Program['operations']['search']> = {
    pageSize: MAX_PAGE_SIZE,
    orderBy: 'id',
    ...(q !== undefined && { keyword: q }),
    ...(isCardStatus(status) && { status }),
    ...(campaign !== undefined && { campaignId: Number(campaign) }),
  }
  return program.operations.search.items(gateway, input, { signal })
}
