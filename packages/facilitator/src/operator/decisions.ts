import { Amount, Id, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'

const decision = record({
  /** The decision's id. */
  id: Integer,
  /** Who decided, such as `person:7`. */
  actor: v.string(),
  /** The operation, such as `operatorAccounts.freeze`. */
  operation: v.string(),
  /** What was changed, such as `account/12`, `key/3`, `settlement/40`, `payer/0x…` or `session/4711`. */
  subject: v.string(),
  /** Why; `''` if no reason was given. */
  reason: v.string(),
  /** The credited amount, in wei; absent for other decisions. */
  amount: v.optional(Amount),
  /** The program of the session of the database that was to be ended; absent for other decisions. */
  program: v.optional(v.string()),
  /** When the decision was made. */
  createTime: Timestamp,
})
/** A change that an operator made. */
export interface OperatorDecision extends v.InferOutput<typeof decision> {}
export const OperatorDecision: Schema<OperatorDecision> = decision

const decisionList = record({
  /** The decisions, newest first. */
  decisions: v.array(OperatorDecision),
  /** The `before` of the next part of the list; absent at the end. */
  next: v.optional(Integer),
})
/** A part of the list of decisions. */
export interface DecisionList extends v.InferOutput<typeof decisionList> {}
export const DecisionList: Schema<DecisionList> = decisionList

/**
 * Lists the changes that operators made through this interface and by commands, newest first. Nobody can
 * change or remove them through it.
 *
 * @example
 * const { decisions } = await operatorDecisions.list(operator, { subject: 'account/12' })
 */
export const list = facilitatorOperation({
  id: 'operatorDecisions.list',
  method: 'GET',
  path: '/operator/v1/decisions',
  source: 'own',
  scope: 'operator:read',
  query: {
    /** Only decisions about this subject, such as `account/12`. */
    subject: v.optional(v.string()),
    /** Only decisions that are older than the one with this id. */
    before: v.optional(Id),
    /** How many decisions to return, 1 to 100. Default: 20. */
    size: v.optional(Integer),
  },
  data: DecisionList,
})
export type ListOperatorDecisionsInput = InputOf<typeof list>
