import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Icon } from '../../components/icon.tsx'
import { Time } from '../../components/time.tsx'
import { scannerTexts } from '../../texts/scanner.ts'
import { describeScan, type ScanSurroundings } from './describe-scan.ts'
import { listShownScans, type Scan } from './scan.ts'

interface ScanItemProps {
  readonly scan: Scan
  readonly surroundings: ScanSurroundings
}

const texts = scannerTexts.history
const tones = { waiting: 'warning', accepted: 'success', refused: 'danger' } as const
const icons = { waiting: 'clock', accepted: 'check', refused: 'close' } as const

/** Lists the last scans of this device, newest first. */
export function ScanHistory({ surroundings }: Pick<ScanItemProps, 'surroundings'>): ReactNode {
  const scans = listShownScans(surroundings.scans)
  return (
    <Section title={texts.title}>
      {scans.length === 0 ? (
        <p className="muted">{texts.empty}</p>
      ) : (
        <ol className="scan-list" aria-label={texts.title}>
          {scans.map((scan) => (
            <ScanItem key={scan.nonce} scan={scan} surroundings={surroundings} />
          ))}
        </ol>
      )}
    </Section>
  )
}

function ScanItem({ scan, surroundings }: ScanItemProps): ReactNode {
  const { state, card, code, scannedAt } = scan
  const { title, name, details } = describeScan(scan, surroundings)
  const [detail] = details
  return (
    <li className={`scan-item scan-item-${state}`}>
      <Icon name={icons[state]} />
      <div className="grow">
        <p className="scan-item-name break">{name}</p>
        <p className="muted break">
          {state === 'waiting' ? (card === undefined ? title : scannerTexts.programs[card.program]) : detail}
        </p>
        {state === 'refused' && card === undefined && <code className="faint break">{code}</code>}
      </div>
      <div className="scan-item-end">
        <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        <span className="faint">
          <Time value={new Date(scannedAt).toISOString()} />
        </span>
      </div>
    </li>
  )
}
