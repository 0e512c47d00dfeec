import { type Check, type DatabaseCheck, defineCheck, failIf, warnIf } from '@mintmark/server-kit/doctor'
import type { Kysely } from 'kysely'
import { formatEther } from 'viem'
import { getPendingAction, listPending } from '../chains/evm/transactions/pending.ts'
import {
  listRemoteAddresses,
  RemoteSignerError,
  type RemoteSignerOptions,
} from '../chains/evm/transactions/remote-signer.ts'
import type { Tables } from '../database/tables.ts'
import { LOW_BALANCE_PRICES } from '../operations/audit/low-balance.ts'
import { readSigner } from '../operations/read-health.ts'
import { listSignerStates, type SignerParts } from '../operations/signer-states.ts'
import { getSignerAction } from './signers.ts'

/** Creates the check of the signers on each chain: their gas, their nonces, and what keeps their keys. */
export const createSignerCheck = ({ payments, config }: Omit<SignerParts, 'db'>): DatabaseCheck =>
  defineCheck({
    area: 'signers',
    name: 'The signers',
    async read(reader) {
      const parts = { payments, config, db: reader as Kysely<Tables> }
      const read = (await listSignerStates(parts)).map(async (state) => ({
        ...(await readSigner(parts, state)),
        ...state,
        subject: `Signer ${state.signer} on chain ${state.chainId}`,
        action: getSignerAction(state, config.maxValidity),
      }))
      // The check of the chain reports why no node responds.
      return (await Promise.all(read)).filter(
        ({ balance, status }) => balance !== undefined || status !== 'active',
      )
    },
    problems({ subject, action, status, outstanding, isLow, isRemovable, balance = '0', ...nonces }) {
      const needsKey = status === 'retired' && !isRemovable
      const needsGas = needsKey || status === 'active'
      const { minedNonce = 0, nextNonce = minedNonce } = nonces
      return [
        failIf(needsGas && balance === '0')`${subject} has no gas, so it cannot settle
          Send native tokens to it`,
        warnIf(needsGas && balance !== '0' && isLow)`
          ${subject} has ${formatEther(BigInt(balance))} native tokens, less than ${LOW_BALANCE_PRICES} prices of a settle
          Send native tokens to it`,
        failIf(minedNonce > nextNonce)`
          ${subject} has used nonce ${minedNonce - 1}, and this database knows nonces below ${nextNonce}
          Run settlements audit: another program has the key, or the database was restored. Replace the key in the first case`,
        failIf(status === 'missing')`
          ${subject} has ${outstanding} outstanding transactions, and its key or its chain is not configured
          ${action}`,
        warnIf(needsKey)`
          ${subject} is retired and still needs its key. It has ${outstanding} outstanding transactions
          ${action}`,
      ]
    },
    ok: ({ subject, action, isRemovable, balance = '0' }) =>
      isRemovable
        ? `${subject} has no outstanding transactions. ${action}`
        : `${subject} has ${formatEther(BigInt(balance))} native tokens`,
  })

const STUCK_SECONDS = 300

/** Creates the check of transactions that are not mined. */
export const createPendingCheck = (configured: ReadonlySet<string>): DatabaseCheck =>
  defineCheck({
    area: 'signers',
    name: 'The transactions',
    read: (reader) => listPending(reader as Kysely<Tables>, STUCK_SECONDS),
    problems: (transaction) => [
      warnIf(!transaction.isBehindAnother)`
        Nonce ${transaction.nonce} of signer ${transaction.signer} on chain ${transaction.chainId} has not been mined for ${transaction.ageSeconds} seconds
        ${getPendingAction(transaction, configured)}`,
    ],
  })

/** Creates the check of the key service: whether it responds, and signs for all configured addresses. */
export const createRemoteSignerCheck = (options: RemoteSignerOptions): Check =>
  defineCheck({
    area: 'signers',
    name: 'REMOTE_SIGNER_URL',
    read: async () => [
      await listRemoteAddresses(options).catch((error: unknown) => {
        if (error instanceof RemoteSignerError) return error
        throw error
      }),
    ],
    problems(listed) {
      if (listed instanceof RemoteSignerError)
        return [
          failIf(true)`${listed.message}
            Check REMOTE_SIGNER_URL, the certificates (REMOTE_SIGNER_CERTIFICATE, REMOTE_SIGNER_KEY, REMOTE_SIGNER_CA), and that the service runs`,
        ]
      const missing = options.addresses.filter((address) => !listed.includes(address.toLowerCase()))
      return [
        failIf(missing.length > 0)`The key service has no key of ${missing.join(', ')}
          Add the key to the service, or remove the address from REMOTE_SIGNER_ADDRESSES`,
      ]
    },
    ok: () => 'The key service has the key of every address in REMOTE_SIGNER_ADDRESSES',
  })
