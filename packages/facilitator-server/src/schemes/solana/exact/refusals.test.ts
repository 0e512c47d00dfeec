import { solanaAccount, solanaPyusd, solanaUsdc } from '@mintmark/devkit/solana/start-solana'
import { TOKEN_2022_PROGRAM, transferFee, transferHook } from '@mintmark/devkit/solana/token-accounts'
import { AccountRole, address, getAddressEncoder, type Instruction } from '@solana/kit'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { expect, test } from 'vitest'
import { createFeePayer } from '../../../chains/solana/keys.ts'
import type { CallNode, SvmChain } from '../../../chains/solana/svm-nodes.ts'
import { decodePayment } from '../../decode.ts'
import type { SvmTerms } from './svm-terms.ts'
import { createSvmVerifier } from './svm-verifier.ts'
import { feePayerSeed, startSvmFixture } from './testing-fixture.ts'
import {
  createComputeLimit,
  createComputePrice,
  createMemo,
  createTransfer,
  type SvmFixture,
  SYSTEM,
  signInstructions,
  type TransferChanges,
} from './testing-transactions.ts'

/** The reason of a refusal by decoding, or else by verification. Undefined if the payment is valid. */
async function findReason(fixture: SvmFixture, body: object, terms: object = fixture.requirements) {
  const decoded = fixture.decode(body, terms)
  if (!decoded.ok) return decoded.reason
  const verified = await createVerifier(fixture).verify(decoded.payment)
  return verified.isValid ? undefined : verified.invalidReason
}

const createVerifier = ({ svmChain, network, requirements, errors }: SvmFixture) =>
  createSvmVerifier({
    chains: [svmChain],
    feePayers: [createFeePayer(feePayerSeed())],
    allowedMints: new Map([[network, new Set([requirements.asset])]]),
    report: (error) => void errors.push(error),
  })

/**
 * What the stock facilitator says about the same payment, with a chain on which every simulation succeeds.
 */
async function findStockReason(fixture: SvmFixture, body: { accepted: object; payload: object }) {
  const stock = new ExactSvmScheme(
    {
      getAddresses: () => [address(fixture.feePayer.address)],
      signTransaction: async (transaction: string) => transaction,
      simulateTransaction: async () => {},
      sendTransaction: async () => '',
      confirmTransaction: async () => {},
    },
    undefined,
    { maxRequiredSignatures: 2, maxComputeUnits: 400_000 },
  )
  const payload = { x402Version: 2, accepted: fixture.requirements, payload: { ...body.payload } }
  const { invalidReason } = await stock.verify(payload, fixture.requirements)
  return invalidReason
}

type Build = (fixture: SvmFixture) => Promise<{ x402Version: number; accepted: object; payload: object }>

const withInstructions =
  (
    build: (
      fixture: SvmFixture,
      pay: Instruction,
    ) => readonly Instruction[] | Promise<readonly Instruction[]>,
  ): Build =>
  async (fixture) =>
    signInstructions(fixture, await build(fixture, await createTransfer(fixture)))

const [limit, price] = [createComputeLimit(20_000), createComputePrice(1n)]
const withTransfer = (changes: (fixture: SvmFixture) => TransferChanges | Promise<TransferChanges>): Build =>
  withInstructions(async (fixture) => [limit, price, await createTransfer(fixture, await changes(fixture))])

const P = 'invalid_exact_svm_payload'
const REFUSALS: readonly [string, string, Build][] = [
  ['too few instructions', `${P}_transaction_instructions_length`, withInstructions(() => [limit, price])],
  [
    'too many instructions',
    `${P}_transaction_instructions_length`,
    withInstructions((_, pay) => [limit, price, pay, ...Array.from({ length: 5 }, () => createMemo('x'))]),
  ],
  [
    'no limit of compute units',
    `${P}_transaction_instructions_compute_limit_instruction`,
    withInstructions((_, pay) => [price, limit, pay]),
  ],
  [
    'no price of compute units',
    `${P}_transaction_instructions_compute_price_instruction`,
    withInstructions((_, pay) => [limit, createMemo('x'), pay]),
  ],
  [
    'too high a limit of compute units',
    `${P}_transaction_instructions_compute_limit_instruction_too_high`,
    withInstructions((_, pay) => [createComputeLimit(400_001), price, pay]),
  ],
  [
    'too high a price of compute units',
    `${P}_transaction_instructions_compute_price_instruction_too_high`,
    withInstructions((_, pay) => [limit, createComputePrice(5_000_001n), pay]),
  ],
  ['no transfer', `${P}_no_transfer_instruction`, withInstructions(() => [limit, price, createMemo('x')])],
  [
    'another instruction of the token program',
    `${P}_no_transfer_instruction`,
    withInstructions((_, pay) => [limit, price, { ...pay, data: Buffer.from([3, ...Buffer.alloc(8)]) }]),
  ],
  ['another token', `${P}_mint_mismatch`, withTransfer(() => ({ mint: solanaPyusd }))],
  [
    'another recipient',
    `${P}_recipient_mismatch`,
    withTransfer(async ({ ledger, payer }) => ({
      destination: await ledger.findTokenAccount(solanaUsdc, payer.address),
    })),
  ],
  ['a lower amount', `${P}_amount_mismatch`, withTransfer(() => ({ amount: 9_999n }))],
  ['a higher amount', `${P}_amount_mismatch`, withTransfer(() => ({ amount: 10_001n }))],
  [
    'another program as fourth instruction',
    `${P}_unknown_fourth_instruction`,
    withInstructions((_, pay) => [limit, price, pay, { programAddress: SYSTEM, data: Buffer.alloc(4) }]),
  ],
  [
    'another program as seventh instruction',
    `${P}_unknown_seventh_instruction`,
    withInstructions((_, pay) => [
      ...[limit, price, pay, createMemo('1'), createMemo('2'), createMemo('3')],
      { programAddress: SYSTEM, data: Buffer.alloc(4) },
    ]),
  ],
  [
    'a missing signature',
    `${P}_signature_invalid`,
    async (fixture) =>
      signInstructions(fixture, [limit, price, await createTransfer(fixture)], { signers: [] }),
  ],
  [
    'another fee payer',
    'invalid_exact_svm_fee_payer_mismatch',
    async (fixture) => {
      const feePayer = (await solanaAccount(7)).address
      return signInstructions(fixture, [limit, price, await createTransfer(fixture)], { feePayer })
    },
  ],
  [
    'a further signer',
    `${P}_excessive_signers`,
    async (fixture) => {
      const third = await solanaAccount(8)
      const accounts = [{ address: third.address, role: AccountRole.READONLY_SIGNER }]
      const signed = { ...createMemo('x'), accounts }
      const signers = [fixture.payer, third]
      return signInstructions(fixture, [limit, price, await createTransfer(fixture), signed], { signers })
    },
  ],
]

test.each(REFUSALS)(
  'refuses a Solana transaction with %s for the reason of the stock facilitator',
  async (_, reason, build) => {
    await using stops = new AsyncDisposableStack()
    const fixture = await startSvmFixture(stops)
    const body = await build(fixture)
    expect(await findReason(fixture, body)).toBe(reason)
    expect(await findStockReason(fixture, body)).toBe(reason)
  },
)

test('accepts the Solana transaction of a stock client, as the stock facilitator does', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const body = await fixture.sign()
  expect(await findReason(fixture, body)).toBeUndefined()
  expect(await findStockReason(fixture, body)).toBeUndefined()
})

test('verifies a Solana transaction without showing a node the signature of the fee payer', async () => {
  await using stops = new AsyncDisposableStack()
  const { svmChain, network, requirements, feePayer, pay } = await startSvmFixture(stops)
  const sent: unknown[] = []
  const watched: SvmChain = {
    network,
    nodes: svmChain.nodes.map(
      (call): CallNode =>
        (method, params) => {
          sent.push(params)
          return call(method, params)
        },
    ),
  }
  const verifier = createSvmVerifier({
    chains: [watched],
    feePayers: [feePayer],
    allowedMints: new Map([[network, new Set([requirements.asset])]]),
    report: (error) => {
      throw error
    },
  })
  const payment = await pay()
  expect(await verifier.verify(payment)).toMatchObject({ isValid: true })
  const [transaction] = sent.flat().filter((param) => typeof param === 'string')
  // One byte is the number of signatures. The first of them is the fee payer's.
  const bytes = Buffer.from(String(transaction), 'base64')
  expect(bytes.subarray(1, 65)).toEqual(Buffer.alloc(64))
  expect(bytes.subarray(65, 129)).toEqual((payment.details as SvmTerms).transaction.signatures[1])
})

const STRICTER: readonly [string, string, Build][] = [
  [
    'a priority fee that drains the fee payer',
    `${P}_transaction_instructions_compute_price_instruction_too_high`,
    withInstructions((_, pay) => [createComputeLimit(400_000), createComputePrice(130_000n), pay]),
  ],
  [
    'a memo that names the fee payer',
    `${P}_transaction_fee_payer_transferring_funds`,
    withInstructions(({ feePayer }, pay) => {
      const accounts = [{ address: address(feePayer.address), role: AccountRole.READONLY }]
      return [limit, price, pay, { ...createMemo('x'), accounts }]
    }),
  ],
  [
    'the fee payer as the owner of the tokens',
    `${P}_transaction_fee_payer_transferring_funds`,
    withTransfer(({ feePayer }) => ({ authority: address(feePayer.address) })),
  ],
]

test.each(STRICTER)('refuses a Solana transaction with %s', async (_, reason, build) => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const body = await build(fixture)
  const reasons = [reason, `${P}_excessive_signers`]
  expect(reasons).toContain(await findReason(fixture, body))
})

test('refuses a Solana transaction whose blockhash is unknown or has expired', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const body = await fixture.sign()
  const blockhash = (await solanaAccount(9)).address
  const pay = await createTransfer(fixture)
  const simulation = 'invalid_exact_svm_transaction_simulation_failed'
  expect(await findReason(fixture, await signInstructions(fixture, [limit, price, pay], { blockhash }))).toBe(
    simulation,
  )
  fixture.ledger.advance(151)
  expect(await findReason(fixture, body)).toBe(simulation)
})

test('refuses a Solana transaction with other decimals than the mint', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const body = await signInstructions(fixture, [limit, price, await createTransfer(fixture, { decimals: 9 })])
  expect(await findReason(fixture, body)).toBe('invalid_payment_requirements')
})

test('refuses a Solana payment whose recipient has no token account, or whose payer lacks the tokens', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const payTo = (await solanaAccount(5)).address
  const terms = { ...fixture.requirements, payTo }
  const unreceivable = await fixture.sign(terms)
  expect(await findReason(fixture, unreceivable, terms)).toBe(
    'invalid_exact_svm_transaction_simulation_failed',
  )
  const body = await fixture.sign()
  await fixture.ledger.setTokens(solanaUsdc, fixture.payer.address, 9_999n)
  expect(await findReason(fixture, body)).toBe('insufficient_funds')
})

test.each([
  ['no account', 0n],
  ['less than the fee', 9_999n],
  ['less than an account needs', 20_000n],
])('a fee payer with %s makes no Solana payment invalid', async (_, lamports) => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const body = await fixture.sign()
  fixture.ledger.setLamports(address(fixture.feePayer.address), lamports)
  expect(await findReason(fixture, body)).toBe('unexpected_verify_error')
})

test.each([
  ['fee on transfers', transferFee(1, 1_000n)],
  ['program that is called on transfers', transferHook(solanaUsdc)],
])('refuses a Token-2022 mint with a %s, and accepts one with an unused extension', async (_, extension) => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops, solanaPyusd)
  const body = await fixture.sign()
  expect(await findReason(fixture, body)).toBeUndefined()
  const setMint = (extensions: readonly { type: number; data: Uint8Array }[]) =>
    fixture.ledger.setMint(solanaPyusd, { program: TOKEN_2022_PROGRAM, decimals: 6, extensions })
  // An authority of closing comes first, so that the search has to skip an extension.
  const first = { type: 3, data: Buffer.alloc(32) }
  setMint([first, extension])
  expect(await findReason(fixture, body)).toBe('invalid_payment_requirements')
  setMint([first])
  expect(await findReason(fixture, body)).toBeUndefined()
})

test('requires the memo that the seller names, exactly once', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { requirements } = fixture
  const terms = { ...requirements, extra: { ...requirements.extra, memo: 'order 17' } }
  const sign = async (...memos: string[]) => ({
    ...(await signInstructions(fixture, [
      limit,
      price,
      await createTransfer(fixture),
      ...memos.map(createMemo),
    ])),
    accepted: terms,
  })
  expect(await findReason(fixture, await fixture.sign(terms), terms)).toBeUndefined()
  expect(await findReason(fixture, await sign(), terms)).toBe(`${P}_memo_count`)
  expect(await findReason(fixture, await sign('order 17', 'order 17'), terms)).toBe(`${P}_memo_count`)
  expect(await findReason(fixture, await sign('order 18'), terms)).toBe(`${P}_memo_mismatch`)
})

test('refuses other accepted terms, a foreign fee payer and assets that are not accepted', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const { requirements } = fixture
  const body = await fixture.sign()
  const other = { ...requirements, amount: '10001' }
  expect(await findReason(fixture, body, other)).toBe('invalid_payment_requirements')
  const foreign = { ...requirements, extra: { feePayer: (await solanaAccount(7)).address } }
  expect(await findReason(fixture, { ...body, accepted: foreign }, foreign)).toBe(
    'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
  )
  const unnamed = { ...requirements, extra: {} }
  expect(await findReason(fixture, { ...body, accepted: unnamed }, unnamed)).toBe(`${P}_missing_fee_payer`)
  const refusing = createSvmVerifier({
    chains: [fixture.svmChain],
    feePayers: [fixture.feePayer],
    allowedMints: new Map(),
    report: () => {},
  })
  const outcome = await refusing.verify(await fixture.pay())
  expect(outcome).toMatchObject({ isValid: false, invalidReason: 'invalid_payment_requirements' })
})

test('refuses texts that are no transaction, changed bytes and bytes after the end', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const body = await fixture.sign()
  const bytes = Buffer.from(String(body.payload.transaction), 'base64')
  const undecodable = `${P}_transaction_could_not_be_decoded`
  const withText = (transaction: unknown) => ({ ...body, payload: { transaction } })
  for (const text of [undefined, 7, '', '%', 'AAAA', Buffer.alloc(2_000).toString('base64')])
    expect(await findReason(fixture, withText(text))).toBe(undecodable)
  const longer = Buffer.concat([bytes, Buffer.of(0)]).toString('base64')
  expect(await findReason(fixture, withText(longer))).toBe(undecodable)
  for (let length = 1; length < bytes.length; length += 1)
    expect(await findReason(fixture, withText(bytes.subarray(0, length).toString('base64')))).toBe(
      undecodable,
    )
  // Every changed byte of the payer's signature and of the message is noticed.
  for (let index = 65; index < bytes.length; index += 7) {
    const changed = Buffer.from(bytes)
    changed[index] = changed.readUInt8(index) ^ 1
    expect(fixture.decode(withText(changed.toString('base64'))).ok, `byte ${index}`).toBe(false)
  }
  // The key of an account is no node's: it encodes to the same address.
  expect(getAddressEncoder().encode(address(fixture.feePayer.address))).toHaveLength(32)
})

test('names the field and the payer of a refused payment, also when the requirements are malformed', async () => {
  await using stops = new AsyncDisposableStack()
  const fixture = await startSvmFixture(stops)
  const body = await fixture.sign()
  const { payer } = await fixture.pay()
  const { requirements } = fixture
  const served = {
    networks: new Set([fixture.network]),
    facilitators: new Set<string>(),
    feePayers: new Set([fixture.feePayer.address]),
  }
  const refuse = (changes: object, accepted: object = changes, payload: object = body.payload) => {
    const paymentPayload = { ...body, payload, accepted: { ...requirements, ...accepted } }
    const paymentRequirements = { ...requirements, ...changes }
    return decodePayment({ x402Version: 2, paymentPayload, paymentRequirements }, served)
  }
  const cases: [changes: object, path: string, accepted?: object][] = [
    [{ amount: 7 }, 'paymentRequirements.amount'],
    [{ payTo: '0x12' }, 'paymentRequirements.payTo'],
    [{ network: 'solana:unknown' }, 'paymentRequirements.network'],
    [{ extra: {} }, 'paymentRequirements.extra.feePayer'],
    [{ amount: '9' }, 'paymentPayload.payload.transaction'],
    [{}, 'paymentPayload.accepted.extra.memo', { extra: { ...requirements.extra, memo: 'another' } }],
  ]
  for (const [changes, path, accepted] of cases)
    expect(refuse(changes, accepted), path).toMatchObject({ ok: false, payer, issues: [{ path }] })
  expect(refuse({}, {}, { transaction: 'AAAA' })).not.toHaveProperty('payer')
})
