import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import type { GatewayClient, InputOf } from '@mintmark/operation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Notice } from '../../components/notice.tsx'
import { saveFile } from '../../components/save-file.ts'
import { formatCsvRecord } from '../../format/csv.ts'
import { formatCount } from '../../format/number.ts'
import { useProjectGateway } from '../../session/project-context.tsx'
import { componentTexts } from '../../texts/shell.ts'
import { listExportColumns } from './card-columns.ts'
import { type AnyCard, isCardStatus, type Program } from './programs.ts'

/** The filters of a list, as its address has them. */
export interface CardSearch {
  readonly q?: string
  readonly status?: string
  readonly campaign?: string
}

interface ExportDialogProps {
  readonly program: Program
  readonly search: CardSearch
  readonly onClose: () => void
}

/** Saves the cards of a list as a CSV file. It reads them page by page, and can be stopped. */
export function ExportDialog({ program, search, onClose }: ExportDialogProps): ReactNode {
  const { gateway } = useProjectGateway()
  const [count, setCount] = useState<number>()
  const [error, setError] = useState<unknown>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    setError(undefined)
    setCount(0)
    try {
      const columns = listExportColumns(program)
      const lines = [formatCsvRecord(columns.map(({ name }) => name))]
      for await (const card of readCards(gateway, program, search, signal)) {
        lines.push(formatCsvRecord(columns.map(({ read }) => read(card, location.origin))))
        if (lines.length % MAX_PAGE_SIZE === 0) setCount(lines.length - 1)
      }
      saveFile(`${program.slug}-cards.csv`, 'text/csv;charset=utf-8', lines.join(''))
      onClose()
    } catch (caught) {
      if (signal.aborted) return
      setError(caught)
      setCount(undefined)
    }
  }
  return (
    <Dialog title="Export cards" isOpen onClose={onClose}>
      <p>
        {Object.keys(search).length === 0
          ? 'Saves all cards of this kind as a CSV file, which spreadsheets open.'
          : 'Saves the cards that the search and the status select as a CSV file, which spreadsheets open.'}
      </p>
      <Notice
        tone="warning"
        title="The file contains the links of the cards"
        advice="Whoever has the link of a card has the card. Keep the file where only your team reads it."
      />
      <ErrorNotice error={error} />
      {count !== undefined && <p role="status">{`${formatCount(count)} cards read`}</p>}
      <div className="dialog-actions">
        <Button onClick={onClose}>{componentTexts.cancel}</Button>
        <Button kind="primary" isPending={count !== undefined} onClick={() => void start()}>
          Export
        </Button>
      </div>
    </Dialog>
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
