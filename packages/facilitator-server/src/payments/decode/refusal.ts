import type { Decoded } from '../payment.ts'
import type { Issue } from './fields.ts'

/** Why a body is no payment. */
export type Refusal = Decoded & { ok: false }

export const refuse = (reason: string, message: string, issues: readonly Issue[] = []): Refusal => ({
  ok: false,
  reason,
  message,
  ...(issues.length > 0 && { issues: [...issues] }),
})

export const refuseNonObject = (reason: string, path: string): Refusal =>
  refuse(reason, `${path} must be an object`, [{ path, message: 'must be an object' }])

export const isRefusal = (value: object): value is Refusal => 'ok' in value
