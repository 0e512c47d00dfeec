import { type ReactNode, useSyncExternalStore } from 'react'
import { describeError, type ErrorDescription } from '../errors/describe-error.ts'
import { t } from '../language/translate.ts'
import { useRole } from '../session/project-context.tsx'
import { errorNoticeTexts } from '../texts/errors.ts'
import { formatRole } from '../texts/shell.ts'
import type { Tone } from './badge.tsx'
import { Button } from './button.tsx'
import { CopiedText } from './copy-button.tsx'
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

/** Describes an error for the person who is signed in. Undefined without an error. */
function useErrorDescription(error: unknown): ErrorDescription | undefined {
  const isOnline = useIsOnline()
  const role = useRole()
  if (error === null || error === undefined) return undefined
  return describeError(error, { isOnline, role: role === undefined ? undefined : formatRole(role) })
}

/** Whether the browser has a network connection. */
export function useIsOnline(): boolean {
  const isOnline = () => navigator.onLine
  return useSyncExternalStore(subscribeToConnection, isOnline, isOnline)
}

function subscribeToConnection(notify: () => void): () => void {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}

interface ErrorNoticeProps {
  /** Any caught value. Nothing is shown without one. */
  readonly error: unknown
  /** Repeats the call. Without it, no button is shown. */
  readonly onRetry?: (() => void) | undefined
  /** Whether the call is running again. */
  readonly isRetrying?: boolean
}

/**
 * Explains an error: what happened, what to do, and the request id for an operator. Screen readers read it
 * when it appears.
 */
export function ErrorNotice({ error, onRetry, isRetrying = false }: ErrorNoticeProps): ReactNode {
  const description = useErrorDescription(error)
  if (description === undefined) return null
  const { title, advice, requestId, isRetryable } = description
  return (
    <div className="notice tone-danger" role="alert">
      <Icon name="warning" />
      <div className="notice-text">
        <p className="notice-title">{title}</p>
        {advice !== '' && <p>{advice}</p>}
        {requestId !== undefined && (
          <p className="small">
            {t('Request id')} <CopiedText text={requestId} label={t('Copy the request id')} />
          </p>
        )}
        {onRetry !== undefined && isRetryable && (
          <Button onClick={onRetry} isPending={isRetrying}>
            {errorNoticeTexts.retry}
          </Button>
        )}
      </div>
    </div>
  )
}
