import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import { addressWord, numberWord } from '../../../chains/evm/reads/abi-words.ts'
import { asHex, type ContractCall } from '../../../chains/evm/reads/transfer.ts'
import type { Payment } from '../../../payment/payment.ts'
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

/** The address of x402's contract of the scheme, lower-case. */
export const exactSpender = '0x402085c248eea27d92e8b30b2c58ed07f9e20001'

const abi = parseAbi([
  ...structs,
  'struct Witness { address to; uint256 validAfter; }',
  'function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(SignedApproval approval, PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
])

/** Encodes the call that executes a payment. */
function encode(payment: Payment<Permit2Terms>, signature: string): ContractCall {
  const { payer, payTo, validAfter, details } = payment
  const witness = { to: asHex(payTo), validAfter }
  const args = [toPermit(payment), asHex(payer), witness, asHex(signature)] as const
  const { approval, maximum } = details
  const data =
    approval === undefined
      ? encodeFunctionData({ abi, functionName: 'settle', args })
      : encodeFunctionData({
          abi,
          functionName: 'settleWithPermit',
          args: [splitApproval(maximum, approval), ...args],
        })
  return { recipient: exactSpender, data }
}

/** Reads the payment of a call. @throws Error if it is no call that makes one. */
function decode(data: string): CalledPayment {
  const { args } = decodeFunctionData({ abi, data: asHex(data) })
  const [permit, owner, { to }] = args.length === 4 ? args : ([args[1], args[2], args[3]] as const)
  return toCalledPayment(permit, { owner, to, amount: permit.permitted.amount })
}

/** Transfers of the signed amount by Permit2, which any sender may execute. */
export const exactPermit2: TransferScheme<Permit2Terms> = {
  ...createPermit2Transfer<Permit2Terms>({
    spender: exactSpender,
    witnessType: 'Witness(address to,uint256 validAfter)',
    encodeWitness: ({ payTo, validAfter }) => addressWord(payTo) + numberWord(validAfter),
    encode,
    decode,
  }),
  name: 'exact',
  readAuthorization: (payload, terms, context) =>
    readPermit2(payload, terms, context, { spender: exactSpender }),
}
