import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'

interface TechnicalDetailsProps {
  /** Whether it is open at first, because something in it is set or has to be corrected. Default: no. */
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** Folds what most people do not need, such as the contract of a card or the chain of an order. */
export function TechnicalDetails({ isOpen = false, children }: TechnicalDetailsProps): ReactNode {
  return (
    <details className="fold" open={isOpen}>
      <summary>{t('Technical details')}</summary>
      <div className="fold-content stack">{children}</div>
    </details>
  )
}
