// Transactions as hostile payers could build them.
import type { KeyPairSigner } from '@solana/kit'
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import type { startSvmFixture } from './testing-fixture.ts'

export type SvmFixture = Awaited<ReturnType<typeof startSvmFixture>>

const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111')
const MEMO = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
export const SYSTEM = address('11111111111111111111111111111111')

export function createComputeLimit(units: number): Instruction {
  const data = Buffer.alloc(5, 2)
  data.writeUInt32LE(units, 1)
  return { programAddress: COMPUTE_BUDGET, data }
}

export function createComputePrice(microLamports: bigint): Instruction {
  const data = Buffer.alloc(9, 3)
  data.writeBigUInt64LE(microLamports, 1)
  return { programAddress: COMPUTE_BUDGET, data }
}

export const createMemo = (content: string | Buffer): Instruction => ({
  programAddress: MEMO,
  data: typeof content === 'string' ? Buffer.from(content) : content,
})

/** What a test changes of the transfer that the fixture requires. */
export interface TransferChanges {
  readonly amount?: bigint
  readonly decimals?: number
  readonly destination?: Address
  readonly source?: Address
  readonly mint?: Address
  readonly program?: Address
  readonly authority?: Address
}

/** Creates the transfer that the fixture requires, except for the changes. */
export async function createTransfer(
  { ledger, payer, payTo, requirements }: SvmFixture,
  changes: TransferChanges = {},
) {
  const mint = changes.mint ?? address(requirements.asset)
  const data = Buffer.alloc(10, 12)
  data.writeBigUInt64LE(changes.amount ?? 10_000n, 1)
  data.writeUInt8(changes.decimals ?? 6, 9)
  return {
    programAddress: changes.program ?? ledger.findAccount(mint)?.owner ?? SYSTEM,
    accounts: [
      {
        address: changes.source ?? (await ledger.findTokenAccount(mint, payer.address)),
        role: AccountRole.WRITABLE,
      },
      { address: mint, role: AccountRole.READONLY },
      {
        address: changes.destination ?? (await ledger.findTokenAccount(mint, payTo.address)),
        role: AccountRole.WRITABLE,
      },
      { address: changes.authority ?? payer.address, role: AccountRole.READONLY_SIGNER },
    ],
    data,
  }
}

/** Signs instructions as a hostile payer could. */
export async function signInstructions(
  fixture: SvmFixture,
  instructions: readonly Instruction[],
  { signers = [fixture.payer], feePayer = address(fixture.feePayer.address), blockhash = '' } = {},
) {
  const { ledger, requirements } = fixture
  const lifetime = {
    blockhash: (blockhash || ledger.getBlockhash(ledger.slot)) as Blockhash,
    lastValidBlockHeight: 0n,
  }
  const withSigners = instructions.map((instruction) => ({
    ...instruction,
    accounts: (instruction.accounts ?? []).map((meta) => {
      const signer = signers.find((one: KeyPairSigner) => one.address === meta.address)
      if (meta.role !== AccountRole.READONLY_SIGNER) return meta
      const role = AccountRole.READONLY_SIGNER as const
      return { address: meta.address, role, signer: signer ?? createNoopSigner(meta.address) }
    }),
  }))
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (unfinished) => setTransactionMessageLifetimeUsingBlockhash(lifetime, unfinished),
    (unfinished) => appendTransactionMessageInstructions(withSigners, unfinished),
  )
  const signed = await partiallySignTransactionMessageWithSigners(message)
  const transaction = getBase64EncodedWireTransaction(signed)
  return { x402Version: 2, accepted: requirements, payload: { transaction } }
}
