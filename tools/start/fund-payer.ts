import type { DevAccount } from '@mintmark/devkit/chain/accounts'
import { treasuryAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { accountClient } from '@mintmark/devkit/chain/chain'
import type { DevChain } from '@mintmark/devkit/chain/start'
import { isMintmarkError } from '@mintmark/envelope'
import { payerQuotas, signPayerQuota } from '@mintmark/facilitator'
import { createFacilitator, type FacilitatorClient } from '@mintmark/transport'
import { getAddress } from 'viem'
import type { Credentials } from './credentials.ts'

/** What the demo account can pay for: 10,000 settles of 0.002 of the native token. */
const DEMO_AMOUNT = 20n * 10n ** 18n
const YEAR = 365 * 24 * 3600

async function findActiveQuota(client: FacilitatorClient, payer: string) {
  return await payerQuotas.active(client, { payer }).catch((error: unknown) => {
    if (isMintmarkError(error) && error.kind === 'NotFound') return undefined
    throw error
  })
}

/**
 * Gives the demo's payer what a payer needs, by the ways a payer has: a signed quota, and a deposit into the treasury contract, which counts
 * once it is final. What is left of an earlier start is enough when it is more than half.
 */
export async function fundPayer(
  { facilitator }: Credentials,
  wallet: DevAccount,
  chain: DevChain,
): Promise<void> {
  const client = createFacilitator({
    baseUrl: facilitator.baseUrl,
    credentials: { token: facilitator.token },
  })
  const payer = wallet.address
  let quota = await findActiveQuota(client, payer)
  if (quota?.status !== 'ACTIVE' || BigInt(quota.remaining) < DEMO_AMOUNT / 2n) {
    const signing = await payerQuotas.signingDomain(client)
    const validBefore = Math.floor(Date.now() / 1000) + 10 * YEAR
    await payerQuotas.register(
      client,
      await signPayerQuota(wallet, signing, { limit: DEMO_AMOUNT, validBefore }),
    )
    quota = await payerQuotas.active(client, { payer })
  }
  if (BigInt(quota.balance ?? '0') >= DEMO_AMOUNT / 2n) return
  const sender = accountClient(chain.rpcUrl, wallet)
  const hash = await sender.writeContract({
    address: chain.treasury,
    abi: treasuryAbi,
    functionName: 'depositFor',
    args: [getAddress(payer)],
    value: DEMO_AMOUNT,
  })
  await sender.waitForTransactionReceipt({ hash, pollingInterval: 100 })
  for (
    const end = Date.now() + 30_000;
    Date.now() < end;
    await new Promise((resolve) => setTimeout(resolve, 200))
  ) {
    const { balance = '0' } = await payerQuotas.active(client, { payer })
    if (BigInt(balance) >= DEMO_AMOUNT / 2n) return
  }
  throw new Error(`The deposit ${hash} was not credited within 30 seconds.`)
}
