import { isMintmarkError } from '@mintmark/envelope'
import {
  accounts,
  micropaymentOrders,
  type PayerQuota,
  payerQuotas,
  signAccountProof,
  signPayerQuota,
} from '@mintmark/facilitator'
import { createFacilitator, type FacilitatorClient } from '@mintmark/transport'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { changeProfiles } from '../configuration.ts'
import { readFacilitator } from '../credentials.ts'
import type { CommandEnvironment } from '../environment.ts'
import { SetupError } from '../errors.ts'
import { removeReplacedSecrets } from '../keychain/profile-secrets.ts'
import { hasToken, type StoredProfile } from '../profile.ts'

const QUOTA_SECONDS = 365 * 24 * 3600
/** What a settle costs if the facilitator sets no other price, in wei. */
const DEFAULT_SETTLE_PRICE = 2_000_000_000_000_000n

/** The account of a seller, as it can be used. */
export interface SellerAccount {
  readonly wallet: string
  readonly token: string
  /** Whether this run has opened the account, or got a new key of it. */
  readonly opened: boolean
  /** What this run was credited, in wei. */
  readonly credit: string
  /** What the account can spend, in wei. */
  readonly balance: string
  readonly client: FacilitatorClient
}

/** Where an account is, and the profile that stores it. */
export interface SellerProfile {
  readonly baseUrl: string
  readonly name: string
  readonly stored: StoredProfile
}

/** Returns the account of a profile with a key that works and a quota. Opens the account without one. */
export async function prepareAccount(
  profile: SellerProfile,
  environment: CommandEnvironment,
): Promise<SellerAccount> {
  const wallet = await prepareWallet(profile, environment)
  const known = await findKey(profile, wallet, environment)
  const key = known ?? (await openAccount(profile, wallet, environment))
  const client = createClient(profile, key.token, environment)
  const quota = await ensureQuota(
    { client, wallet, options: { signal: environment.signal } },
    BigInt(key.balance),
  )
  const { token, opened, credit } = key
  return { wallet: wallet.address, token, opened, credit, balance: quota.balance ?? key.balance, client }
}

/** Returns the wallet of the environment, of the profile, or a new one that it stores in the profile. */
async function prepareWallet(
  { name, stored }: SellerProfile,
  environment: CommandEnvironment,
): Promise<PrivateKeyAccount> {
  const given = environment.variables.MINTMARK_PRIVATE_KEY || undefined
  if (given !== undefined) {
    const wallet = toWallet(given, 'MINTMARK_PRIVATE_KEY')
    if (stored.wallet !== undefined && stored.wallet.address !== wallet.address)
      throw new SetupError(
        `The profile ${name} has the wallet ${stored.wallet.address}, and MINTMARK_PRIVATE_KEY is the key of ${wallet.address}. Choose another --profile`,
      )
    return wallet
  }
  if (stored.wallet !== undefined)
    return toWallet(stored.wallet.privateKey, `The private key of the profile ${name}`)
  let privateKey: string = generatePrivateKey()
  // Before the account is opened: an account without its wallet would be lost.
  await changeProfiles(environment, (profiles) => {
    // Another run may have stored a wallet or a key meanwhile.
    const { wallet, facilitator } = profiles[name] ?? {}
    // A key is one of its wallet's account: a new wallet could not use it.
    if (wallet === undefined && facilitator !== undefined && hasToken(facilitator))
      throw new SetupError(
        `The profile ${name} has a key of ${facilitator.baseUrl}, but not the wallet of its account. Set MINTMARK_PRIVATE_KEY to the private key of that wallet, or choose another --profile`,
      )
    privateKey = wallet?.privateKey ?? privateKey
    const { address } = toWallet(privateKey, `The private key of the profile ${name}`)
    return { ...profiles, [name]: { ...profiles[name], wallet: { address, privateKey } } }
  })
  return toWallet(privateKey, `The private key of the profile ${name}`)
}

function toWallet(privateKey: string, name: string): PrivateKeyAccount {
  if (!/^0x[0-9a-fA-F]{64}$/.test(privateKey))
    throw new SetupError(`${name}: Expected 0x and 64 hexadecimal digits`)
  return privateKeyToAccount(privateKey as `0x${string}`)
}

const createClient = (
  { baseUrl }: SellerProfile,
  token: string | undefined,
  { fetch }: CommandEnvironment,
): FacilitatorClient =>
  createFacilitator({ baseUrl, fetch, ...(token !== undefined && { credentials: { token } }) })

/** Returns the key of the profile if it works and is one of the wallet's account. */
async function findKey(profile: SellerProfile, wallet: PrivateKeyAccount, environment: CommandEnvironment) {
  const { facilitator } = profile.stored
  if (facilitator === undefined) return undefined
  const { token } = await readFacilitator(facilitator, environment)
  if (token === undefined) return undefined
  try {
    const client = createClient(profile, token, environment)
    const quota = await findQuota({ client, wallet, options: { signal: environment.signal } })
    return { token, opened: false, credit: '0', balance: quota?.balance ?? '0' }
  } catch (error) {
    // It was revoked, or the server has another database.
    if (isMintmarkError(error) && error.kind === 'Unauthorized') return undefined
    throw error
  }
}

async function openAccount(
  profile: SellerProfile,
  wallet: PrivateKeyAccount,
  environment: CommandEnvironment,
) {
  const { baseUrl, name } = profile
  const client = createClient(profile, undefined, environment)
  const options = { signal: environment.signal }
  const signing = await payerQuotas.signingDomain(client, {}, options)
  const proof = await signAccountProof(wallet, signing, { audience: baseUrl })
  const { token, credit, balance } = await accounts.open(client, proof, options)
  const facilitator = { baseUrl, token }
  await changeProfiles(environment, (profiles) => ({
    ...profiles,
    [name]: { ...profiles[name], facilitator },
  }))
  await removeReplacedSecrets(profile.stored, { ...profile.stored, facilitator }, environment)
  return { token, opened: true, credit, balance }
}

/** Calls with the key of a wallet's account, until the person interrupts them. */
interface Caller {
  readonly client: FacilitatorClient
  readonly wallet: PrivateKeyAccount
  readonly options: { readonly signal: AbortSignal }
}

/**
 * Signs a quota for what the account can spend, unless there is one that covers another settle: its limit may be
 * smaller on purpose.
 */
async function ensureQuota(caller: Caller, balance: bigint): Promise<PayerQuota> {
  const { client, wallet, options } = caller
  async function sign(limit: bigint): Promise<PayerQuota> {
    const signing = await payerQuotas.signingDomain(client, {}, options)
    const validBefore = Math.floor(Date.now() / 1000) + QUOTA_SECONDS
    const quota = await signPayerQuota(wallet, signing, { limit, validBefore })
    await payerQuotas.register(client, quota, options)
    return await payerQuotas.active(client, { payer: wallet.address }, options)
  }
  // The balance of an account without a quota cannot be read, so a run that was interrupted begins with a wei.
  const quota = (await findQuota(caller)) ?? (await sign(balance || 1n))
  const available = BigInt(quota.balance ?? '0')
  const remaining = BigInt(quota.remaining)
  if (available === 0n) return quota
  const isUsable =
    quota.status === 'ACTIVE' && (remaining >= available || remaining >= (await findPrice(caller)))
  return isUsable ? quota : await sign(available)
}

/** Returns what the latest settle of the account cost, in wei. */
async function findPrice({ client, options }: Caller): Promise<bigint> {
  const { list } = await micropaymentOrders.list(client, { pageSize: 1 }, options)
  return BigInt(list[0]?.price ?? DEFAULT_SETTLE_PRICE)
}

async function findQuota({ client, wallet, options }: Caller): Promise<PayerQuota | undefined> {
  try {
    return await payerQuotas.active(client, { payer: wallet.address }, options)
  } catch (error) {
    if (isMintmarkError(error) && error.kind === 'NotFound') return undefined
    throw error
  }
}
