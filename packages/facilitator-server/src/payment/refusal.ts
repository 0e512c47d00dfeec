import { joinIssues } from '@mintmark/operation'
import type { Issue } from './fields.ts'
import type { Decoded } from './payment.ts'

/** Why a body is no payment. */
export type Refusal = Decoded & { ok: false }

/**
 * Refuses a body.
 *
 * @param issues The fields at fault, at least one.
 */
export const refuse = (reason: string, issues: readonly Issue[]): Refusal => ({
  ok: false,
  reason,
  message: joinIssues(issues),
  issues,
})

/** Refuses a body for one field. */
export const refuseField = (reason: string, path: string, message: string): Refusal =>
  refuse(reason, [{ path, message }])

export const isRefusal = (value: object): value is Refusal => 'ok' in value
