// The page of which payments work, made from the outcomes of tests.
import type { EvmMethod, EvmToken, SolanaToken } from './stock-sellers.ts'

interface EvmCase {
  readonly method: EvmMethod
  readonly wallet: string
  readonly token: EvmToken
}
interface SolanaCase {
  readonly token: SolanaToken
}

/** The packages of a seller and a payer, whose outcome is that of a second payment by `batch-settlement`. */
interface Pair {
  readonly seller: string
  readonly payer: string
}

/** `pays` or the reason of the refusal, by the case that was executed. */
export type Outcomes = Map<EvmCase | SolanaCase | Pair, string>

const METHODS: Readonly<Record<EvmMethod, string>> = {
  eip3009: '`exact` by EIP-3009',
  permit2: '`exact` by Permit2, approved by a transaction',
  'permit2-approved': '`exact` by Permit2, approved by a signature (EIP-2612)',
  upto: '`upto` (Permit2, approved by a transaction)',
  'auth-capture': '`auth-capture` by EIP-3009',
}
const WALLETS: Readonly<Record<string, string>> = {
  key: 'a key (EOA)',
  'EIP-7702': 'a key with code (EIP-7702)',
  'ERC-1271': 'a contract (ERC-1271)',
  'ERC-6492': 'a contract that does not exist yet (ERC-6492)',
}
const TOKENS: Readonly<Record<EvmToken, string>> = {
  usdc: 'USDC since 2.2 (EIP-3009 and EIP-2612, signatures of keys and contracts)',
  legacy: 'USDC before 2.2 (signatures of keys only)',
  plain: 'ERC-20 without signatures',
}
const MINTS: Readonly<Record<SolanaToken, string>> = {
  spl: 'SPL Token',
  token2022: 'Token-2022 without extensions',
  fee: 'Token-2022 with a fee on transfers',
  hook: 'Token-2022 with a transfer hook',
}
const keysOf = <Key extends string>(record: Readonly<Record<Key, string>>) => Object.keys(record) as Key[]

/** Every combination on chains of the EVM. */
export const EVM_CASES: readonly EvmCase[] = keysOf(METHODS).flatMap((method) =>
  keysOf(WALLETS).flatMap((wallet) => keysOf(TOKENS).map((token) => ({ method, wallet, token }))),
)
/** Every combination on Solana. */
export const SOLANA_CASES: readonly SolanaCase[] = keysOf(MINTS).map((token) => ({ token }))

const formatRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map(formatRow).join('\n')

function formatCell(outcome: string | undefined): string {
  if (outcome === undefined) throw new Error('A case of the page was not executed')
  // Reasons of the protocol have no spaces.
  return outcome === 'pays' || outcome.includes(' ') ? outcome : `\`${outcome}\``
}

function formatMethod(method: EvmMethod, outcomes: Outcomes): string {
  const rows = keysOf(WALLETS).map((wallet) => {
    const cases = EVM_CASES.filter((each) => each.method === method && each.wallet === wallet)
    return [WALLETS[wallet] ?? wallet, ...cases.map((each) => formatCell(outcomes.get(each)))]
  })
  return `### ${METHODS[method]}\n\n${formatTable(['wallet', ...Object.values(TOKENS)], rows)}`
}

/** Formats the page. @throws Error if a case was not executed. */
export function formatPage(outcomes: Outcomes, pairs: readonly Pair[]): string {
  const packages = pairs.map((pair) => [
    `\`${pair.seller}\``,
    `\`${pair.payer}\``,
    '`exact` by EIP-3009 and Permit2, `upto`, `auth-capture`, `exact` on Solana, a deposit by `batch-settlement`',
    formatCell(outcomes.get(pair)),
  ])
  const mints = SOLANA_CASES.map((each) => [MINTS[each.token], formatCell(outcomes.get(each))])
  return `# x402 compatibility

Every cell is a payment that the tests make with the npm packages of x402, unchanged, through this facilitator: the stock seller delivers and settles, the tokens
move, and the account is charged once. Where a payment is refused, the cell is the reason that the payer receives, nothing moves, and nothing is charged.
[Errors](reference/errors.md) explains the reasons.

## Packages

${formatTable(['seller', 'payer', 'pays by', 'second payment in a channel'], packages)}

Their schemes come from \`@x402/evm\` and \`@x402/svm\`. \`@x402/next\` is called as Next calls a route: \`withX402\` around a handler, with a \`NextRequest\`.

A second payment by \`batch-settlement\` is a voucher in the [channel](guides/payment-channels.md) that the first one opened. \`@x402/axios\` does not pass the
seller's responses to its scheme, so the payer does not know the channel's total, and the seller refuses the voucher. Use \`@x402/fetch\` for channels.
Vouchers are free.

Shops and customers of the Machine Payments Protocol (\`mppx\`) pay by \`exact\` with EIP-3009: [One URL, x402 and MPP](guides/x402-and-mpp.md).

## Chains of the EVM

The tokens other than known USDC are in \`ALLOWED_ASSETS\`, and the contract that creates the wallets of the last rows is in \`WALLET_FACTORIES\`. A wallet that
does not exist yet cannot approve Permit2. No package has the seller's side of \`auth-capture\`: the seller adds what the client signs to the price, and the cell is
the outcome of the [authorization](guides/authorize-and-capture.md). Refunds need a signature of the wallet that pays them, \`funding\`, which only \`@mintmark/seller\` adds.

${keysOf(METHODS)
  .map((method) => formatMethod(method, outcomes))
  .join('\n\n')}

## Solana

The wallet is a key, because the stock client signs with keys only.

${formatTable(['token', '`exact`'], mints)}
`
}
