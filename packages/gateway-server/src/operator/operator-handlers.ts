import {
  ALREADY_MEMBER,
  DECISION_REFUSED,
  HAS_OWNER,
  LAST_OPERATOR,
  type Operator,
  operatorProjects,
  operators,
  Role,
  type ServerHealth,
  serverHealth,
  stuckMints,
  stuckOrders,
  TOO_MANY_PEOPLE,
} from '@mintmark/admin'
import { NotFoundError } from '@mintmark/envelope'
import { ConfigurationError, type FieldLimits, NAME_FORMAT, refusal, transaction } from '@mintmark/server-kit'
import { Tenant } from '../database/tenant.ts'
import { ensureDefaultCollection } from '../domains/contracts/contracts/default-collection.ts'
import { retryProblems } from '../domains/events/problems.ts'
import { listUndecidedMints, resolveMint } from '../domains/minting/watching/operator.ts'
import { confirmDelivery } from '../domains/orders/verification/confirm-delivery.ts'
import { resolveOrder } from '../domains/orders/verification/operator.ts'
import { recordRefund } from '../domains/orders/verification/refunds.ts'
import { DELIVERY_HOURS, listStuckOrders } from '../domains/orders/verification/stuck-orders.ts'
import { removeAccount } from '../domains/people/accounts-store.ts'
import { sendInvitationLink } from '../domains/people/invitation-link.ts'
import { createInvitation, createOperatorInvitation } from '../domains/people/invitations-store.ts'
import { listOperators, type OperatorRow, revokeOperator } from '../domains/people/operators-store.ts'
import { toInvitation, toLink } from '../domains/people/people-handlers.ts'
import { implementWithLimits } from '../http/context.ts'
import { HASH, KEY, NAME, RESPONSE_ITEMS, TEXT } from '../http/field-limits.ts'
import { EMAIL_FORMAT } from '../http/formats.ts'
import { ensureProject } from '../keys/keys-store.ts'
import { endSession } from './end-session.ts'
import { readHealth } from './health.ts'
import type { OperatorPorts } from './operator-port.ts'
import { findProject, getProject, listProjects } from './projects-store.ts'

const STUCK_MINUTES = 60

const operatorLimits: FieldLimits = {
  email: { characters: 320, format: EMAIL_FORMAT },
  deliveryHours: { min: 0, max: 1_000_000, integer: true },
  hash: HASH,
  minutes: { min: 0, max: 1_000_000, integer: true },
  name: NAME,
  orderNo: KEY,
  outcome: { oneOf: ['success', 'failed'] },
  payment: HASH,
  personId: KEY,
  reason: { ...TEXT, format: NAME_FORMAT },
  tokenId: { characters: 78 },
}
const implement = implementWithLimits<OperatorPorts>(operatorLimits)

/** Runs a decision of an operator. What its state does not allow is refused with the reason. */
async function decide<Result>(decision: () => Promise<Result>): Promise<Result> {
  try {
    return await decision()
  } catch (error) {
    if (error instanceof ConfigurationError) throw refusal(DECISION_REFUSED, error.message)
    throw error
  }
}

const projectRoutes = implement(operatorProjects, {
  list: async (_, { operator: { db } }) => await listProjects(db),

  async create({ name }, { operator: { db } }) {
    const id = await transaction(db, async (trx) => {
      const projectId = await ensureProject(trx, name)
      await ensureDefaultCollection(new Tenant(trx, projectId))
      return projectId
    })
    return await getProject(db, id)
  },

  async inviteOwner({ projectId, email }, context) {
    const { db } = context.operator
    if ((await findProject(db, projectId)) === undefined) throw refusal(NotFoundError)
    const invitation = { project: projectId, email, role: Role.OWNER, isFirstOwner: true }
    const created = await createInvitation(db, invitation)
    if (created === 'owned') throw refusal(HAS_OWNER)
    if (created === 'member') throw refusal(ALREADY_MEMBER)
    if (created === 'full')
      throw refusal(TOO_MANY_PEOPLE, `A project has at most ${RESPONSE_ITEMS.people} people and invitations`)
    const link = await sendInvitationLink(toLink(created), context, context.caller)
    return { ...toInvitation(created.row), ...link }
  },
})

function toOperator({ lastSeenAt, ...person }: OperatorRow): Operator {
  return { ...person, ...(lastSeenAt !== null && { lastSeenTime: lastSeenAt.toISOString() }) }
}

const personRoutes = implement(operators, {
  list: async (_, { operator: { db } }) => (await listOperators(db)).map(toOperator),

  async invite({ email }, context) {
    const created = await createOperatorInvitation(context.operator.db, email)
    const link = await sendInvitationLink(created, context, context.caller)
    return { email: created.email, expireTime: created.expiresAt.toISOString(), ...link }
  },

  async revoke({ personId }, { operator: { db } }) {
    const result = await revokeOperator(db, personId)
    if (result === 'not found') throw refusal(NotFoundError)
    if (result === 'last operator') throw refusal(LAST_OPERATOR)
    return {}
  },

  async removePerson({ email }, { operator: { db } }) {
    const result = await removeAccount(db, email)
    if (result === 'not found') throw refusal(NotFoundError)
    if (result === 'last operator') throw refusal(LAST_OPERATOR)
    const { memberships, ...person } = result
    return { ...person, projects: memberships.slice(0, RESPONSE_ITEMS.memberships) }
  },
})

const orderRoutes = implement(stuckOrders, {
  async list({ minutes = STUCK_MINUTES, deliveryHours = DELIVERY_HOURS }, { operator: { db } }) {
    const rows = await listStuckOrders(db, minutes, deliveryHours)
    return rows.map(({ payments, ...row }) => ({ ...row, payments: [...payments] }))
  },

  async resolve({ projectId, orderNo, reason, outcome, hash, withoutPayment = false }, context) {
    const { operator, caller, invalid } = context
    const isSuccess = outcome === 'success'
    if (!isSuccess && (hash !== undefined || withoutPayment))
      invalid('outcome', 'hash and withoutPayment are for the outcome success')
    if (hash !== undefined && withoutPayment) invalid('hash', 'Send hash or withoutPayment, not both')
    const event = isSuccess ? 'resolved_success' : 'resolved_failed'
    const resolution = {
      project: projectId,
      orderNo,
      reason,
      actor: caller.name,
      event,
      hash,
      withoutPayment,
    } as const
    return await decide(() => resolveOrder(operator.db, operator.findInventory, resolution))
  },

  async recordRefund({ projectId, orderNo, reason, payment, hash }, context) {
    const { operator, caller } = context
    const decision = { project: projectId, orderNo, reason, actor: caller.name, payment, hash }
    return await decide(() => recordRefund(operator.db, operator.findInventory, decision))
  },

  async confirmDelivery({ projectId, orderNo, reason }, context) {
    const decision = { project: projectId, orderNo, reason, actor: context.caller.name }
    return await decide(() => confirmDelivery(context.operator.db, decision))
  },
})

const mintRoutes = implement(stuckMints, {
  async list(_, { operator: { db } }) {
    const rows = await listUndecidedMints(db)
    return rows.map((row) => ({ ...row, validUntil: new Date(row.validUntil).toISOString() }))
  },

  async resolve({ projectId, reservation, reason, hash, tokenId }, context) {
    const { operator, caller, invalid } = context
    if ((hash === undefined) !== (tokenId === undefined))
      invalid(hash === undefined ? 'hash' : 'tokenId', 'Send hash and tokenId, or neither')
    if (tokenId !== undefined && !/^\d+$/.test(tokenId)) invalid('tokenId', 'Expected decimal digits')
    const minted = hash === undefined || tokenId === undefined ? undefined : { hash, tokenId }
    const resolution = { project: projectId, reservation, reason, actor: caller.name, minted }
    return await decide(() => resolveMint(operator.db, operator.orders, resolution))
  },
})

const healthRoutes = implement(serverHealth, {
  get: async (_, { operator }): Promise<ServerHealth> => await readHealth(operator),

  async retryUnreported({ projectId }, { operator: { db } }) {
    return { retried: await retryProblems(db, { project: projectId }) }
  },

  endSession: async (identity, context) => await decide(() => endSession(context.operator.db, identity)),
})

/** The operations of those who operate the server. */
export const operatorRoutes = [
  ...projectRoutes,
  ...personRoutes,
  ...orderRoutes,
  ...mintRoutes,
  ...healthRoutes,
]
