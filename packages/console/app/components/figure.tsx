import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'
import '../styles/figures.css'

interface FigureProps {
  readonly label: string
  readonly value: string
  /** Against the period before. Default, and `''` if that had nothing: not shown. */
  readonly change?: string
  /** What the number means. Default, and `''`: nothing. */
  readonly note?: string
}

/** A number of a period with its change, in a list of class `figures`. */
export function Figure({ label, value, change = '', note = '' }: FigureProps): ReactNode {
  return (
    <div className="panel tile figure">
      <dt>{label}</dt>
      <dd className="figure-value numeric">{value}</dd>
      {change !== '' && <dd className="muted">{t('{change} against the period before', { change })}</dd>}
      {note !== '' && <dd className="muted">{note}</dd>}
    </div>
  )
}
