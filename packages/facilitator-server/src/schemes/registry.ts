import type { Executions } from '../chains/evm/transactions/execution.ts'
import { namespaceOf, type Scheme, type StoredScheme } from '../payment/scheme.ts'
import { authorizeScheme, operationScheme } from './evm/auth-capture/auth-capture-schemes.ts'
import { decodeAuthCapture } from './evm/auth-capture/decode-auth-capture.ts'
import {
  authorizedDeposit,
  channelOperation,
  channelVoucher,
} from './evm/batch-settlement/channel-schemes.ts'
import { decodeChannel } from './evm/batch-settlement/decode-channel.ts'
import { permittedDeposit } from './evm/batch-settlement/permit2-deposit.ts'
import { createDecodeTransfer } from './evm/decode-transfer.ts'
import type { EvmScheme, PaymentTraces, TransactionCall, TransferScheme } from './evm/evm-scheme.ts'
import { exactEip3009 } from './evm/exact-eip3009/eip3009.ts'
import { exactPermit2 } from './evm/exact-permit2/exact-permit2.ts'
import { addGrantReplacement } from './evm/shared/permit2/approvals/grant-store.ts'
import { upto } from './evm/upto/upto.ts'
import type { DecodeRequest, DecodeScheme, ServedScheme } from './scheme.ts'
import { decodeSvm } from './solana/exact/decode-svm.ts'
import { exactSvm } from './solana/exact/svm-scheme.ts'

/** The schemes of which a payment is one transfer on an EVM chain. A new one is a line here. */
const transfers: readonly TransferScheme[] = [exactEip3009, exactPermit2, upto]

/** The schemes whose settlements are executed on EVM chains. */
const executed: readonly EvmScheme[] = [
  ...transfers,
  authorizedDeposit,
  permittedDeposit,
  channelOperation,
  authorizeScheme,
  operationScheme,
]

/** All schemes, in the order in which their kinds are listed. */
export const schemes: readonly ServedScheme[] = [...executed, channelVoucher, exactSvm]

const decodeTransfer = createDecodeTransfer(transfers)

/** How the requests on a kind of network are decoded, by the name of the scheme, and those of every other name. */
const decodes = [
  {
    network: /^(?:eip155:[1-9][0-9]{0,15})?$/,
    byName: new Map<unknown, DecodeScheme>([
      [channelOperation.name, decodeChannel],
      [authorizeScheme.name, decodeAuthCapture],
    ]),
    other: decodeTransfer,
  },
  { network: /^solana:/, byName: new Map<unknown, DecodeScheme>(), other: decodeSvm },
]

/** Finds how a request is decoded. Undefined if no scheme has such networks. */
export function findDecode({ version, paymentRequirements }: DecodeRequest): DecodeScheme | undefined {
  const network = typeof paymentRequirements.network === 'string' ? paymentRequirements.network : ''
  // Version 1 has transfers only, and names of its own for networks.
  if (version === 1) return decodeTransfer
  const found = decodes.find((each) => each.network.test(network))
  return found?.byName.get(paymentRequirements.scheme) ?? found?.other
}

/** Returns the scheme of a settlement. @throws Error if there is none. */
export const findScheme = createFind([...executed, exactSvm])

/** How payments are found on EVM chains without their settlements. Schemes may have it in common. */
export const paymentTraces: readonly PaymentTraces[] = [
  ...new Set(executed.flatMap(({ traces }) => traces ?? [])),
]

/** Whether a transaction on an EVM chain is a refund. */
export const isRefund = (transaction: TransactionCall): boolean =>
  executed.some((scheme) => scheme.isRefund?.(transaction))

/** What the built-in upstream uses of the schemes. */
export const executions: Executions = {
  find: createFind(executed),
  isBoundToSender: (call) => executed.some((scheme) => scheme.isBoundToSender?.(call)),
  addGrantReplacement,
}

function createFind<Found extends Scheme>(found: readonly Found[]): (stored: StoredScheme) => Found {
  const toKey = (namespace: string, name: string, domain = '') => `${namespace} ${name} ${domain}`
  const byKey = new Map(found.map((each) => [toKey(each.namespace, each.name, each.domain), each]))
  return ({ scheme: name, network, domain }) => {
    const namespace = namespaceOf(network)
    const scheme = byKey.get(toKey(namespace, name, domain)) ?? byKey.get(toKey(namespace, name))
    if (scheme === undefined) throw new Error(`There is no scheme ${name} on ${network}`)
    return scheme
  }
}
