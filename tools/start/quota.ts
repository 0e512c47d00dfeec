import { isMintmarkError } from '@mintmark/envelope'
import { payerQuotas, signPayerQuota } from '@mintmark/facilitator'
import { createFacilitator } from '@mintmark/transport'
import type { PrivateKeyAccount } from 'viem'
import type { Credentials } from './credentials.ts'

/** Registers a quota for the demo's payer, as a payer would: by signing it. One that has enough left stays. */
export async function ensureQuota(
  { facilitator }: Credentials,
  payer: PrivateKeyAccount,
  limit: bigint,
): Promise<void> {
  const client = createFacilitator({
    baseUrl: facilitator.baseUrl,
    credentials: { token: facilitator.token },
  })
  const active = await payerQuotas.active(client, { payer: payer.address }).catch((error: unknown) => {
    if (isMintmarkError(error) && error.kind === 'NotFound') return undefined
    throw error
  })
  if (active?.status === 'ACTIVE' && BigInt(active.remaining) >= limit / 2n) return
  const signing = await payerQuotas.signingDomain(client)
  const year = 365 * 24 * 3600
  const validBefore = Math.floor(Date.now() / 1000) + 10 * year
  await payerQuotas.register(client, await signPayerQuota(payer, signing, { limit, validBefore }))
}
