import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Icon } from '../../components/icon.tsx'
import { Time } from '../../components/time.tsx'
import { t } from '../../language/translate.ts'
import { scannerTexts } from '../../texts/scanner.ts'
import { undoTexts } from '../../texts/undo.ts'
import { describeScan, type ScanSurroundings } from './describe-scan.ts'
import { listShownScans, type Scan } from './scan.ts'

interface ScanHistoryProps {
  readonly surroundings: ScanSurroundings
  readonly mayUndo: (scan: Scan) => boolean
  readonly onUndo: (scan: Scan) => void
}

const texts = scannerTexts.history
const tones = { waiting: 'warning', accepted: 'success', refused: 'danger' } as const
const icons = { waiting: 'clock', accepted: 'check', refused: 'close' } as const

/** Lists the last scans of this device, newest first. */
export function ScanHistory(props: ScanHistoryProps): ReactNode {
  const { surroundings } = props
  const scans = listShownScans(surroundings.scans)
  return (
    <Section title={texts.title}>
      {scans.length === 0 ? (
        <p className="muted">{t('Scans of this device appear here.')}</p>
      ) : (
        <ol className="frame" aria-label={texts.title}>
          {scans.map((scan) => (
            <ScanItem key={scan.nonce} scan={scan} {...props} />
          ))}
        </ol>
      )}
    </Section>
  )
}

function ScanItem({
  scan,
  surroundings,
  mayUndo,
  onUndo,
}: ScanHistoryProps & { readonly scan: Scan }): ReactNode {
  const { state, card, code, scannedAt, isUndone } = scan
  const { title, name, details } = describeScan(scan, surroundings)
  const [detail] = details
  return (
    <li className={`scan-item tone-${tones[state]}`}>
      <Icon name={icons[state]} />
      <div className="grow">
        <p className="medium break">{name}</p>
        {!isUndone && (
          <p className="muted break">
            {state === 'waiting'
              ? card === undefined
                ? title
                : scannerTexts.programs[card.program]
              : detail}
          </p>
        )}
        {state === 'refused' && card === undefined && <code className="faint break">{code}</code>}
      </div>
      <div className="scan-item-end">
        {isUndone ? (
          <Badge tone="neutral">{undoTexts.undone}</Badge>
        ) : (
          <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        )}
        <span className="faint">
          <Time value={new Date(scannedAt).toISOString()} />
        </span>
        {mayUndo(scan) && (
          <Button
            kind="plain"
            onClick={() => onUndo(scan)}
            aria-label={t('Undo the scan of {name}', { name })}
          >
            {undoTexts.action}
          </Button>
        )}
      </div>
    </li>
  )
}
