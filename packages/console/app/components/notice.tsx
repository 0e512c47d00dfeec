import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import { Icon } from './icon.tsx'

interface NoticeProps {
  readonly tone: Exclude<Tone, 'neutral'>
  readonly title: string
  readonly advice?: ReactNode
  /** A button or a link. */
  readonly action?: ReactNode
}

/** Explains something that a person should know or do. An error of a call belongs to an `ErrorNotice`. */
export function Notice({ tone, title, advice, action }: NoticeProps): ReactNode {
  return (
    <div className={`notice tone-${tone}`}>
      <Icon name={tone === 'success' ? 'check' : tone === 'info' ? 'info' : 'warning'} />
      <div className="notice-text">
        <p className="notice-title">{title}</p>
        {advice !== undefined && <div>{advice}</div>}
      </div>
      {action !== undefined && <div className="notice-action">{action}</div>}
    </div>
  )
}
