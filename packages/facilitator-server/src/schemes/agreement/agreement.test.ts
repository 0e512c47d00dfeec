// Random payments of every kind of payer: verify accepts exactly what the settlement's transaction executes at the same block.
//
//     VERIFY_CASES=10000 VERIFY_SEED=7 vitest run --project unit --testTimeout 0 packages/facilitator-server/src/schemes/agreement/agreement.test.ts

import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { concat, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { hex } from '../../engine/testing.ts'
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
import { signPayment } from './testing-payers.ts'

const agreement = await openAgreement()
const { chain, tokens, placesOf, setSlot } = agreement

test('verify accepts exactly what the settlement’s transaction executes at the same block', async () => {
  await expectAgreement<never, AgreementCase<never>>(agreement, {
    kinds: payerKinds,
    kindOf: ({ kind }) => kind,
    pick: (random) => {
      const count = random.pick([0, 0, 0, 1, 1, 1, 2])
      return {
        kind: random.pick(payerKinds),
        token: random.pick([tokens.usdc, tokens.usdc, tokens.usdc, tokens.legacy]),
        faults: new Set(Array.from({ length: count }, () => random.pick(sharedFaults))),
        salt: hex(random.hex(32)),
        nonce: hex(random.hex(32)),
      }
    },
    async sign(one) {
      const { token, faults, nonce } = one
      const payment = await signPayment({
        account: agreement.signerOf(one),
        from: agreement.payerOf(one).address,
        asset: token,
        nonce,
        value: faults.has('tooLittle') ? FUNDS + 1n : FUNDS,
        validAfter: faults.has('notYetValid') ? NOW + 40_000n : 0n,
        validBefore: faults.has('expired') ? NOW - 10n : NOW + 80_000n,
      })
      return agreement.disturb(payment, one)
    },
    async prepare(one, payment) {
      const { token, faults, nonce } = one
      const payer = hex(payment.payer)
      await agreement.prepareToken(one, payer)
      if (!faults.has('usedNonce')) return
      await setSlot(token, keccak256(concat([nonce, slotOf(payer, placesOf(token).authorizations ?? 0)])), 1n)
      const args = [payer, nonce] as const
      const call = { address: token, abi: devUsdcAbi, functionName: 'authorizationState', args } as const
      expect(await chain.client.readContract(call)).toBe(true)
    },
  })
})
