import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi, toEventSelector } from 'viem'
import { asHex, type ContractCall } from '../../../../chains/evm/reads/transfer.ts'
import type { Payment, PaymentOnChain, Permit2Terms, Scheme } from '../../../../payment/payment.ts'

/** The address of Permit2 on every chain that has it, lower-case. */
export const permit2Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/**
 * The addresses of x402's contracts that call Permit2, lower-case. Each scheme has its own. That of channels
 * takes deposits.
 */
export const spenders: Readonly<Record<Scheme, string>> = {
  exact: '0x402085c248eea27d92e8b30b2c58ed07f9e20001',
  upto: '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002',
  'batch-settlement': '0x4020425faf3b746c082c2f942b4e5159887b0005',
}

/** The addresses of the contracts that are called directly. */
export const proxyAddresses: readonly string[] = [spenders.exact, spenders.upto]

/** Topics of the proxies' events. They have no fields. */
export const settledTopics = [toEventSelector('Settled()'), toEventSelector('SettledWithPermit()')]

const structs = [
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignedApproval { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
] as const

const exactAbi = parseAbi([
  ...structs,
  'struct Witness { address to; uint256 validAfter; }',
  'function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(SignedApproval approval, PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
])

const uptoAbi = parseAbi([
  ...structs,
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'function settle(PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(SignedApproval approval, PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)',
])

/** Encodes the call of the scheme's contract that executes a payment. */
export function encodeSettle(payment: Payment, terms: Permit2Terms, signature: Hex): ContractCall {
  const { scheme, amount } = payment
  const { approval, facilitator } = terms
  const owner = asHex(payment.payer)
  const permit = {
    permitted: { token: asHex(payment.asset), amount: terms.maximum },
    nonce: BigInt(payment.nonce),
    deadline: payment.validBefore - 1n,
  }
  const to = asHex(payment.payTo)
  const { validAfter } = payment
  const signedApproval = approval && splitApproval(terms.maximum, approval)
  if (scheme === 'exact') {
    const args = [permit, owner, { to, validAfter }, signature] as const
    const data = signedApproval
      ? encodeFunctionData({
          abi: exactAbi,
          functionName: 'settleWithPermit',
          args: [signedApproval, ...args],
        })
      : encodeFunctionData({ abi: exactAbi, functionName: 'settle', args })
    return { recipient: spenders[scheme], data }
  }
  if (facilitator === undefined) throw new Error('A payment of the scheme upto has no facilitator')
  const args = [
    permit,
    amount,
    owner,
    { to, facilitator: asHex(facilitator), validAfter },
    signature,
  ] as const
  const data = signedApproval
    ? encodeFunctionData({ abi: uptoAbi, functionName: 'settleWithPermit', args: [signedApproval, ...args] })
    : encodeFunctionData({ abi: uptoAbi, functionName: 'settle', args })
  return { recipient: spenders[scheme], data }
}

/** Splits a payer's signed approval of Permit2 (EIP-2612) into the arguments of a token's `permit`. */
export function splitApproval(value: bigint, { deadline, signature }: NonNullable<Permit2Terms['approval']>) {
  const v = Number.parseInt(signature.slice(130), 16)
  return {
    value,
    deadline,
    r: asHex(signature.slice(0, 66)),
    s: asHex(`0x${signature.slice(66, 130)}`),
    v: v < 27 ? v + 27 : v,
  }
}

/** The payment of a call of one of the proxies. */
export type CalledPayment = Pick<PaymentOnChain, 'scheme' | 'asset' | 'payer' | 'payTo' | 'amount' | 'nonce'>

/** Reads the payment from a call of one of the proxies. Undefined if it is no call of them. */
export function decodeSettle(recipient: string, data: string): CalledPayment | undefined {
  const scheme = recipient.toLowerCase() === spenders.exact ? 'exact' : 'upto'
  if (recipient.toLowerCase() !== spenders[scheme]) return undefined
  try {
    return scheme === 'exact' ? decodeExact(data) : decodeUpto(data)
  } catch {
    // Anybody may call the proxies with anything.
    return undefined
  }
}

function decodeExact(data: string): CalledPayment {
  const { args } = decodeFunctionData({ abi: exactAbi, data: asHex(data) })
  const [permit, owner, witness] = args.length === 4 ? args : ([args[1], args[2], args[3]] as const)
  return toCalledPayment('exact', permit, { owner, to: witness.to, amount: permit.permitted.amount })
}

function decodeUpto(data: string): CalledPayment {
  const { args } = decodeFunctionData({ abi: uptoAbi, data: asHex(data) })
  const [permit, amount, owner, witness] =
    args.length === 5 ? args : ([args[1], args[2], args[3], args[4]] as const)
  return toCalledPayment('upto', permit, { owner, to: witness.to, amount })
}

function toCalledPayment(
  scheme: Scheme,
  { permitted, nonce }: { permitted: { token: string }; nonce: bigint },
  { owner, to, amount }: { owner: string; to: string; amount: bigint },
): CalledPayment {
  return {
    scheme,
    asset: permitted.token.toLowerCase(),
    payer: owner.toLowerCase(),
    payTo: to.toLowerCase(),
    amount,
    nonce: formatNonce(nonce),
  }
}

/** Formats a nonce of Permit2 as 32 bytes, `0x` and 64 lower-case hex digits. */
export const formatNonce = (nonce: bigint): string => `0x${nonce.toString(16).padStart(64, '0')}`
