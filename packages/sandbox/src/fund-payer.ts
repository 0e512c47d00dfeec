import { type AnvilClient, accountClient, type DevChain, treasuryAbi } from '@mintmark/devkit'
import { isMintmarkError } from '@mintmark/envelope'
import { payerQuotas, signPayerQuota, type TypedDataWallet } from '@mintmark/facilitator'
import type { FacilitatorClient } from '@mintmark/transport'
import { sandboxAccounts } from './accounts.ts'

/** Pays for 10,000 settles of 0.002 of the native token. */
const FUNDS = 20n * 10n ** 18n
const ENOUGH = FUNDS / 2n
const QUOTA_SECONDS = 10 * 365 * 24 * 3600
/** Blocks that make a deposit final. */
const BLOCKS_PER_ATTEMPT = 5
const MAX_ATTEMPTS = 20

interface Funding {
  readonly chain: DevChain
  readonly chainClient: AnvilClient
  /** The sandbox's time, in milliseconds since the epoch. */
  readonly now: number
  /** Runs the jobs of the servers, which credit deposits. */
  runJobs(): Promise<void>
}

/**
 * Gives the payer a signed quota and a deposit in the treasury contract, and mines blocks until the
 * facilitator has credited it. Does nothing while more than half of both is left.
 */
export async function fundPayer(facilitator: FacilitatorClient, funding: Funding): Promise<void> {
  const { chainClient, now, runJobs } = funding
  const { payer } = sandboxAccounts
  await ensureQuota(facilitator, payer, { limit: FUNDS, now })
  const isFunded = async () => {
    const { balance } = await payerQuotas.active(facilitator, { payer: payer.address })
    return BigInt(balance ?? '0') >= ENOUGH
  }
  if (await isFunded()) return
  await deposit(funding)
  for (let attempt = 1; !(await isFunded()); attempt++) {
    if (attempt > MAX_ATTEMPTS) throw new Error('The deposit of the payer was not credited. See servers.log')
    await chainClient.mine({ blocks: BLOCKS_PER_ATTEMPT })
    await runJobs()
  }
}

async function deposit({ chain }: Funding): Promise<void> {
  const { payer } = sandboxAccounts
  const sender = accountClient(chain.rpcUrl, payer)
  const hash = await sender.writeContract({
    address: chain.treasury,
    abi: treasuryAbi,
    functionName: 'depositFor',
    args: [payer.address],
    value: FUNDS,
  })
  await sender.waitForTransactionReceipt({ hash })
}

/** Signs a quota of `limit` for a payer. Does nothing while more than half of it is left. */
export async function ensureQuota(
  facilitator: FacilitatorClient,
  wallet: TypedDataWallet,
  { limit, now }: { readonly limit: bigint; readonly now: number },
): Promise<void> {
  const quota = await payerQuotas.active(facilitator, { payer: wallet.address }).catch((error: unknown) => {
    if (isMintmarkError(error) && error.kind === 'NotFound') return undefined
    throw error
  })
  if (quota?.status === 'ACTIVE' && BigInt(quota.remaining) >= limit / 2n) return
  const signing = await payerQuotas.signingDomain(facilitator)
  const validBefore = Math.floor(now / 1000) + QUOTA_SECONDS
  await payerQuotas.register(facilitator, await signPayerQuota(wallet, signing, { limit, validBefore }))
}
