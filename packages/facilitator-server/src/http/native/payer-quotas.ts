import { NotFoundError } from '@mintmark/envelope'
import {
  INVALID_QUOTA_SIGNATURE,
  PAYER_MISMATCH,
  type PayerQuota,
  payerQuotas,
  QUOTA_NONCE_USED,
  quotaTypes,
} from '@mintmark/facilitator'
import { type Refuse, readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import type { QuotaSignatures } from '../../chains/evm/signatures/quota-signature.ts'
import type { Enqueue } from '../../events/record-event.ts'
import {
  findActiveQuota,
  getNextQuotaNonce,
  listQuotas,
  QUOTA_COLUMNS,
  type Quota,
  type QuotaResult,
  registerQuota,
  revokeQuota,
} from '../../ledger/quotas/quotas.ts'
import { type FacilitatorContext, implement, requireAccount } from '../context/context.ts'

const STATUSES = {
  active: 'ACTIVE',
  pending: 'PENDING',
  expired: 'EXPIRED',
  replaced: 'REPLACED',
  revoked: 'REVOKED',
} as const

/** Converts a quota to its record. */
export function toPayerQuota(quota: Quota): PayerQuota {
  return {
    id: quota.id,
    payer: quota.payer,
    limit: quota.limit.toString(),
    used: quota.used.toString(),
    held: quota.held.toString(),
    remaining: quota.remaining.toString(),
    validAfter: Number(quota.validAfter),
    validBefore: Number(quota.validBefore),
    nonce: quota.nonce.toString(),
    status: STATUSES[quota.status],
    createTime: quota.createdAt.toISOString(),
    ...(quota.endedAt && { endTime: quota.endedAt.toISOString() }),
  }
}

function toResponse(result: QuotaResult, { invalid }: Refuse): PayerQuota {
  switch (result.kind) {
    case 'done':
      return toPayerQuota(result.quota)
    case 'nonce-used':
      throw refusal(QUOTA_NONCE_USED, `The nonce must be ${result.nextNonce} or larger`)
    case 'not-valid':
      return invalid('validBefore', result.message)
    case 'not-the-payer':
      throw refusal(PAYER_MISMATCH)
    case 'none':
      throw refusal(NotFoundError, 'The payer has no active quota')
  }
}

export function payerQuotaRoutes(signatures: QuotaSignatures, enqueue: Enqueue | undefined) {
  /** Returns the account. The path must contain its wallet. */
  function requireOwner(payer: string, context: FacilitatorContext) {
    const account = requireAccount(context)
    if (account.payer !== payer.toLowerCase()) throw refusal(PAYER_MISMATCH)
    return { account, payer: account.payer }
  }

  return implement(payerQuotas, {
    async signingDomain(_, { db, account }) {
      const { domain, facilitator } = signatures.terms
      const types = Object.fromEntries(
        Object.entries(quotaTypes).map(([name, fields]) => [name, fields.map((field) => ({ ...field }))]),
      )
      return {
        domain,
        types,
        facilitator,
        ...(account && { nextNonce: (await getNextQuotaNonce(db, account.id)).toString() }),
      }
    },
    async register({ payer, signature, ...terms }, context) {
      const owner = requireOwner(payer, context)
      const signed = {
        limit: BigInt(terms.limit),
        validAfter: BigInt(terms.validAfter),
        validBefore: BigInt(terms.validBefore),
        nonce: BigInt(terms.nonce),
      }
      if (!(await signatures.quota({ payer, ...signed }, signature))) throw refusal(INVALID_QUOTA_SIGNATURE)
      const result = await registerQuota(context.db, owner, { ...signed, signature }, enqueue)
      return toResponse(result, context)
    },
    async active({ payer }, context) {
      const { account } = requireOwner(payer, context)
      const quota = await findActiveQuota(context.db, account.id)
      if (quota === undefined) throw refusal(NotFoundError, 'The payer has no active quota')
      return { ...toPayerQuota(quota), balance: quota.balance.toString() }
    },
    async revoke({ payer, nonce, signature }, context) {
      const owner = requireOwner(payer, context)
      const revocation = { payer, nonce: BigInt(nonce) }
      if (!(await signatures.revocation(revocation, signature))) throw refusal(INVALID_QUOTA_SIGNATURE)
      return toResponse(
        await revokeQuota(context.db, owner, { nonce: revocation.nonce, signature }, enqueue),
        context,
      )
    },
    async history({ payer, ...input }, context) {
      const { account } = requireOwner(payer, context)
      const query = readPageQuery(input, QUOTA_COLUMNS, context.invalid)
      return toPage(query, await listQuotas(context.db, account.id, query), toPayerQuota)
    },
  })
}
