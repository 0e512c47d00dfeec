import { randomBytes } from 'node:crypto'
import { parseTransaction, recoverTransactionAddress, type TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { hex } from '../../../engine/testing.ts'
import { loadSecp256k1 } from '../signatures/secp256k1.ts'
import { parseSignerKeys, type SettlementSigner } from './signers.ts'

const key = randomBytes(32).toString('hex')
const account = privateKeyToAccount(hex(key))

function createSigner(native: ReturnType<typeof loadSecp256k1>): SettlementSigner {
  const [signer] = parseSignerKeys(key, native)
  if (signer === undefined) throw new Error('One key was given')
  return signer
}

const createTransaction = (nonce: number): TransactionSerializableEIP1559 => ({
  type: 'eip1559',
  chainId: 84532,
  nonce,
  to: account.address,
  data: `0x${randomBytes(nonce * 7).toString('hex')}`,
  gas: 60_000n,
  value: BigInt(nonce),
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
})

describe.each([
  ['libsecp256k1, where it is prebuilt', loadSecp256k1()],
  ['JavaScript', undefined],
])('a signer with %s', (_, native) => {
  // About one signature in 128 has an r or s with a leading zero, which is not sent.
  it('signs as viem does', async () => {
    const signer = createSigner(native)
    for (let nonce = 0; nonce < 400; nonce += 1) {
      const transaction = createTransaction(nonce)
      expect(await signer.sign(transaction)).toBe(await account.signTransaction(transaction))
    }
  })

  it('signs the given transaction with its own key', async () => {
    const signer = createSigner(native)
    const serializedTransaction = (await signer.sign(createTransaction(5))) as `0x02${string}`
    expect(parseTransaction(serializedTransaction)).toMatchObject({ nonce: 5, value: 5n, gas: 60_000n })
    expect((await recoverTransactionAddress({ serializedTransaction })).toLowerCase()).toBe(signer.address)
  })
})
