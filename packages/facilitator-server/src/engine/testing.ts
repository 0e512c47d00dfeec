import { randomBytes } from 'node:crypto'
import { permit2ProxyAddresses } from '@mintmark/devkit/chain/chain'
import { newPermit2Authorization, signPermit2Authorization } from '@mintmark/devkit/chain/permit2'
import type { LocalAccount } from 'viem'
import type { Served } from '../schemes/scheme.ts'

/** The dev chain's token, at the address of Base Sepolia's USDC. */
export const devUsdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const seller = '0x00000000000000000000000000000000000FaC17'

const authorizationTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** Parts of a version 2 body to replace; deliberately of any type, since tests send nonsense. */
export interface BodyChanges {
  requirements?: object
  extra?: unknown
  authorization?: object
  signature?: unknown
}

/** The body of a version 2 verify or settle request: well-formed except for the changes, but unsigned. */
export function paymentBody(changes: BodyChanges = {}) {
  const requirements = {
    scheme: 'exact',
    network: 'eip155:84532',
    asset: devUsdc,
    amount: '10000',
    payTo: seller,
    maxTimeoutSeconds: 60,
    extra: changes.extra === undefined ? { name: 'USDC', version: '2' } : changes.extra,
    ...changes.requirements,
  }
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      accepted: requirements,
      payload: {
        signature: changes.signature ?? `0x${'11'.repeat(65)}`,
        authorization: {
          from: '0x00000000000000000000000000000000000Be11e',
          to: requirements.payTo,
          value: requirements.amount,
          validAfter: '0',
          validBefore: '4000000000',
          nonce: `0x${'ab'.repeat(32)}`,
          ...changes.authorization,
        },
      },
    },
    paymentRequirements: requirements,
  }
}

/** The same payment as version 1 says it. */
export function version1Body(body: ReturnType<typeof paymentBody>, network = 'base-sepolia') {
  const { amount, ...requirements } = body.paymentRequirements
  return {
    x402Version: 1,
    paymentPayload: { x402Version: 1, scheme: 'exact', network, payload: body.paymentPayload.payload },
    paymentRequirements: {
      ...requirements,
      network,
      maxAmountRequired: amount,
      resource: 'https://seller.example/report',
      description: '',
      mimeType: '',
    },
  }
}

/** What a payer signs: the terms, but for `from`, when a contract wallet pays and `account` is its owner. */
export interface Signed {
  account: LocalAccount
  from?: string
  to?: string
  value?: bigint
  validAfter?: bigint
  validBefore?: bigint
  nonce?: string
  chainId?: number
  asset?: string
  name?: string
  version?: string
}

/** A version 2 body that `account` really signed. */
export async function signedBody(signed: Signed): Promise<ReturnType<typeof paymentBody>> {
  const { account, asset = devUsdc, chainId = 84532, name = 'USDC', version = '2' } = signed
  const message = {
    from: hex(signed.from ?? account.address),
    to: hex(signed.to ?? seller),
    value: signed.value ?? 10_000n,
    validAfter: signed.validAfter ?? 0n,
    validBefore: signed.validBefore ?? BigInt(Math.floor(Date.now() / 1000) + 600),
    nonce: hex(signed.nonce ?? `0x${randomBytes(32).toString('hex')}`),
  }
  const signature = await account.signTypedData({
    domain: { name, version, chainId, verifyingContract: hex(asset) },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  return paymentBody({
    requirements: { asset, network: `eip155:${chainId}`, amount: `${message.value}`, payTo: message.to },
    extra: { name, version },
    signature,
    authorization: {
      from: message.from,
      validAfter: `${message.validAfter}`,
      validBefore: `${message.validBefore}`,
      nonce: message.nonce,
    },
  })
}

/** viem types hex texts as templates, and minds the case of addresses that are not lower-case. */
export const hex = (text: string): `0x${string}` => `0x${text.toLowerCase().replace(/^0x/, '')}`

/** What a facilitator serves that settles through another one. */
export const serving = (...networks: readonly string[]): Served => ({
  networks: new Set(networks),
  facilitators: new Set(),
})

/** What a payer signs for Permit2. */
export interface Permit2Signed
  extends Required<Pick<Signed, 'to' | 'value' | 'nonce' | 'validBefore'>>,
    Pick<Signed, 'account' | 'from' | 'asset' | 'validAfter'> {
  /** Set in the scheme upto, of which `value` is settled. */
  readonly facilitator?: string
  readonly maximum?: bigint
  readonly extensions?: object
}

/** A version 2 body that `account` really signed for Permit2. */
export async function signedPermit2Body(signed: Permit2Signed) {
  const { account, to, value, nonce, validBefore, facilitator, maximum = value } = signed
  const { from = account.address, asset = devUsdc, validAfter = 0n, extensions } = signed
  const scheme = facilitator === undefined ? 'exact' : 'upto'
  const authorization = newPermit2Authorization({
    scheme,
    from: hex(from),
    to: hex(to),
    token: hex(asset),
    amount: maximum,
    nonce: BigInt(nonce),
    deadline: validBefore - 1n,
    validAfter,
    ...(facilitator !== undefined && { facilitator: hex(facilitator) }),
  })
  const terms = {
    scheme,
    network: 'eip155:84532',
    asset,
    payTo: to,
    maxTimeoutSeconds: 60,
    extra: { assetTransferMethod: 'permit2' },
  }
  const permit2Authorization = {
    from,
    permitted: { token: asset, amount: `${maximum}` },
    spender: permit2ProxyAddresses[scheme],
    nonce: `${BigInt(nonce)}`,
    deadline: `${authorization.deadline}`,
    witness: { to, validAfter: `${validAfter}`, ...(facilitator !== undefined && { facilitator }) },
  }
  const signature = await signPermit2Authorization(account, authorization)
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      accepted: { ...terms, amount: `${maximum}` },
      payload: { signature, permit2Authorization },
      ...(extensions !== undefined && { extensions }),
    },
    paymentRequirements: { ...terms, amount: `${value}` },
  }
}
