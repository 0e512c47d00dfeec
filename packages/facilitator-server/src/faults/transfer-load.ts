import type { DevAccount } from '@mintmark/devkit/chain/accounts'
import type { AnvilClient } from '@mintmark/devkit/chain/chain'
import { signedBody, signedPermit2Body, version1Body } from '../engine/testing.ts'
import { type Fixture, VALID_BEFORE } from './fixture.ts'
import type { Load } from './load.ts'
import { findTransferProblems, getTransfersOnChain } from './transfer-problems.ts'

/** How a payer moves tokens. */
export type TransferKind = 'eip3009' | 'permit2' | 'upto'

interface TransferLoadOptions {
  readonly client: AnvilClient
  readonly payer: DevAccount
  /** The kinds of the payments. Each is chosen as often as it is listed. */
  readonly kinds: readonly TransferKind[]
}

/** Creates the load of payments from a wallet to the fixture's seller. */
export function createTransferLoad({ client, payer, kinds }: TransferLoadOptions): Load {
  return {
    async sign(fixture) {
      const { random, seller: to } = fixture
      const nonce = `0x${random.hex(32)}`
      const amount = BigInt(1 + random.integer(1000))
      const terms = { account: payer, to, value: amount, nonce, validBefore: VALID_BEFORE }
      const bodies = await signBodies(fixture, random.pick(kinds), terms)
      return { nonce, amount, bodies, account: random.pick(fixture.accounts) }
    },
    getPaid: ({ seller }) => getTransfersOnChain(client, seller),
    findProblems: (fixture, facts) => findTransferProblems(fixture, client, facts),
  }
}

async function signBodies(
  { random, signers }: Fixture,
  kind: TransferKind,
  terms: Parameters<typeof signedPermit2Body>[0],
): Promise<object[]> {
  switch (kind) {
    case 'permit2':
      return [await signedPermit2Body(terms)]
    case 'upto': {
      const maximum = terms.value + BigInt(random.integer(500))
      return [await signedPermit2Body({ ...terms, maximum, facilitator: random.pick(signers) })]
    }
    case 'eip3009': {
      const body = await signedBody(terms)
      return [body, version1Body(body)]
    }
  }
}
