import { setTimeout as pause } from 'node:timers/promises'
import type { DevAccount } from '@mintmark/devkit/chain/accounts'
import { treasuryAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { accountClient } from '@mintmark/devkit/chain/chain'
import type { DevChain } from '@mintmark/devkit/chain/start'
import { isMintmarkError } from '@mintmark/envelope'
import { payerQuotas, signPayerQuota } from '@mintmark/facilitator'
import { createFacilitator, type FacilitatorClient } from '@mintmark/transport'
import { getAddress } from 'viem'
import type { Credentials } from './credentials.ts'

/** Pays for 10,000 settles of 0.002 of the native token. */
const FUNDS = 20n * 10n ** 18n
const ENOUGH = FUNDS / 2n
const QUOTA_SECONDS = 10 * 365 * 24 * 3600
/** Long enough for the deposit's block to become final, and for the facilitator's next observation. */
const DEPOSIT_TIMEOUT_MS = 30_000

/**
 * Gives a payer a signed quota and a deposit in the treasury contract, and waits until the facilitator has credited the deposit. Does nothing
 * while more than half of both is left.
 */
export async function fundPayer(
  { facilitator }: Pick<Credentials, 'facilitator'>,
  wallet: DevAccount,
  chain: DevChain,
): Promise<void> {
  const { baseUrl, token } = facilitator
  const client = createFacilitator({ baseUrl, credentials: { token } })
  await ensureQuota(client, wallet)
  const getBalance = async () => {
    const { balance } = await payerQuotas.active(client, { payer: wallet.address })
    return BigInt(balance ?? '0')
  }
  if ((await getBalance()) >= ENOUGH) return
  const hash = await deposit(wallet, chain)
  for (const deadline = Date.now() + DEPOSIT_TIMEOUT_MS; (await getBalance()) < ENOUGH; await pause(200)) {
    if (Date.now() > deadline)
      throw new Error(`The deposit ${hash} was not credited within ${DEPOSIT_TIMEOUT_MS / 1000} seconds`)
  }
}

async function ensureQuota(client: FacilitatorClient, wallet: DevAccount): Promise<void> {
  const quota = await payerQuotas.active(client, { payer: wallet.address }).catch((error: unknown) => {
    if (isMintmarkError(error) && error.kind === 'NotFound') return undefined
    throw error
  })
  if (quota?.status === 'ACTIVE' && BigInt(quota.remaining) >= ENOUGH) return
  const signing = await payerQuotas.signingDomain(client)
  const validBefore = Math.floor(Date.now() / 1000) + QUOTA_SECONDS
  const signed = await signPayerQuota(wallet, signing, { limit: FUNDS, validBefore })
  await payerQuotas.register(client, signed)
}

async function deposit(wallet: DevAccount, chain: DevChain) {
  const sender = accountClient(chain.rpcUrl, wallet)
  const hash = await sender.writeContract({
    address: chain.treasury,
    abi: treasuryAbi,
    functionName: 'depositFor',
    args: [getAddress(wallet.address)],
    value: FUNDS,
  })
  await sender.waitForTransactionReceipt({ hash })
  return hash
}
