import {
  amount,
  choice,
  flag,
  integer,
  list,
  port,
  serverSettings,
  text,
  tracingSettings,
  url,
} from '@mintmark/server-kit'
import { allowFactories } from './chains/evm/settings/allowed-assets.ts'
import { parseChainAmounts } from './chains/evm/settings/chain-amounts.ts'
import { DEFAULT_REVERT_LIMITS } from './engine/settings/engine-options.ts'
import { DEFAULT_RATE_LIMIT } from './http/context/authentication.ts'
import { parseOperatorToken } from './http/operator/operator-access.ts'
import { parseAddress, parseHeaders } from './setting-formats.ts'

const running = '../guides/running-the-servers.md'

/** How the server listens. */
const serving = {
  FACILITATOR_PORT: port('facilitator', { default: 4001 }),
  ...serverSettings,
  DATABASE_CONNECTIONS: integer(
    'maximum number of connections; three more are used: for short reads, for the audit, and for operators who look at sessions of the database',
    { default: 20, min: 2, max: 1000 },
  ),
  RATE_LIMIT_PER_SECOND: integer('calls per second and key, in each process', {
    default: DEFAULT_RATE_LIMIT.perSecond,
    min: 1,
  }),
  RATE_LIMIT_BURST: integer('burst of calls per key, in each process', {
    default: DEFAULT_RATE_LIMIT.burst,
    min: 1,
  }),
  OPERATOR_TOKEN: text(
    'at least 32 characters that the [operator interface](../facilitator-operator.md) expects as a bearer token. Without it the interface does not exist',
    { parse: parseOperatorToken },
  ),
}

/** The chains, and who settles on them. */
const settling = {
  CHAINS: text(
    '`84532=https://…,8453=https://…`; further addresses after a comma are fallbacks. Or JSON: `{"84532": ["https://…"]}`. Solana: `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp=https://…`, with several addresses if possible, because that a transaction never lands must follow from all of them; requires `SOLANA_SIGNER_KEYS`, and is settled only without `UPSTREAM_FACILITATOR_URL`',
  ),
  FINALITY: text(
    'when a block is final: `finalized`, `safe` or a number of blocks; by chain as `84532=2,8453=finalized`',
    { parse: (value) => value, defaultText: 'finalized' },
  ),
  NODE_TIMEOUT_MS: integer(
    `how long a node may take for its whole response. Then it is [skipped](${running}#a-node-that-does-not-respond) until it responds`,
    { default: 10_000, min: 100, max: 60_000 },
  ),
  FACILITATOR_SIGNER_KEYS: text(
    'comma-separated private keys of the signers; each needs native tokens for gas on every chain. Required without `REMOTE_SIGNER_URL` and `UPSTREAM_FACILITATOR_URL`, unless `CHAINS` has networks of Solana only',
  ),
  SOLANA_SIGNER_KEYS: text(
    'comma-separated secret keys in base58, as wallets export them; `/supported` has one of them as `feePayer`, chosen by the account of the key. Each pays the fees of the transactions that name it, so it needs SOL and should own no tokens ([guide](../guides/solana.md))',
  ),
  RETIRED_SIGNERS: list(
    `comma-separated addresses of signers and of fee payers on Solana that take no new payments, while their keys are still configured ([guide](${running}#rotating-a-signer))`,
  ),
  REMOTE_SIGNER_URL: url(
    'the `https://` address of a key service with `eth_signTransaction`, such as Web3Signer; `http://` on this machine only',
  ),
  REMOTE_SIGNER_ADDRESSES: list(
    'comma-separated addresses of the keys in it that sign settlements. Required with `REMOTE_SIGNER_URL`',
  ),
  REMOTE_SIGNER_CERTIFICATE: text(
    'PEM: what authenticates this server there, with `REMOTE_SIGNER_KEY`. Usually as `REMOTE_SIGNER_CERTIFICATE_FILE`',
  ),
  REMOTE_SIGNER_KEY: text('PEM: the key of the certificate. Usually as `REMOTE_SIGNER_KEY_FILE`'),
  REMOTE_SIGNER_CA: text('PEM: the certificates that may sign the one of the service', {
    parse: (value) => value,
    defaultText: 'those of the system',
  }),
  REMOTE_SIGNER_TIMEOUT_MS: integer(
    'how long a signature may take. Then nothing is sent and nothing is charged (503)',
    { default: 2000, min: 50, max: 60_000 },
  ),
  UPSTREAM_FACILITATOR_URL: url('another x402 facilitator that settles instead; `/settle` is added to it'),
  UPSTREAM_FACILITATOR_HEADERS: text('JSON object of headers for it, such as its key', {
    parse: parseHeaders,
  }),
  UPSTREAM_TIMEOUT_MS: integer(
    'how long a settle waits for the upstream, the built-in one too, before its outcome counts as unknown',
    { default: 30_000, min: 100, max: 600_000 },
  ),
  UNREADABLE_NETWORKS: list(
    'CAIP-2 networks that are served by the upstream without a node in `CHAINS`; unknown outcomes there wait for an operator',
  ),
  REPEAT_TIMEOUT_MS: integer(
    'how long a repeat of a settle waits for the outcome of its payment; 0: not at all. Keep it below the timeout of the callers (90 s in stock x402 software), and give proxies before the server a longer one (most have 60 s by default). At most eight repeats of a payment, and as many as a quarter of `MAX_CONNECTIONS` in all, wait; others respond at once',
    { default: 80_000, max: 600_000 },
  ),
}

/** What a payment may be, and what its settlement may cost. */
const limits = {
  ALLOWED_ASSETS: text(
    'accepted tokens in addition to the chains’ own USDC: `8453=0x…,84532=0x…`; on Solana, `solana:…=<mint>`',
  ),
  MAX_AUTHORIZATION_SECONDS: integer(
    'how long from now a payment’s authorization may be valid; the price of an unknown outcome is held at most as long, plus finality',
    { default: 86_400, min: 60 },
  ),
  MAX_FEE_PER_GAS: text(
    'the most wei per unit of gas that a settlement offers, for all chains or by chain (`8453=5000000000`). Defaults in gwei: Ethereum 100, Base 5, Arbitrum 5, Polygon 1000, Avalanche 100, Sei 200, Celo 200, Monad 500. Test networks have no limit, other chains none either, with a warning at start; while the base fee is above it nothing is sent (503) and nothing is charged',
    { parse: (value, name) => parseChainAmounts(name, value), defaultText: 'by chain' },
  ),
  APPROVAL_GRANT_WEI: text(
    'the most wei that a payer without native tokens is given, once for each asset, for the gas of its approval of Permit2 ([guide](../guides/approval-sponsoring.md)); for all chains, or by chain as `8453=20000000000000`. Without a value for a chain nothing is given there',
    { parse: (value, name) => parseChainAmounts(name, value) },
  ),
  APPROVAL_GRANTS_PER_DAY_WEI: text(
    'the most wei that the payers of one account are given in a day (UTC), with the gas of the transfers; for all chains or by chain',
    { parse: (value, name) => parseChainAmounts(name, value), defaultText: '20 grants' },
  ),
  WALLET_FACTORIES: text('contracts that may deploy payers’ wallets (ERC-6492): `8453=0x…,84532=0x…`', {
    parse: allowFactories,
  }),
  REVERT_LIMIT_PER_PAYER: integer(
    'transactions of a payer that reverted or moved something else within an hour, after which its payments are refused; 0 is no limit. Claims, refunds and payouts of channels do not count',
    { default: DEFAULT_REVERT_LIMITS.perPayer },
  ),
  REVERT_LIMIT_PER_ACCOUNT: integer(
    'reverted transactions of an account’s payments within an hour, and payouts of channels that paid nothing, after which the account is refused; 0 is no limit',
    { default: DEFAULT_REVERT_LIMITS.perAccount },
  ),
}

/** Which payments the operator refuses. */
const screening = {
  SCREENING_FILE: text(
    'the path of a list of payers and recipients whose payments are [refused](../guides/facilitator-in-production.md#screening), one address per line, with a reason after a space',
  ),
  SCREENING_URL: url(
    'the `https://` address of a service that decides about each payment; `http://` on this machine only',
  ),
  SCREENING_FAILS: choice(
    '`closed`: a payment about which the service does not decide is refused (503); `open`: it is accepted',
    {
      choices: ['closed', 'open'],
      default: 'closed',
    },
  ),
}

/** What a settle costs, and where the deposits for it are. */
const billing = {
  SETTLE_PRICE_WEI: amount('the price of a settle', { default: 2_000_000_000_000_000n }),
  CHARGE_ON: choice('`upstream-2xx` as the specification states, or `settled`', {
    choices: ['upstream-2xx', 'settled'],
    default: 'upstream-2xx',
  }),
  TREASURY_CHAIN: integer('required: the chain id of the treasury', { defaultText: '', min: 1 }),
  TREASURY_ADDRESS: text('required: the contract of deposits', { parse: parseAddress }),
  TREASURY_FROM_BLOCK: amount(
    'the first block to search for deposits; set it to the treasury’s first block',
    { default: 0n },
  ),
  TREASURY_SURPLUS_WEI: amount(
    'wei in the treasury that are not deposits, such as a balance from before `TREASURY_FROM_BLOCK`; `ledger check` excludes them',
    { default: 0n },
  ),
  FACILITATOR_ADDRESS: text('the facilitator that quotas name', {
    parse: parseAddress,
    defaultText: 'that of the treasury',
  }),
  AUDIT_INTERVAL_SECONDS: integer('how often one of the processes runs the audit; 0: never', {
    default: 3600,
    max: 604_800,
  }),
}

/** What wallets may open without the operator. */
const trials = {
  TRIAL_SETTLES: integer(
    'how many settles a wallet that [opens its own account](../guides/facilitator-in-production.md#accounts-that-wallets-open) can try; 0: only operators create accounts, and wallets that have opened one still get keys. Requires `PUBLIC_URL`, which the wallets sign',
    { default: 0, max: 1_000_000 },
  ),
  TRIAL_ACCOUNTS_PER_DAY: integer('the most accounts that wallets open in 24 hours, of all processes', {
    default: 100,
    min: 1,
  }),
  TRIAL_ACCOUNTS_PER_ADDRESS: integer(
    'the most of them from one IPv4 address, or one /64 of IPv6. Behind a proxy set `TRUSTED_PROXY_HOPS`',
    { default: 5, min: 1 },
  ),
}

/** What is kept for how long, and what development needs. */
const retention = {
  DISCOVERY_RETENTION_DAYS: integer('days without a payment after which a resource leaves the catalog', {
    default: 90,
    min: 1,
    max: 3650,
  }),
  DELIVERY_RETENTION_DAYS: integer(
    'days after which webhooks’ deliveries are deleted. Their events are kept',
    { default: 30, min: 7, max: 3650 },
  ),
  DISCOVERY_ALLOW_PRIVATE: flag(
    'true: the catalog also has resources at http URLs, local names and IP addresses; for development',
  ),
}

/** Every setting of the facilitator. */
export const facilitatorSettings = {
  ...serving,
  ...settling,
  ...limits,
  ...screening,
  ...billing,
  ...trials,
  ...retention,
  ...tracingSettings('mintmark-facilitator'),
}
