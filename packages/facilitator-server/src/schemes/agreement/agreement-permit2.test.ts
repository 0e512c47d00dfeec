// Random payments by Permit2, in both schemes: verify accepts exactly what the settlement's transaction executes at the same block.
//
//     VERIFY_CASES=10000 VERIFY_SEED=7 vitest run --project unit --testTimeout 0 packages/facilitator-server/src/schemes/agreement/agreement-permit2.test.ts

import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { devChainId, permit2Address } from '@mintmark/devkit/chain/chain'
import { type Address, concat, encodeAbiParameters, keccak256, maxUint256, pad } from 'viem'
import { expect, test } from 'vitest'
import { hex, seller, signedPermit2Body } from '../../engine/testing.ts'
import type { Payment } from '../../payment/payment.ts'
import { decodePayment } from '../decode.ts'
import { APPROVAL_EXTENSION } from '../evm/shared/permit2/decode-permit2.ts'
import {
  type AgreementCase,
  expectAgreement,
  FUNDS,
  NOW,
  openAgreement,
  payerKinds,
  sharedFaults,
  slotOf,
} from './testing-agreement.ts'

const agreement = await openAgreement()
const { chain, tokens, stranger, placesOf, setSlot } = agreement
const schemes = ['exact', 'upto'] as const

const permit2Faults = [
  ...sharedFaults,
  'compact',
  'noAllowance',
  'smallAllowance',
  'approved',
  'approvedByStranger',
  'approvedLate',
  'approvedBefore',
] as const
type Fault = (typeof permit2Faults)[number]

interface Permit2Case extends AgreementCase<Fault> {
  readonly scheme: (typeof schemes)[number]
  /** What is settled, at most the maximum. */
  readonly amount: bigint
  readonly maximum: bigint
}

const approvals: readonly Fault[] = ['approved', 'approvedByStranger', 'approvedLate', 'approvedBefore']
const hasApproval = ({ faults }: Permit2Case): boolean => approvals.some((fault) => faults.has(fault))

/** The payer's signed approval of Permit2 (EIP-2612), as an extension of the payload. */
async function signApproval(one: Permit2Case): Promise<object> {
  const { token, faults, maximum } = one
  const owner = agreement.payerOf(one)
  const signer = faults.has('approvedByStranger') ? stranger : owner.account
  const deadline = faults.has('approvedLate') ? NOW - 10n : NOW + 80_000n
  const signature = await signer.signTypedData({
    domain: { name: 'USDC', version: '2', chainId: devChainId, verifyingContract: token },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: owner.address, spender: permit2Address, value: maximum, nonce: 0n, deadline },
  })
  const info = {
    from: owner.address,
    asset: token,
    spender: permit2Address,
    amount: `${maximum}`,
    nonce: '0',
    deadline: `${deadline}`,
    signature,
    version: '1',
  }
  return { [APPROVAL_EXTENSION]: { info } }
}

async function sign(one: Permit2Case): Promise<Payment> {
  const { scheme, token, faults, nonce, amount, maximum } = one
  const body = await signedPermit2Body({
    account: agreement.signerOf(one),
    from: agreement.payerOf(one).address,
    to: seller,
    asset: token,
    nonce,
    value: amount,
    maximum,
    validAfter: faults.has('notYetValid') ? NOW + 40_000n : 0n,
    validBefore: faults.has('expired') ? NOW - 10n : NOW + 80_000n,
    ...(scheme === 'upto' && { facilitator: stranger.address }),
    ...(hasApproval(one) && { extensions: await signApproval(one) }),
  })
  const decoded = decodePayment(body, {
    networks: new Set(['eip155:84532']),
    facilitators: new Set([stranger.address.toLowerCase()]),
  })
  if (!decoded.ok) throw new Error(decoded.message)
  const { payment } = decoded
  const signature = faults.has('compact') ? toCompact(payment.signature) : payment.signature
  return agreement.disturb({ ...payment, signature }, one)
}

/** Writes a signature in 64 bytes, which Permit2 accepts (EIP-2098). */
function toCompact(signature: string): string {
  const parity = BigInt(Number.parseInt(signature.slice(130), 16) - 27)
  const s = BigInt(`0x${signature.slice(66, 130)}`) | (parity << 255n)
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}`
}

/** The storage slot of Permit2's allowance. */
const allowanceSlot = (owner: Address, place: number) =>
  keccak256(concat([pad(permit2Address), slotOf(owner, place)]))

async function prepare(one: Permit2Case, payment: Payment): Promise<void> {
  const { token, faults, nonce, amount } = one
  const payer = hex(payment.payer)
  await agreement.prepareToken(one, payer)
  const allowance = faults.has('smallAllowance')
    ? amount - 1n
    : faults.has('noAllowance') || hasApproval(one)
      ? 0n
      : maxUint256
  await setSlot(token, allowanceSlot(payer, placesOf(token).allowances), allowance)
  const args = [payer, permit2Address] as const
  const call = { address: token, abi: devUsdcAbi, functionName: 'allowance', args } as const
  expect(await chain.client.readContract(call)).toBe(allowance)
  // The signed approval was submitted before, by somebody else, and the payer has used it.
  if (faults.has('approvedBefore') && token !== tokens.plain) await setSlot(token, slotOf(payer, 6), 1n)
  if (!faults.has('usedNonce')) return
  const word = BigInt(nonce) >> 8n
  const slot = keccak256(concat([encodeAbiParameters([{ type: 'uint256' }], [word]), slotOf(payer, 0)]))
  await setSlot(permit2Address, slot, 1n << (BigInt(nonce) & 0xffn))
}

test('verify accepts exactly what the settlement’s transaction executes at the same block, by Permit2', async () => {
  await expectAgreement<Fault, Permit2Case>(agreement, {
    kinds: schemes.flatMap((scheme) => payerKinds.map((kind) => `${scheme} ${kind}`)),
    // Another contract than the signed facilitator would send it.
    neverPays: ['upto undeployed', ...schemes.map((scheme) => `${scheme} otherDelegate`)],
    kindOf: ({ scheme, kind }) => `${scheme} ${kind}`,
    pick: (random) => {
      const count = random.pick([0, 0, 0, 1, 1, 1, 2])
      const faults = new Set(Array.from({ length: count }, () => random.pick(permit2Faults)))
      const scheme = random.pick(schemes)
      const amount = faults.has('tooLittle') ? FUNDS + 1n : random.pick([1n, FUNDS])
      return {
        scheme,
        kind: random.pick(payerKinds),
        token: random.pick([tokens.usdc, tokens.usdc, tokens.legacy, tokens.plain]),
        faults,
        salt: hex(random.hex(32)),
        nonce: hex(random.hex(32)),
        amount,
        maximum: scheme === 'exact' ? amount : amount + random.pick([0n, 1n, FUNDS]),
      }
    },
    sign,
    prepare,
  })
})
