import type { ChainConfig } from '@mintmark/evm-reader'
import { requestFromAnyNode } from '@mintmark/evm-reader/doctor'
import { openDatabase } from '@mintmark/server-kit'
import {
  type Check,
  type DatabaseProbe,
  type Outcome,
  reportError,
  reportOk,
  reportWarning,
} from '@mintmark/server-kit/doctor'
import { formatEther } from 'viem'
import { LOW_BALANCE_PRICES } from '../audit/low-balance.ts'
import { getNextNonce } from '../chains/evm/transactions/nonce-store.ts'
import { getPendingAction, listPending } from '../chains/evm/transactions/pending.ts'
import {
  listRemoteAddresses,
  RemoteSignerError,
  type RemoteSignerOptions,
} from '../chains/evm/transactions/remote-signer.ts'
import type { SettlementSigner } from '../chains/evm/transactions/signers.ts'
import type { Tables } from '../tables.ts'

/** The first accounts of anvil's and Hardhat's default mnemonic, whose private keys are public. */
const PUBLIC_SIGNERS: ReadonlySet<string> = new Set([
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
  '0x976ea74026e726554db657fa54763abd0c3a0aa9',
  '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
])

/** Creates a check of each signer on each chain: its balance, and transactions that wait. */
export function createSignerChecks(
  signers: readonly SettlementSigner[],
  chains: readonly ChainConfig[],
  price: bigint,
): readonly Check[] {
  const publicSigners = signers.filter(({ address }) => PUBLIC_SIGNERS.has(address))
  const keys: Check = {
    area: 'signers',
    name: 'FACILITATOR_SIGNER_KEYS',
    run: async () =>
      publicSigners.map(({ address }) =>
        reportError(
          `The private key of signer ${address} is public: it is a default key of development nodes`,
          'Create a new key, replace this one in FACILITATOR_SIGNER_KEYS, and send gas to the new one',
        ),
      ),
  }
  const balances = chains.flatMap((chain) =>
    signers.map(
      ({ address }): Check => ({
        area: 'signers',
        name: `Signer ${address} on chain ${chain.id}`,
        run: async () => await checkSigner(address, chain, price),
      }),
    ),
  )
  return [keys, ...balances]
}

/** Creates a check of the key service: whether it responds, and signs for all configured addresses. */
export const createRemoteSignerCheck = (options: RemoteSignerOptions): Check => ({
  area: 'signers',
  name: 'REMOTE_SIGNER_URL',
  async run() {
    let listed: readonly string[]
    try {
      listed = await listRemoteAddresses(options)
    } catch (error) {
      if (!(error instanceof RemoteSignerError)) throw error
      const action =
        'Check REMOTE_SIGNER_URL, the certificates (REMOTE_SIGNER_CERTIFICATE, REMOTE_SIGNER_KEY, REMOTE_SIGNER_CA), and that the service runs'
      return [reportError(error.message, action)]
    }
    const missing = options.addresses.filter((address) => !listed.includes(address.toLowerCase()))
    if (missing.length === 0)
      return [reportOk('The key service has the key of every address in REMOTE_SIGNER_ADDRESSES')]
    return [
      reportError(
        `The key service has no key of ${missing.join(', ')}`,
        'Add the key to the service, or remove the address from REMOTE_SIGNER_ADDRESSES',
      ),
    ]
  },
})

async function checkSigner(address: string, chain: ChainConfig, price: bigint): Promise<Outcome[]> {
  const state = await readSigner(address, chain)
  if (state === undefined) return []
  const { balance, mined, pending } = state
  const subject = `Signer ${address} on chain ${chain.id}`
  const outcomes: Outcome[] = []
  if (balance === 0n)
    outcomes.push(reportError(`${subject} has no gas, so it cannot settle`, 'Send native tokens to it'))
  else if (balance < price * LOW_BALANCE_PRICES)
    outcomes.push(
      reportWarning(
        `${subject} has ${formatEther(balance)} native tokens, less than ${LOW_BALANCE_PRICES} prices of a settle`,
        'Send native tokens to it',
      ),
    )
  if (pending > mined)
    outcomes.push(
      reportWarning(
        `${subject} has ${pending - mined} transactions that are not mined`,
        'Wait a minute and repeat. If the number stays, run transactions stuck',
      ),
    )
  return outcomes.length > 0 ? outcomes : [reportOk(`${subject} has ${formatEther(balance)} native tokens`)]
}

interface SignerState {
  /** Wei. */
  readonly balance: bigint
  /** The nonce after the last mined transaction. */
  readonly mined: number
  /** The nonce after the last known transaction. */
  readonly pending: number
}

async function readSigner(address: string, chain: ChainConfig): Promise<SignerState | undefined> {
  const results = await requestFromAnyNode(chain, [
    { method: 'eth_getBalance', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'pending'] },
  ])
  if (results === undefined) return undefined
  const [balance, mined, pending] = results
  return { balance: BigInt(String(balance)), mined: Number(mined), pending: Number(pending) }
}

const STUCK_SECONDS = 300

/** Creates the probe that compares the stored transactions and nonces with the signers. */
export function createTransactionProbe(
  signers: readonly SettlementSigner[],
  chains: readonly ChainConfig[],
): DatabaseProbe {
  return async ({ url }) => {
    const database = openDatabase<Tables>({ url, max: 1, applicationName: 'mintmark-doctor' })
    try {
      const db = database.system
      const configured = new Set(signers.map(({ address }) => address))
      const stuck = await listPending(db, STUCK_SECONDS)
      const outcomes: Outcome[] = stuck
        .filter(({ isBehindAnother }) => !isBehindAnother)
        .map((transaction) =>
          reportWarning(
            `Nonce ${transaction.nonce} of signer ${transaction.signer} on chain ${transaction.chainId} has not been mined for ${transaction.ageSeconds} seconds`,
            getPendingAction(transaction, configured),
          ),
        )
      for (const chain of chains) {
        for (const { address } of signers) {
          const state = await readSigner(address, chain)
          const next = await getNextNonce(db, chain.id, address)
          if (state === undefined || next === undefined || state.mined <= next) continue
          outcomes.push(
            reportError(
              `Signer ${address} on chain ${chain.id} has used nonce ${state.mined - 1}, and this database knows nonces below ${next}`,
              'Run settlements audit: another program has the key, or the database was restored. Replace the key in the first case',
            ),
          )
        }
      }
      return outcomes.map((outcome) => ({ ...outcome, area: 'signers' }))
    } finally {
      await database.close()
    }
  }
}
