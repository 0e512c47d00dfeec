import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import { addressWord, numberWord } from '../../../chains/evm/reads/abi-words.ts'
import { asHex, type ContractCall } from '../../../chains/evm/reads/transfer.ts'
import type { Payment } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import { refuseField } from '../../../payment/refusal.ts'
import type { TransferScheme } from '../evm-scheme.ts'
import { readPermit2 } from '../shared/permit2/decode-permit2.ts'
import { createPermit2Transfer } from '../shared/permit2/permit2.ts'
import {
  type CalledPayment,
  splitApproval,
  structs,
  toCalledPayment,
  toPermit,
} from '../shared/permit2/permit2-contracts.ts'
import type { Permit2Terms } from '../shared/permit2/permit2-terms.ts'

interface UptoTerms extends Permit2Terms {
  /** The only sender of the transfer, lower-case. */
  readonly facilitator: string
}

/** The address of x402's contract of the scheme, lower-case. */
export const uptoSpender = '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002'

const abi = parseAbi([
  ...structs,
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'function settle(PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(SignedApproval approval, PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)',
])

/** Encodes the call that executes a payment. */
function encode(payment: Payment<UptoTerms>, signature: string): ContractCall {
  const { payer, payTo, amount, validAfter, details } = payment
  const witness = { to: asHex(payTo), facilitator: asHex(details.facilitator), validAfter }
  const args = [toPermit(payment), amount, asHex(payer), witness, asHex(signature)] as const
  const { approval, maximum } = details
  const data =
    approval === undefined
      ? encodeFunctionData({ abi, functionName: 'settle', args })
      : encodeFunctionData({
          abi,
          functionName: 'settleWithPermit',
          args: [splitApproval(maximum, approval), ...args],
        })
  return { recipient: uptoSpender, data }
}

/** Reads the payment of a call. @throws Error if it is no call that makes one. */
function decode(data: string): CalledPayment {
  const { args } = decodeFunctionData({ abi, data: asHex(data) })
  const [permit, amount, owner, { to }] =
    args.length === 5 ? args : ([args[1], args[2], args[3], args[4]] as const)
  return toCalledPayment(permit, { owner, to, amount })
}

const transfer = createPermit2Transfer<UptoTerms>({
  spender: uptoSpender,
  witnessType: 'Witness(address to,address facilitator,uint256 validAfter)',
  encodeWitness: ({ payTo, validAfter, details }) =>
    addressWord(payTo) + addressWord(details.facilitator) + numberWord(validAfter),
  encode,
  decode,
})

const SIGNED = { spender: uptoSpender, isMetered: true }

/** Transfers by Permit2 of at most the signed amount, sent by the facilitator for which the payer has signed. */
export const upto: TransferScheme<UptoTerms> = {
  ...transfer,
  name: 'upto',
  isMetered: true,
  listTerms: ({ maximum, facilitator }) => [maximum.toString(), facilitator],
  listKinds: (network, { facilitatorAddress }) =>
    facilitatorAddress === undefined
      ? []
      : [{ x402Version: 2, scheme: 'upto', network, extra: { facilitatorAddress } }],
  getOnlySender: ({ details }) => details.facilitator,
  isBoundToSender: ({ recipient }) => recipient.toLowerCase() === uptoSpender,
  readAuthorization(payload, terms, context) {
    if (transfer.accepts(payload)) return readPermit2(payload, terms, context, SIGNED)
    const message = 'Required: the scheme upto is paid by an authorization for Permit2'
    return refuseField(reasons.unsupportedPayload, 'paymentPayload.payload.permit2Authorization', message)
  },
}
