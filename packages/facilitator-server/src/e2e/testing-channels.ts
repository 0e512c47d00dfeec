// Requests of payment channels, signed as the npm packages of x402 do.
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import {
  batchSettlementAddress,
  permit2Address,
  permit2DepositCollectorAddress,
} from '@mintmark/devkit/chain/chain'
import type { TestChain } from '@mintmark/devkit/chain/testing'
import type { ChannelVoucher } from '@mintmark/facilitator'
import {
  computeChannelId,
  createBatchSettlementEIP3009DepositPayload,
  signVoucher,
} from '@x402/evm/batch-settlement/client'
import { bytesToHex, createWalletClient, type Hex, http, maxUint256, parseEther, publicActions } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { TestAccount, TestFacilitator } from '../testing.ts'

export const NETWORK = 'eip155:84532'
const CHAIN_ID = 84532

/** A channel between wallets of its own. */
export interface TestChannel {
  readonly payer: PrivateKeyAccount
  readonly authorizer: PrivateKeyAccount
  readonly config: ReturnType<typeof toConfig>
  readonly channelId: Hex
  readonly requirements: Omit<ReturnType<typeof toRequirements>, 'maxTimeoutSeconds'> & {
    readonly maxTimeoutSeconds: number
  }
}

export const newAccount = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

function toRequirements(chain: TestChain, receiver: Hex, authorizer: Hex) {
  return {
    scheme: 'batch-settlement',
    network: NETWORK,
    asset: chain.token,
    amount: '10000',
    payTo: receiver,
    maxTimeoutSeconds: 300,
    extra: { name: 'USDC', version: '2', receiverAuthorizer: authorizer, withdrawDelay: 900 },
  } as const
}

const toConfig = (chain: TestChain, terms: { payer: Hex; receiver: Hex; receiverAuthorizer: Hex }) => ({
  ...terms,
  payerAuthorizer: terms.payer,
  token: chain.token,
  withdrawDelay: 900,
  salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
})

/** Creates a channel without a deposit, whose payer has the token. */
export async function openChannel(
  chain: TestChain,
  given: {
    payer?: PrivateKeyAccount
    authorizer?: PrivateKeyAccount
    receiver?: Hex
    payerAuthorizer?: Hex
    maxTimeoutSeconds?: number
  } = {},
): Promise<TestChannel> {
  const payer = given.payer ?? newAccount()
  const authorizer = given.authorizer ?? newAccount()
  const receiver = given.receiver ?? newAccount().address
  if (given.payer === undefined) await fund(chain, payer.address)
  const config = {
    ...toConfig(chain, { payer: payer.address, receiver, receiverAuthorizer: authorizer.address }),
    ...(given.payerAuthorizer && { payerAuthorizer: given.payerAuthorizer }),
  }
  const terms = toRequirements(chain, receiver, authorizer.address)
  const requirements = { ...terms, maxTimeoutSeconds: given.maxTimeoutSeconds ?? terms.maxTimeoutSeconds }
  return { payer, authorizer, config, channelId: computeChannelId(config, NETWORK), requirements }
}

/** Sends the token to a payer. */
export const fund = (chain: TestChain, to: Hex, amount = 10_000_000n) =>
  chain.confirm(
    chain.as(1).writeContract({
      address: chain.token,
      abi: devUsdcAbi,
      functionName: 'transfer',
      args: [to, amount],
    }),
  )

export const signerOf = (chain: TestChain, account: PrivateKeyAccount) => {
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) }).extend(publicActions)
  return {
    address: account.address,
    signTypedData: (message: unknown) => account.signTypedData(message as never),
    readContract: (call: unknown) => wallet.readContract(call as never),
  }
}

function toBody({ requirements }: TestChannel, payload: object, amount = requirements.amount as string) {
  const required = { ...requirements, amount }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: required, payload },
    paymentRequirements: required,
  }
}

/** Creates the request of a deposit with its first voucher. */
export async function depositBody(
  chain: TestChain,
  channel: TestChannel,
  { amount = 100_000n, maximum = 10_000n } = {},
) {
  const { payload } = await createBatchSettlementEIP3009DepositPayload(
    signerOf(chain, channel.payer) as never,
    2,
    channel.requirements,
    channel.config,
    amount.toString(),
    maximum.toString(),
  )
  return toBody(channel, payload)
}

/** What a payer signs for a deposit by Permit2. Everything has a default that fits the channel. */
export interface Permit2DepositTerms {
  readonly amount?: bigint
  readonly maximum?: bigint
  readonly nonce?: bigint
  readonly signer?: PrivateKeyAccount
  /** What is signed and sent instead of what fits the channel. */
  readonly signed?: {
    readonly amount?: bigint
    readonly token?: Hex
    readonly spender?: Hex
    readonly channelId?: Hex
    readonly deadline?: bigint
  }
}

/** Creates the request of a deposit by Permit2 with its first voucher. */
export async function permit2DepositBody(
  chain: TestChain,
  channel: TestChannel,
  { amount = 100_000n, maximum = 10_000n, nonce = randomNonce(), signer, signed }: Permit2DepositTerms = {},
) {
  const { channelId, config, payer } = channel
  const inTenMinutes = BigInt(Math.floor(Date.now() / 1000) + 600)
  const terms = {
    permitted: { token: signed?.token ?? config.token, amount: signed?.amount ?? amount },
    spender: signed?.spender ?? permit2DepositCollectorAddress,
    nonce,
    deadline: signed?.deadline ?? inTenMinutes,
    witness: { channelId: signed?.channelId ?? channelId },
  }
  const signature = await (signer ?? payer).signTypedData({
    domain: { name: 'Permit2', chainId: CHAIN_ID, verifyingContract: permit2Address },
    types: PERMIT2_DEPOSIT_TYPES,
    primaryType: 'PermitWitnessTransferFrom',
    message: terms,
  })
  const { paymentPayload } = await voucherBody(chain, channel, maximum)
  const { channelConfig, voucher } = paymentPayload.payload as Record<string, object>
  const permit2Authorization = {
    from: payer.address,
    ...terms,
    permitted: { ...terms.permitted, amount: terms.permitted.amount.toString() },
    nonce: nonce.toString(),
    deadline: terms.deadline.toString(),
    signature,
  }
  const extra = { ...channel.requirements.extra, assetTransferMethod: 'permit2' }
  return toBody(
    { ...channel, requirements: { ...channel.requirements, extra } },
    {
      type: 'deposit',
      channelConfig,
      voucher,
      deposit: { amount: amount.toString(), authorization: { permit2Authorization } },
    },
  )
}

const randomNonce = (): bigint => BigInt(bytesToHex(crypto.getRandomValues(new Uint8Array(32))))

/** The EIP-712 types of a deposit by Permit2. */
export const PERMIT2_DEPOSIT_TYPES = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'DepositWitness' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  DepositWitness: [{ name: 'channelId', type: 'bytes32' }],
} as const

/** Approves Permit2 for the token, as a wallet does once. */
export async function approvePermit2(
  chain: Pick<TestChain, 'client' | 'confirm' | 'rpcUrl' | 'token'>,
  account: PrivateKeyAccount,
  amount = maxUint256,
): Promise<void> {
  await chain.client.setBalance({ address: account.address, value: parseEther('1') })
  const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) })
  await chain.confirm(
    wallet.writeContract({
      chain: null,
      address: chain.token,
      abi: devUsdcAbi,
      functionName: 'approve',
      args: [permit2Address, amount],
    }),
  )
}

/** Creates the request of a voucher. */
export async function voucherBody(
  chain: TestChain,
  channel: TestChannel,
  maximum: bigint,
  { signer = channel.payer, type = 'voucher' }: { signer?: PrivateKeyAccount; type?: string } = {},
) {
  const { channelId, config } = channel
  const voucher = await signVoucher(signerOf(chain, signer) as never, channelId, maximum.toString(), NETWORK)
  return toBody(channel, { type, channelConfig: config, voucher })
}

const domain = {
  name: 'x402 Batch Settlement',
  version: '1',
  chainId: CHAIN_ID,
  verifyingContract: batchSettlementAddress,
}

/** What a seller claims of a channel: a voucher of at most `maximum`, of which `total` was used. */
export interface ClaimTerms {
  readonly channel: TestChannel
  readonly total: bigint
  readonly maximum?: bigint
  readonly signer?: PrivateKeyAccount
}

/** Creates a claim of several channels of one seller. */
export async function claimBody(
  chain: TestChain,
  terms: readonly ClaimTerms[],
  authorizer?: PrivateKeyAccount,
) {
  const [first] = terms
  if (first === undefined) throw new Error('A claim needs a channel')
  const signed = await signClaims(chain, terms, authorizer ?? first.channel.authorizer)
  return toBody(first.channel, { type: 'claim', ...signed }, '0')
}

async function signClaims(chain: TestChain, terms: readonly ClaimTerms[], authorizer: PrivateKeyAccount) {
  const claims = await Promise.all(
    terms.map(async ({ channel, total, maximum = total, signer = channel.payer }) => ({
      voucher: { channel: channel.config, maxClaimableAmount: maximum.toString() },
      signature: (
        await signVoucher(signerOf(chain, signer) as never, channel.channelId, maximum.toString(), NETWORK)
      ).signature,
      totalClaimed: total.toString(),
    })),
  )
  const claimAuthorizerSignature = await signClaimEntries(
    authorizer,
    terms.map(({ channel, total, maximum = total }) => ({
      channelId: channel.channelId,
      maxClaimableAmount: maximum,
      totalClaimed: total,
    })),
  )
  return { claims, claimAuthorizerSignature }
}

const signClaimEntries = (
  authorizer: PrivateKeyAccount,
  claims: readonly { channelId: Hex; maxClaimableAmount: bigint; totalClaimed: bigint }[],
) =>
  authorizer.signTypedData({
    domain,
    types: {
      ClaimBatch: [{ name: 'claims', type: 'ClaimEntry[]' }],
      ClaimEntry: [
        { name: 'channelId', type: 'bytes32' },
        { name: 'maxClaimableAmount', type: 'uint128' },
        { name: 'totalClaimed', type: 'uint128' },
      ],
    },
    primaryType: 'ClaimBatch',
    message: { claims },
  })

/**
 * Creates a claim of listed vouchers of one seller: of everything that their channels secure. It uses nothing
 * but the list and the seller's key.
 */
export async function listedClaimBody(vouchers: readonly ChannelVoucher[], authorizer: PrivateKeyAccount) {
  const [first] = vouchers
  if (first === undefined) throw new Error('A claim needs a voucher')
  const claims = vouchers.map((voucher) => {
    const { channelConfig, maxClaimableAmount, signature, channelState } = voucher
    const total = [BigInt(maxClaimableAmount), BigInt(channelState?.balance ?? 0)].reduce((a, b) =>
      a < b ? a : b,
    )
    return { voucher: { channel: channelConfig, maxClaimableAmount }, signature, totalClaimed: String(total) }
  })
  const claimAuthorizerSignature = await signClaimEntries(
    authorizer,
    vouchers.map(({ channelId, maxClaimableAmount }, index) => ({
      channelId,
      maxClaimableAmount: BigInt(maxClaimableAmount),
      totalClaimed: BigInt(claims[index]?.totalClaimed ?? 0),
    })),
  )
  const { token, receiver, receiverAuthorizer, withdrawDelay } = first.channelConfig
  const required = {
    scheme: 'batch-settlement',
    network: first.network,
    asset: token,
    payTo: receiver,
    amount: '0',
    maxTimeoutSeconds: 300,
    extra: { receiverAuthorizer, withdrawDelay },
  }
  const payload = { type: 'claim', claims, claimAuthorizerSignature }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: required, payload },
    paymentRequirements: required,
  }
}

/** Creates the request of a refund with a claim of `total`. */
export async function refundBody(
  chain: TestChain,
  channel: TestChannel,
  terms: { total: bigint; amount: bigint; nonce?: bigint; authorizer?: PrivateKeyAccount },
) {
  const { total, amount, nonce = 0n, authorizer = channel.authorizer } = terms
  const { channelId } = channel
  const refundAuthorizerSignature = await authorizer.signTypedData({
    domain,
    types: {
      Refund: [
        { name: 'channelId', type: 'bytes32' },
        { name: 'nonce', type: 'uint256' },
        { name: 'amount', type: 'uint128' },
      ],
    },
    primaryType: 'Refund',
    message: { channelId, nonce, amount },
  })
  const { paymentPayload } = await voucherBody(chain, channel, total, { type: 'refund' })
  return toBody(channel, {
    ...paymentPayload.payload,
    amount: amount.toString(),
    refundNonce: nonce.toString(),
    refundAuthorizerSignature,
    ...(await signClaims(chain, [{ channel, total }], channel.authorizer)),
  })
}

/** Creates the request that pays a seller what was claimed. */
export const settleBody = (channel: TestChannel) =>
  toBody(channel, { type: 'settle', receiver: channel.config.receiver, token: channel.config.token }, '0')

/** Sends requests of an account in x402's own format. */
export function callsOf(
  facilitator: Pick<TestFacilitator, 'url'>,
  { token }: TestAccount,
  url = facilitator.url,
) {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/x402/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Record<string, unknown>
  }
  return { verify: (body: object) => post('verify', body), settle: (body: object) => post('settle', body) }
}
