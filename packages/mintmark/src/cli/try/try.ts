import { payerQuotas, payments } from '@mintmark/facilitator'
import { readConfiguration } from '../configuration.ts'
import {
  readSandboxProfile,
  refuseSandboxProfile,
  requireFacilitator,
  type SandboxProfile,
} from '../credentials.ts'
import { type CommandEnvironment, write } from '../environment.ts'
import { CommandStatusError, KINDS, SetupError, UsageError } from '../errors.ts'
import { toJsonLine, toSafeText } from '../output/safe-text.ts'
import type { PaidCall } from './paid-call.ts'
import { prepareAccount, type SellerAccount, type SellerProfile } from './seller-account.ts'
import { formatShopProgram, SHOP_PACKAGES } from './shop-program.ts'

/** The options of `mintmark try`. */
export interface TryOptions {
  readonly facilitatorUrl?: string | undefined
  readonly profile: string
  readonly json?: boolean | undefined
}

/** What a run of `mintmark try` has done. */
interface TryResult extends Omit<SellerAccount, 'client'> {
  readonly facilitatorUrl: string
  readonly profile: string
  /** The file with the profile. */
  readonly file: string
  /** Absent without a sandbox, whose wallets have funds. */
  readonly call?: PaidCall
  /** The program of a shop, with what it needs to install. */
  readonly packages: string
  readonly program: string
}

/** Opens the account of a seller, stores its key, and sells a call in a sandbox. */
export async function tryFacilitator(options: TryOptions, environment: CommandEnvironment): Promise<void> {
  const { profile: name } = options
  const { signal } = environment
  refuseSandboxProfile(name)
  const { file, profiles } = await readConfiguration(environment)
  const stored = profiles[name] ?? {}
  const sandbox = await readSandboxProfile(environment)
  const baseUrl = chooseFacilitator(options, { stored, name }, sandbox, environment)
  const { client, ...account } = await prepareAccount({ baseUrl, name, stored }, environment)
  if (BigInt(account.balance) === 0n) throw await createEmptyError(client, environment)
  const call = await sellInSandbox(baseUrl, account, sandbox, environment)
  // The call was charged.
  const { balance = account.balance } = await payerQuotas.active(
    client,
    { payer: account.wallet },
    { signal },
  )
  const { paymentKinds } = await payments.supported(client, {}, { signal })
  const network = paymentKinds.find((kind) => kind.scheme === 'exact' && kind.network.startsWith('eip155:'))
  const result: TryResult = {
    facilitatorUrl: baseUrl,
    profile: name,
    file,
    ...account,
    balance,
    ...(call !== undefined && { call }),
    packages: SHOP_PACKAGES,
    program: formatShopProgram(baseUrl, account.wallet, network?.network ?? 'eip155:8453'),
  }
  await write(environment.output, options.json ? `${toJsonLine(result)}\n` : formatResult(result))
}

/** Chooses the facilitator. A profile is of one, so that no key of another is overwritten. */
function chooseFacilitator(
  options: TryOptions,
  { stored, name }: Pick<SellerProfile, 'stored' | 'name'>,
  sandbox: SandboxProfile | undefined,
  { variables }: CommandEnvironment,
): string {
  const known = stored.facilitator?.baseUrl
  const chosen =
    options.facilitatorUrl ?? (variables.MINTMARK_FACILITATOR_URL || sandbox?.facilitator?.baseUrl || known)
  if (chosen === undefined)
    throw new UsageError(
      'Which facilitator? Pass --facilitator-url, or start a sandbox in this folder: npx @mintmark/sandbox',
    )
  requireFacilitator({ facilitator: { baseUrl: chosen } })
  const baseUrl = toAddress(chosen)
  if (known !== undefined && toAddress(known) !== baseUrl)
    throw new SetupError(
      `The profile ${name} has the key of another facilitator, ${known}. Choose another --profile for ${baseUrl}`,
    )
  return baseUrl
}

const toAddress = (url: string): string => new URL(url).href.replace(/\/+$/, '')

async function createEmptyError(
  client: SellerAccount['client'],
  { signal }: CommandEnvironment,
): Promise<CommandStatusError> {
  const { domain } = await payerQuotas.signingDomain(client, {}, { signal })
  return new CommandStatusError(
    `The trial is used up. Send native tokens of the chain ${domain.chainId} from the wallet to the treasury ${domain.verifyingContract}, and run this again once they are final`,
    KINDS.InsufficientBalance.exitCode,
  )
}

/** Sells a call to a wallet of the sandbox. Returns undefined for any other facilitator. */
async function sellInSandbox(
  facilitatorUrl: string,
  { wallet, token }: Pick<SellerAccount, 'wallet' | 'token'>,
  sandbox: SandboxProfile | undefined,
  { signal }: CommandEnvironment,
): Promise<PaidCall | undefined> {
  if (sandbox?.chain === undefined || sandbox.accounts === undefined) return undefined
  if (sandbox.facilitator === undefined || toAddress(sandbox.facilitator.baseUrl) !== facilitatorUrl)
    return undefined
  const { sellCall } = await import('./paid-call.ts')
  const { chainId } = sandbox.chain
  const customerKey = sandbox.accounts.buyer.privateKey
  return await sellCall({ facilitatorUrl, token, payTo: wallet, chainId, customerKey }, signal)
}

function formatResult(result: TryResult): string {
  const { facilitatorUrl, profile, file, wallet, token, opened, call } = result
  const lines = [
    opened ? `Opened an account of ${facilitatorUrl}` : `Used your account of ${facilitatorUrl}`,
    `  wallet      ${wallet}`,
    `  key         ${token}`,
    `  balance     ${result.balance} wei${opened ? `, ${result.credit} of it a trial` : ''}`,
    `  stored in   ${file}, profile ${profile}`,
  ]
  if (call !== undefined)
    lines.push(
      `Sold a call for ${call.price} to the stock x402 client of ${call.customer}`,
      `  unpaid      ${call.unpaidStatus}`,
      `  paid        ${call.status} ${call.body}`,
      `  transaction ${call.transaction}`,
    )
  lines.push(
    `Sell yours: npm install ${result.packages}, and run this as shop.mjs with MINTMARK_FACILITATOR_TOKEN=<key>:`,
    '',
  )
  return `${lines.map(toSafeText).join('\n')}\n${toSafeText(result.program)}`
}
