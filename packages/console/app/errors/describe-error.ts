import { DECISION_REFUSED } from '@mintmark/admin'
import { type AnyMintmarkError, isMintmarkError } from '@mintmark/envelope'
import { DECISION_REFUSED as FACILITATOR_DECISION_REFUSED } from '@mintmark/facilitator/operator'
import { authErrorTexts, errorNoticeTexts, errorTexts, reasonTexts, type Sentence } from '../texts/errors.ts'
import { AuthError } from './auth-error.ts'

/** An error as the console shows it. */
export interface ErrorDescription extends Sentence {
  /** Quote it to an operator. */
  readonly requestId?: string | undefined
  /** Whether the same call can succeed later. */
  readonly isRetryable: boolean
}

interface ErrorContext {
  /** The role of the person, as it is displayed. */
  readonly role?: string | undefined
  /** Whether the browser has a network connection. */
  readonly isOnline: boolean
}

/** Describes an error for a person: what happened, and what to do. */
export function describeError(error: unknown, context: ErrorContext): ErrorDescription {
  if (isMintmarkError(error)) return describeCallError(error, context)
  if (error instanceof AuthError) return describeAuthError(error, context)
  return { ...errorNoticeTexts.unknown, isRetryable: false }
}

function describeCallError(error: AnyMintmarkError, context: ErrorContext): ErrorDescription {
  const { requestId, retryable: isRetryable } = error
  return { ...findSentence(error, context), requestId, isRetryable }
}

function findSentence(error: AnyMintmarkError, { role, isOnline }: ErrorContext): Sentence {
  const { kind, reason, retryAfter } = error
  if (!isOnline && (kind === 'Network' || kind === 'Timeout')) return errorNoticeTexts.offline
  const rule = reason === undefined ? undefined : reasonTexts[reason]
  // The message says which state refuses the decision, and what to do instead.
  if (rule !== undefined && isRefusedDecision(reason)) {
    return { title: rule.title, advice: getServerMessage(error) ?? rule.advice }
  }
  if (rule !== undefined) return rule
  if (kind === 'Forbidden' && role !== undefined) return errorNoticeTexts.forbiddenForRole(role)
  const sentence = errorTexts[kind]
  if (kind === 'RateLimited' && retryAfter !== undefined) {
    return { title: sentence.title, advice: errorNoticeTexts.retryAfter(retryAfter) }
  }
  // The server's message names the rule that a newer server added.
  const message = kind === 'Refused' ? getServerMessage(error) : undefined
  return message === undefined ? sentence : { title: message, advice: '' }
}

const isRefusedDecision = (reason: string | undefined): boolean =>
  reason === DECISION_REFUSED.reason || reason === FACILITATOR_DECISION_REFUSED.reason

/** Returns the message of the server, without the operation and the status that the client puts before it. */
function getServerMessage({ message }: AnyMintmarkError): string | undefined {
  return /^[\w.]+: \d{3} (.+)$/s.exec(message)?.[1]
}

function describeAuthError(error: AuthError, { isOnline }: ErrorContext): ErrorDescription {
  const { code, status, retryAfter, message } = error
  if (status === 0) {
    const sentence = isOnline ? errorTexts.Network : errorNoticeTexts.offline
    return { ...sentence, isRetryable: true }
  }
  if (status === 429) {
    const { title, advice } = errorTexts.RateLimited
    const wait = retryAfter === undefined ? advice : errorNoticeTexts.retryAfter(retryAfter)
    return { title, advice: wait, isRetryable: true }
  }
  const sentence = authErrorTexts[code]
  if (sentence !== undefined) return { ...sentence, isRetryable: false }
  if (status >= 500) return { ...errorTexts.Server, isRetryable: true }
  if (message !== '') return { title: message, advice: '', isRetryable: false }
  return { ...errorNoticeTexts.unknown, isRetryable: false }
}
