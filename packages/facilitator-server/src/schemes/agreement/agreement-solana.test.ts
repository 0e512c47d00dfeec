// Random payments on Solana: verify accepts exactly what the settlement's transaction executes in the next block, unless a rule of ours refuses it.
//
//     VERIFY_CASES=10000 VERIFY_SEED=7 vitest run --project unit --testTimeout 0 packages/facilitator-server/src/schemes/agreement/agreement-solana.test.ts

import { type Random, randomFrom } from '@mintmark/devkit/random'
import { solanaAccount, solanaPyusd, solanaUsdc } from '@mintmark/devkit/solana/start-solana'
import { AccountRole, type Address, address, type Instruction, type KeyPairSigner } from '@solana/kit'
import { expect, test } from 'vitest'
import { decodeTransaction, encodeSigned } from '../../chains/solana/wire-transaction.ts'
import { exactSvm } from '../solana/exact/svm-scheme.ts'
import { createSvmVerifier } from '../solana/exact/svm-verifier.ts'
import { startSvmFixture } from '../solana/exact/testing-fixture.ts'
import {
  createComputeLimit,
  createComputePrice,
  createMemo,
  createTransfer,
  type SvmFixture,
  signInstructions,
} from '../solana/exact/testing-transactions.ts'
import { CASES, SEED } from './testing-agreement.ts'

const AMOUNT = 10_000n
/** Two signatures, without priority. */
const BASE_FEE = 10_000n
const UNITS = 30_000
/** How many blocks after the one of its blockhash a transaction is valid. */
const LIFETIME = 150
/** At most as many transactions, each in a block of its own. */
const CASES_PER_FORK = 100

/** What the chain decides. */
const chainFaults = [
  'tooLittle',
  'noSource',
  'noDestination',
  'frozenSource',
  'frozenDestination',
  'stranger',
  'unsigned',
  'oldBlockhash',
  'expired',
  'unknownBlockhash',
  'fewUnits',
  'poorFeePayer',
  'missingProgram',
  'malformedMemo',
  'allowanceTooSmall',
  'replayed',
] as const
/** What is refused, whether or not the chain would execute it. */
const rules = [
  'otherAmount',
  'otherDestination',
  'otherToken',
  'otherDecimals',
  'highPrice',
  'highLimit',
  'namesFeePayer',
  'thirdSigner',
] as const
type Fault = (typeof chainFaults)[number] | (typeof rules)[number]

/** The token's program and who signs the transfer: the owner of the tokens or its delegate. */
const kinds = ['token owner', 'token delegate', 'token-2022 owner', 'token-2022 delegate'] as const

interface Case {
  readonly kind: (typeof kinds)[number]
  readonly faults: ReadonlySet<Fault>
  /** The number of blocks since the one of the blockhash. */
  readonly age: number
  readonly microLamports: bigint
  readonly memos: readonly string[]
}

function pickCase(random: Random): Case {
  const count = random.pick([0, 0, 0, 1, 1, 1, 2])
  const all = [...chainFaults, ...rules]
  const faults = new Set(Array.from({ length: count }, () => random.pick(all)))
  return {
    kind: random.pick(kinds),
    faults,
    age: faults.has('expired')
      ? LIFETIME + random.integer(3)
      : faults.has('oldBlockhash')
        ? LIFETIME - 1 - random.integer(3)
        : random.integer(20),
    microLamports: faults.has('highPrice') ? 5_000_001n : BigInt(random.integer(1_000_000)),
    memos: Array.from({ length: random.integer(3) }, () => random.hex(4)),
  }
}

/** The accounts of all cases. */
interface Wallets {
  readonly fixture: SvmFixture
  /** Whose tokens a delegate transfers. */
  readonly owner: KeyPairSigner
  readonly third: KeyPairSigner
  /** Has no token account. */
  readonly nobody: Address
}

/** Gives the accounts what they have in a case. */
async function prepare({ fixture, owner, nobody }: Wallets, { kind, faults, microLamports }: Case) {
  const { ledger, payer, payTo, feePayer } = fixture
  const mint = kind.startsWith('token ') ? solanaUsdc : solanaPyusd
  const priority = (microLamports * BigInt(UNITS) + 999_999n) / 1_000_000n
  const lamports = faults.has('poorFeePayer') ? BASE_FEE + priority - 1n : 1_000_000_000n
  ledger.setLamports(address(feePayer.address), lamports)
  const isDelegate = kind.endsWith('delegate')
  const allowance = faults.has('allowanceTooSmall') ? AMOUNT - 1n : AMOUNT
  const amount = faults.has('tooLittle') ? AMOUNT - 1n : faults.has('replayed') ? 2n * AMOUNT : AMOUNT
  const holder = isDelegate ? owner.address : payer.address
  for (const wallet of [payer.address, owner.address]) await ledger.setTokens(mint, wallet, 0n)
  await ledger.setTokens(mint, holder, amount, {
    isFrozen: faults.has('frozenSource'),
    ...(isDelegate && { delegate: { address: payer.address, amount: allowance } }),
  })
  await ledger.setTokens(mint, payTo.address, 0n, { isFrozen: faults.has('frozenDestination') })
  const source = await ledger.findTokenAccount(mint, faults.has('noSource') ? nobody : holder)
  const payee = faults.has('noDestination') ? nobody : payTo.address
  return { mint, source, payee }
}

/** Signs the payment of a case as a hostile payer could. Returns its body and the seller's terms. */
async function signCase(wallets: Wallets, one: Case) {
  const { fixture, third } = wallets
  const { faults, age, microLamports, memos } = one
  const { ledger, requirements, feePayer } = fixture
  const { mint, source, payee } = await prepare(wallets, one)
  const terms = { ...requirements, asset: mint, payTo: payee, amount: `${AMOUNT}` }
  const otherMint = mint === solanaUsdc ? solanaPyusd : solanaUsdc
  const named = faults.has('namesFeePayer') ? address(feePayer.address) : undefined
  const transfer = await createTransfer(fixture, {
    mint: faults.has('otherToken') ? otherMint : mint,
    source,
    destination: await ledger.findTokenAccount(mint, faults.has('otherDestination') ? third.address : payee),
    amount: faults.has('otherAmount') ? AMOUNT - 1n : AMOUNT,
    decimals: faults.has('otherDecimals') ? 5 : 6,
  })
  const account = (role: AccountRole, of: Address) => ({ accounts: [{ address: of, role }] })
  const instructions: Instruction[] = [
    createComputeLimit(faults.has('fewUnits') ? 200 : faults.has('highLimit') ? 400_001 : UNITS),
    createComputePrice(microLamports),
    transfer,
    ...memos.map((text) => createMemo(text)),
    ...(faults.has('missingProgram') ? [{ programAddress: LIGHTHOUSE, data: Buffer.alloc(1) }] : []),
    ...(faults.has('malformedMemo') ? [createMemo(Buffer.of(0xff))] : []),
    ...(named ? [{ ...createMemo('x'), ...account(AccountRole.READONLY, named) }] : []),
  ]
  const signed = faults.has('thirdSigner')
    ? [...instructions, { ...createMemo('y'), ...account(AccountRole.READONLY_SIGNER, third.address) }]
    : instructions
  const body = await signInstructions(fixture, signed, {
    signers: faults.has('unsigned') ? [] : [fixture.payer, third],
    blockhash: faults.has('unknownBlockhash') ? third.address : ledger.getBlockhash(ledger.slot - age),
  })
  const { transaction } = body.payload
  const text = faults.has('stranger') ? changeSignature(transaction) : transaction
  return { body: { ...body, accepted: terms, payload: { transaction: text } }, terms }
}

const LIGHTHOUSE = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95')

/**
 * Changes a byte of the payer's signature. One byte is the number of signatures, and the first of them is the
 * fee payer's.
 */
function changeSignature(transaction: string): string {
  const bytes = Buffer.from(transaction, 'base64')
  bytes.writeUInt8(bytes.readUInt8(70) ^ 1, 70)
  return bytes.toString('base64')
}

/** Signs a transaction as the fee payer and sends it. Returns whether it succeeded. */
function execute({ ledger, feePayer }: SvmFixture, text: string): boolean {
  const transaction = decodeTransaction(Buffer.from(text, 'base64'))
  if (transaction === undefined) throw new Error('The transaction cannot be decoded')
  const { slot } = ledger
  const signature = ledger.send(encodeSigned(transaction, feePayer.sign(transaction.message)))
  const landed = ledger.landed.get(signature)
  return ledger.slot > slot && landed !== undefined && landed.error === undefined
}

async function openWallets(stops: AsyncDisposableStack): Promise<Wallets> {
  const fixture = await startSvmFixture(stops)
  const [owner, third, nobody] = await Promise.all([solanaAccount(3), solanaAccount(4), solanaAccount(5)])
  for (const mint of [solanaUsdc, solanaPyusd]) await fixture.ledger.setTokens(mint, third.address, 0n)
  fixture.ledger.advance(LIFETIME + 10)
  return { fixture, owner, third, nobody: nobody.address }
}

test('verify accepts exactly what the settlement’s transaction executes in the next block, on Solana', async () => {
  await using stops = new AsyncDisposableStack()
  const wallets = await openWallets(stops)
  const { fixture } = wallets
  const { svmChain, network, feePayer, decode, errors } = fixture
  const verifier = createSvmVerifier({
    chains: [svmChain],
    feePayers: [feePayer],
    allowedMints: new Map([[network, new Set<string>([solanaUsdc, solanaPyusd])]]),
    report: (error) => void errors.push(error),
  })
  const random = randomFrom(SEED)
  const seen = new Set<string>()
  for (let number = 0; number < CASES; number += 1) {
    const one = pickCase(random)
    const { body, terms } = await signCase(wallets, one)
    if (one.faults.has('replayed')) execute(fixture, body.payload.transaction)
    const decoded = decode(body, terms)
    const verified = decoded.ok ? await verifier.verify(decoded.payment) : undefined
    const accepted = verified?.isValid === true
    const paid = execute(fixture, body.payload.transaction)

    const context = `seed ${SEED}, case ${number}: ${one.kind}, age ${one.age}, ${[...one.faults].join(' and ')}`
    const reason = decoded.ok ? verified?.isValid === false && verified.invalidReason : decoded.reason
    expect({ context, accepted }, String(reason)).toEqual({ context, accepted: paid && !isRuledOut(one) })
    const isPoor = one.faults.has('poorFeePayer') && reason === 'unexpected_verify_error'
    if (!accepted && !isPoor)
      expect({ context, reason }).toEqual({ context, reason: expect.stringMatching(REASON) })
    if (decoded.ok) expect(decoded.payment.scheme).toBe(exactSvm)
    seen.add(`${one.kind}: ${accepted}`)
    // The chain stores the state before each transaction, which would need gigabytes for 10,000 of them.
    if (number % CASES_PER_FORK === CASES_PER_FORK - 1) fixture.ledger.fork(CASES_PER_FORK)
  }
  expect(errors).toEqual([])
  expect([...seen].toSorted()).toEqual(
    kinds.flatMap((kind) => [`${kind}: false`, `${kind}: true`]).toSorted(),
  )
})

/** Whether a rule of ours refuses a payment. */
const isRuledOut = ({ faults }: Case): boolean => rules.some((rule) => faults.has(rule))

/** The reasons of the protocol. */
const REASON = /^(?:invalid_exact_svm_|insufficient_funds$|invalid_payment_requirements$)/
