import type { Command } from '@mintmark/server-kit'
import { listOutstanding, readLastUse } from '../chains/evm/transactions/outstanding.ts'
import { listFeePayerWork } from '../chains/svm/svm-store.ts'
import { print } from './command-database.ts'
import { type EngineParts, withEngine } from './engine.ts'

/** `missing`: the signer has transactions that are not final, and its key is not configured. */
type SignerStatus = 'active' | 'retired' | 'missing'

/** A signer on one chain. */
interface ListedSigner {
  readonly chainId: number
  readonly signer: string
  readonly status: SignerStatus
  /** The number of transactions that wait to be mined. */
  readonly sent: number
  /** The number of transactions in blocks that are not final. */
  readonly mined: number
  /** Seconds since it last signed a transaction. Absent if it has signed none. */
  readonly lastUseSeconds?: number
  readonly action: string
}

export const signerCommands: Record<string, Command> = {
  'signers list': {
    summary:
      'Lists the signers and fee payers on each chain with what they have not finished, and whether the key of a retired one can be removed.',
    run: async () =>
      await withEngine(async (parts) =>
        print([...(await listSigners(parts)), ...(await listFeePayers(parts))]),
      ),
  },
}

async function listSigners({ db, payments, config }: EngineParts): Promise<ListedSigner[]> {
  const { builtIn, chains } = payments
  const outstanding = await listOutstanding(db)
  const configured = chains.all.flatMap(({ id }) =>
    (builtIn?.signers ?? []).map((signer) => ({ chainId: id, signer })),
  )
  const isConfigured = (chainId: number, signer: string) =>
    configured.some((each) => each.chainId === chainId && each.signer === signer)
  const missing = outstanding.filter(({ chainId, signer }) => !isConfigured(chainId, signer))
  const listed = [...configured, ...missing].map(async ({ chainId, signer }): Promise<ListedSigner> => {
    const work = outstanding.find((each) => each.chainId === chainId && each.signer === signer)
    const { sent, mined } = work ?? { sent: 0, mined: 0 }
    const status = !isConfigured(chainId, signer)
      ? 'missing'
      : builtIn?.retired.has(signer)
        ? 'retired'
        : 'active'
    const lastUseSeconds = await readLastUse(db, { signer, chainId })
    return {
      ...{ chainId, signer, status, sent, mined },
      ...(lastUseSeconds !== undefined && { lastUseSeconds }),
      action: getAction(status, {
        outstanding: sent + mined,
        lastUseSeconds,
        maxValidity: config.maxValidity,
      }),
    }
  })
  return Promise.all(listed)
}

/** A fee payer on one network of Solana. `sent` and `mined` have the meaning of those of other signers. */
type ListedFeePayer = Omit<ListedSigner, 'chainId' | 'lastUseSeconds'> & { readonly network: string }

async function listFeePayers({ db, payments, config }: EngineParts): Promise<ListedFeePayer[]> {
  const { networks = [], feePayers = [] } = payments.svm ?? {}
  const work = await listFeePayerWork(db)
  const isConfigured = ({ network, signer }: Pick<ListedFeePayer, 'network' | 'signer'>) =>
    networks.includes(network) && feePayers.includes(signer)
  const configured = networks.flatMap((network) => feePayers.map((signer) => ({ network, signer })))
  const missing = work
    .map(({ network, feePayer }) => ({ network, signer: feePayer }))
    .filter((each) => !isConfigured(each))
  return [...configured, ...missing].map((each) => {
    const { network, signer } = each
    const found = work.find((of) => of.network === network && of.feePayer === signer)
    const { sent, landed: mined } = found ?? { sent: 0, landed: 0 }
    const outstanding = sent + mined
    if (!isConfigured(each))
      return { ...each, status: 'missing', sent, mined, action: 'Nothing: what it has signed needs no key' }
    const status = config.retiredSigners.has(signer) ? 'retired' : 'active'
    // A signed transaction of Solana is valid for about a minute, so that its age does not delay the removal of a key.
    const action = getAction(status, { outstanding, lastUseSeconds: undefined, maxValidity: 0 })
    return { ...each, status, sent, mined, action }
  })
}

function getAction(
  status: SignerStatus,
  { outstanding, lastUseSeconds = Number.POSITIVE_INFINITY, maxValidity }: SignerUse,
): string {
  if (status === 'missing')
    return 'Add its key again, and its address to RETIRED_SIGNERS, until nothing of it is outstanding'
  if (status === 'active') return 'Nothing'
  if (outstanding > 0) return 'Keep its key and its gas: what it has sent is not final'
  return lastUseSeconds <= maxValidity
    ? `Keep its key until it has not signed for ${maxValidity} seconds: payments that are signed for it may not be settled yet`
    : 'Remove its key and its address from RETIRED_SIGNERS, once all sellers have read /supported again'
}

interface SignerUse {
  readonly outstanding: number
  readonly lastUseSeconds: number | undefined
  /** Seconds for which a payment can be valid. */
  readonly maxValidity: number
}
