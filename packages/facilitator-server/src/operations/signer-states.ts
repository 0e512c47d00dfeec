import type { OperatorHealth } from '@mintmark/facilitator/operator'
import type { Kysely } from 'kysely'
import { listOutstanding, readLastUse, readNeededSeconds } from '../chains/evm/transactions/outstanding.ts'
import { listFeePayerWork } from '../chains/solana/svm-store.ts'
import type { Tables } from '../database/tables.ts'
import type { OperatedPayments, OperatedSettings } from './operated.ts'

/** `missing`: the signer has transactions that are not final, and its key is not configured. */
export type SignerStatus = OperatorHealth['signers'][number]['status']

interface KeyState {
  readonly signer: string
  readonly status: SignerStatus
  /** The number of transactions that wait to be mined. */
  readonly sent: number
  /** The number of transactions in blocks that are not final. */
  readonly mined: number
  /** Whether the signer is retired and needs its key on no chain. */
  readonly isRemovable: boolean
}

/** A signer on one chain. */
export interface SignerState extends KeyState {
  readonly chainId: number
  /** Seconds since it last signed a transaction on the chain. Undefined if it has signed none. */
  readonly lastUseSeconds: number | undefined
  /** For how many seconds payments that a retired signer has authorized can be captured by it alone, on any chain. */
  readonly neededSeconds?: number
}

/** A fee payer on one network of Solana. `sent` and `mined` have the meaning of those of other signers. */
export interface FeePayerState extends KeyState {
  readonly network: string
}

/** What the states of signers are read from. */
export interface SignerParts {
  readonly db: Kysely<Tables>
  readonly payments: Pick<OperatedPayments, 'chains'> & {
    readonly builtIn: OperatedPayments['builtIn']
    readonly svm: Pick<NonNullable<OperatedPayments['svm']>, 'networks' | 'feePayers'> | undefined
  }
  readonly config: Pick<OperatedSettings, 'price' | 'maxValidity' | 'retiredSigners'>
}

/** Lists the configured signers on each chain, then those whose keys are missing. */
export async function listSignerStates({ db, payments, config }: SignerParts): Promise<SignerState[]> {
  const { builtIn, chains } = payments
  const outstanding = await listOutstanding(db)
  const configured = chains.all.flatMap(({ id }) =>
    (builtIn?.signers ?? []).map((signer) => ({ chainId: id, signer })),
  )
  const isConfigured = (chainId: number, signer: string) =>
    configured.some((each) => each.chainId === chainId && each.signer === signer)
  const missing = outstanding.filter(({ chainId, signer }) => !isConfigured(chainId, signer))
  const listed = [...configured, ...missing].map(async ({ chainId, signer }): Promise<SignerState> => {
    const { sent = 0, mined = 0 } =
      outstanding.find((each) => each.chainId === chainId && each.signer === signer) ?? {}
    const lastUseSeconds = await readLastUse(db, { signer, chainId })
    if (!isConfigured(chainId, signer))
      return { chainId, signer, status: 'missing', sent, mined, lastUseSeconds, isRemovable: false }
    if (builtIn?.retired.has(signer) !== true)
      return { chainId, signer, status: 'active', sent, mined, lastUseSeconds, isRemovable: false }
    // A signer has one key for all chains.
    const isFinished = !outstanding.some((each) => each.signer === signer)
    const lastUse = await readLastUse(db, { signer })
    const neededSeconds = await readNeededSeconds(db, signer)
    const isUnused = lastUse === undefined || lastUse > config.maxValidity
    const isRemovable = isFinished && isUnused && neededSeconds === 0
    return { chainId, signer, status: 'retired', sent, mined, lastUseSeconds, neededSeconds, isRemovable }
  })
  return await Promise.all(listed)
}

/** Lists the configured fee payers on each network of Solana, then those whose keys are missing. */
export async function listFeePayerStates({ db, payments, config }: SignerParts): Promise<FeePayerState[]> {
  const { networks = [], feePayers = [] } = payments.svm ?? {}
  const work = await listFeePayerWork(db)
  const isConfigured = (network: string, signer: string) =>
    networks.includes(network) && feePayers.includes(signer)
  const configured = networks.flatMap((network) => feePayers.map((signer) => ({ network, signer })))
  const missing = work
    .map(({ network, feePayer }) => ({ network, signer: feePayer }))
    .filter(({ network, signer }) => !isConfigured(network, signer))
  return [...configured, ...missing].map(({ network, signer }) => {
    const { sent = 0, landed: mined = 0 } =
      work.find((each) => each.network === network && each.feePayer === signer) ?? {}
    if (!isConfigured(network, signer))
      return { network, signer, status: 'missing', sent, mined, isRemovable: false }
    if (!config.retiredSigners.has(signer))
      return { network, signer, status: 'active', sent, mined, isRemovable: false }
    // A signed transaction of Solana is valid for about a minute, so that its age does not delay the removal
    // of a key.
    const isRemovable = !work.some(({ feePayer }) => feePayer === signer)
    return { network, signer, status: 'retired', sent, mined, isRemovable }
  })
}
