import type { Schema } from '@mintmark/envelope'
import * as v from 'valibot'

/** The roles of people in a project. */
export const Role = {
  /** May do everything in the project, and manages its people and keys. */
  OWNER: 'OWNER',
  /** May do everything except manage people and keys. */
  MANAGER: 'MANAGER',
  /** May verify and redeem cards, and see what is needed for that. */
  STAFF: 'STAFF',
  /** May read everything, including people, keys and the audit log, and change nothing. */
  AUDITOR: 'AUDITOR',
} as const
/** What a person may do in a project. */
export type Role = (typeof Role)[keyof typeof Role]

/** A `Role` of a record; open, because a newer server may return further values. */
export const OpenRole: Schema<Role | (string & {})> = /* @__PURE__ */ v.string()
