import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../../components/icon.tsx'
import { t } from '../../language/translate.ts'
import { undoTexts } from '../../texts/undo.ts'
import { describeScan, type ScanSurroundings } from './describe-scan.ts'
import type { Scan, ScanState } from './scan.ts'
import { signal } from './speaker.ts'

/**
 * How long a result stays, in milliseconds. A refusal has to be read, and an old answer must not be taken for
 * that of the next card.
 */
const SHOWN_MS: Readonly<Record<ScanState, number>> = { accepted: 5000, refused: 9000, waiting: 9000 }

const ICONS = { accepted: 'check', refused: 'close', waiting: 'clock' } as const

interface ResultScreenProps {
  readonly scan: Scan
  readonly surroundings: ScanSurroundings
  readonly isMuted: boolean
  /** How many other scans of the same card wait. */
  readonly otherWaiting: number
  /** Undefined if the person cannot undo the scan. The press closes the screen, too. */
  readonly onUndo: (() => void) | undefined
  readonly onClose: () => void
}

/**
 * Fills the screen with the result of a scan: green if the card is redeemed, red if it is refused or was used
 * before, amber while nobody knows. It closes by itself, by a press anywhere, and by Escape. The camera goes on below it.
 */
export function ResultScreen(props: ResultScreenProps): ReactNode {
  const { scan, surroundings, isMuted, otherWaiting, onUndo, onClose } = props
  const { title, look, name, details } = describeScan(scan, surroundings)
  const isKnown = scan.state !== 'waiting' || surroundings.hasProblem
  useSignal(isKnown ? look : undefined, isMuted)
  useClosing(look, isKnown, onClose)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape and with the button.
    // biome-ignore lint/a11y/noStaticElementInteractions: the whole screen is a larger target for the button in it.
    <div className={`result result-${look}`} onClick={onClose}>
      <div className="result-content" role="alert">
        <Icon name={ICONS[look]} />
        <p className="result-title">{title}</p>
        <p className="result-name">{name}</p>
        {details.map((line, index) => (
          <p key={line} className={index === 0 ? 'result-reason' : 'result-detail'}>
            {line}
          </p>
        ))}
        {otherWaiting > 0 && (
          <p className="result-detail">
            {t(
              '{count, plural, one {Another scan of this card waits too.} other {# other scans of this card wait too.}}',
              { count: otherWaiting },
            )}
          </p>
        )}
      </div>
      <div className="result-buttons">
        {onUndo !== undefined && (
          <button type="button" className="result-button result-undo" onClick={onUndo}>
            {undoTexts.action}
          </button>
        )}
        <button type="button" className="result-button" onClick={onClose}>
          {t('Next scan')}
        </button>
      </div>
    </div>
  )
}

/** Plays the sound of a result once, as soon as it is known. */
function useSignal(state: ScanState | undefined, isMuted: boolean): void {
  const muted = useRef(isMuted)
  muted.current = isMuted
  useEffect(() => {
    if (state !== undefined) signal(state, muted.current)
  }, [state])
}

function useClosing(state: ScanState, isKnown: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    if (!isKnown) return
    const timer = setTimeout(() => close.current(), SHOWN_MS[state])
    return () => clearTimeout(timer)
  }, [state, isKnown])
}
