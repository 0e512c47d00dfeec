import { type ApprovalGrant, operatorGrants } from '@mintmark/facilitator/operator'
import { createApprovalLimits } from '../../chains/evm/settings/approval-limits.ts'
import {
  type ListedGrant,
  listGrants,
  readDayTotals,
} from '../../schemes/evm/shared/permit2/approvals/list-grants.ts'
import { toListPart } from '../context/list-part.ts'
import { DEFAULT_LIST_SIZE, implement, type OperatorPort } from './operator-context.ts'

/** The operations of the gas that payers receive for approvals. */
export const operatorGrantRoutes = implement(operatorGrants, {
  async list({ accountId, payer, before, size = DEFAULT_LIST_SIZE }, { port }) {
    const found = await listGrants(port.db, { accountId, payer }, { before, size: size + 1 })
    const { listed, more } = toListPart(found, size)
    return { grants: listed.map(toApprovalGrant), ...more }
  },

  async today(_, { port }) {
    const { day, totals } = await readDayTotals(port.db)
    return {
      day,
      totals: totals.map((total) => {
        const limit = findDayLimit(port, total.chainId)
        return { ...total, ...(limit !== undefined && { limit: String(limit) }) }
      }),
    }
  },
})

/**
 * Finds how much the payers of one account may receive in a day. Undefined if no approvals are sponsored on
 * the chain.
 */
function findDayLimit({ config, payments }: OperatorPort, chainId: number): bigint | undefined {
  if (payments.builtIn === undefined || payments.chains.byId(chainId) === undefined) return undefined
  return createApprovalLimits(config.approvalGrant(chainId), config.approvalGrantsPerDay(chainId))?.perDay
}

const toApprovalGrant = ({
  state,
  succeeded,
  hash,
  approvalHash,
  createdAt,
  ...grant
}: ListedGrant): ApprovalGrant => ({
  ...grant,
  status: state,
  ...(succeeded !== null && { succeeded }),
  transaction: hash,
  approval: approvalHash,
  createTime: createdAt.toISOString(),
})
