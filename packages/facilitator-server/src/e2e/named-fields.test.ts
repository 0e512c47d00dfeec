// Whatever is wrong with a request for a payment, each API names the field, says what to send, and names the payer if
// the payload does.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { payments } from '@mintmark/facilitator'
import { HTTPFacilitatorClient } from '@x402/core/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { paymentBody, signedBody, version1Body } from '../engine/testing.ts'
import { type TestAccount, testFacilitator } from '../testing.ts'

const chain = await testChain()
const payer = devAccount(1)
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
let account: TestAccount
beforeAll(async () => {
  account = await facilitator.account()
})
afterAll(() => facilitator.close())

const good = JSON.parse(JSON.stringify(await signedBody({ account: payer })))
const wallet = payer.address.toLowerCase()
const stranger = `0x${'99'.repeat(20)}`

/** Replaces what a path names, in a copy of a body. `undefined` removes it. */
function replace(body: object, changes: Record<string, unknown>): object {
  const copy = structuredClone(body)
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let target: unknown = copy
    for (const name of names) target = Reflect.get(target as object, name)
    Reflect.set(target as object, last, value)
  }
  return copy
}

/** Changes the requirements and what the payer accepted alike. */
const require = (changes: Record<string, unknown>, body: object = good) =>
  replace(
    body,
    Object.fromEntries(
      Object.entries(changes).flatMap(([name, value]) => [
        [`paymentRequirements.${name}`, value],
        [`paymentPayload.accepted.${name}`, value],
      ]),
    ),
  )

interface Refused {
  readonly status: number
  readonly message: string
  readonly issues: readonly { path: string; message: string }[]
  readonly payer?: string
}

/** Sends a body to all four operations and checks that they report the same. Returns what they report. */
async function refuse(body: unknown): Promise<Refused> {
  const responses: Refused[] = []
  for (const path of ['/x402/verify', '/x402/settle', '/verify', '/settle']) {
    const response = await facilitator.post(path, body, account.token)
    const json = await response.json()
    expect(json.isValid ?? json.success ?? json.valid ?? false).toBe(false)
    if (path === '/x402/verify')
      expect(json).toMatchObject({ isValid: false, invalidReason: expect.any(String) })
    if (path === '/x402/settle')
      expect(json).toMatchObject({ success: false, errorReason: expect.any(String), transaction: '' })
    const message = json.invalidMessage ?? json.errorMessage ?? json.message
    responses.push({ status: response.status, message, issues: json.issues, payer: json.payer })
  }
  const [first] = responses
  if (first === undefined) throw new Error('No operation responded')
  for (const { message, issues, payer } of responses)
    expect({ message, issues, payer }).toEqual({
      message: first.message,
      issues: first.issues,
      payer: first.payer,
    })
  return first
}

const AUTHORIZATION = 'paymentPayload.payload.authorization'
const permit2Body = replace(good, {
  'paymentPayload.payload': {
    signature: good.paymentPayload.payload.signature,
    permit2Authorization: {
      from: payer.address,
      spender: '0x402085c248EeA27D92E8b30b2C58ed07f9E20001',
      nonce: '7',
      deadline: '4000000000',
      permitted: { token: good.paymentRequirements.asset, amount: '10000' },
      witness: { to: good.paymentRequirements.payTo, validAfter: '0' },
    },
  },
})
const PERMIT2 = 'paymentPayload.payload.permit2Authorization'
const channelConfig = {
  payer: payer.address,
  payerAuthorizer: payer.address,
  receiver: good.paymentRequirements.payTo,
  receiverAuthorizer: stranger,
  token: good.paymentRequirements.asset,
  withdrawDelay: 900,
  salt: `0x${'6'.repeat(64)}`,
}
const channelBody = require({
  scheme: 'batch-settlement',
  extra: { receiverAuthorizer: stranger, withdrawDelay: 900, name: 'USDC', version: '2' },
}, replace(good, {
  'paymentPayload.payload': {
    type: 'voucher',
    channelConfig,
    voucher: {
      channelId: `0x${'1'.repeat(64)}`,
      maxClaimableAmount: '10',
      signature: `0x${'7'.repeat(130)}`,
    },
  },
}))
const extended = (extensions: object) => replace(good, { 'paymentPayload.extensions': extensions })
const version1 = JSON.parse(JSON.stringify(version1Body(paymentBody())))

it.each<[what: string, body: unknown, path: string, message: RegExp]>([
  [
    'an amount as a number',
    require({ amount: 10_000 }),
    'paymentRequirements.amount',
    /^Expected an amount in base units: decimal digits in a text, received a number\. Example: "10000"/,
  ],
  [
    'no payTo',
    require({ payTo: undefined }),
    'paymentRequirements.payTo',
    /^Required: an address: 0x and 40 hexadecimal digits\. Example: "0x/,
  ],
  [
    'the zero address as payTo',
    require({ payTo: `0x${'0'.repeat(40)}` }),
    'paymentRequirements.payTo',
    /zero address/,
  ],
  [
    'a timeout as a text',
    require({ maxTimeoutSeconds: '60' }),
    'paymentRequirements.maxTimeoutSeconds',
    /number of seconds above 0, received a text.*Example: 60/,
  ],
  [
    'no name of the domain',
    require({ extra: { version: '2' } }),
    'paymentRequirements.extra.name',
    /^Required: .*Example: "USDC"/,
  ],
  [
    'an unknown scheme',
    require({ scheme: 'deferred' }),
    'paymentRequirements.scheme',
    /"deferred" is not supported here\. Take one/,
  ],
  [
    'an unknown network',
    require({ network: 'eip155:1' }),
    'paymentRequirements.network',
    /"eip155:1" is not served\. Take one/,
  ],
  [
    'a network of another kind, with its own addresses',
    require({ network: 'stellar:pubnet', asset: 'USDC-G1', payTo: 'G2' }),
    'paymentRequirements.network',
    /^The network "stellar:pubnet" is not served/,
  ],
  [
    'a short nonce',
    replace(good, { [`${AUTHORIZATION}.nonce`]: '0x12' }),
    `${AUTHORIZATION}.nonce`,
    /^Expected 32 bytes: 0x and 64 hexadecimal digits, received a text of 4 characters\. Example: "0x[0-9a-f]{64}"$/,
  ],
  [
    'a time as a number',
    replace(good, { [`${AUTHORIZATION}.validBefore`]: 4_000_000_000 }),
    `${AUTHORIZATION}.validBefore`,
    /Unix seconds: decimal digits in a text, received a number/,
  ],
  [
    'a signature of half bytes',
    replace(good, { 'paymentPayload.payload.signature': '0x123' }),
    'paymentPayload.payload.signature',
    /two hexadecimal digits for each byte/,
  ],
  ['no authorization', replace(good, { [AUTHORIZATION]: undefined }), AUTHORIZATION, /^Required: an object$/],
  [
    'another recipient',
    replace(good, { [`${AUTHORIZATION}.to`]: stranger }),
    `${AUTHORIZATION}.to`,
    /Another recipient than paymentRequirements\.payTo\. Sign for 0x/,
  ],
  [
    'nothing accepted',
    replace(good, { 'paymentPayload.accepted': undefined }),
    'paymentPayload.accepted',
    /^Required: an object$/,
  ],
  [
    'an accepted recipient that differs',
    replace(good, { 'paymentPayload.accepted.payTo': stranger }),
    'paymentPayload.accepted.payTo',
    /^Differs from paymentRequirements\.payTo, which is "0x/,
  ],
  [
    'an accepted scheme that differs',
    replace(good, { 'paymentPayload.accepted.scheme': 'upto' }),
    'paymentPayload.accepted.scheme',
    /which is "exact"/,
  ],
  [
    'a payload of another version',
    replace(good, { 'paymentPayload.x402Version': 1 }),
    'paymentPayload.x402Version',
    /^Expected 2, /,
  ],
  ['version 3', replace(good, { x402Version: 3 }), 'x402Version', /the number 1 or 2/],
  ['no requirements', replace(good, { paymentRequirements: undefined }), 'paymentRequirements', /^Required/],
  [
    'a network of version 1 by its id',
    version1Body(paymentBody(), 'eip155:84532'),
    'paymentRequirements.network',
    /not served/,
  ],
  [
    'no network in the payload of version 1',
    replace(version1, { 'paymentPayload.network': undefined }),
    'paymentPayload.network',
    /Example: "base-sepolia"/,
  ],
  [
    'a spender of Permit2 that is another contract',
    replace(permit2Body, { [`${PERMIT2}.spender`]: stranger }),
    `${PERMIT2}.spender`,
    /Sign for 0x/,
  ],
  [
    'an override of upto with a fraction',
    replace(require({ scheme: 'upto' }, permit2Body), { 'paymentRequirements.amount': '1.5' }),
    'paymentRequirements.amount',
    /base units/,
  ],
  ['a payload of EIP-3009 for upto', require({ scheme: 'upto' }), PERMIT2, /^Required: /],
  [
    'the id of another channel',
    channelBody,
    'paymentPayload.payload.voucher.channelId',
    /^Not the id of channelConfig, which is 0x/,
  ],
  [
    'a voucher above 128 bits',
    replace(channelBody, { 'paymentPayload.payload.voucher.maxClaimableAmount': String(2n ** 128n) }),
    'paymentPayload.payload.voucher.maxClaimableAmount',
    /below 2\^128/,
  ],
  [
    'an unknown type of a channel',
    replace(channelBody, { 'paymentPayload.payload.type': 'open' }),
    'paymentPayload.payload.type',
    /"deposit"/,
  ],
  [
    'another receiver of a channel',
    replace(channelBody, { 'paymentPayload.payload.channelConfig.receiver': stranger }),
    'paymentPayload.payload.channelConfig.receiver',
    /paymentRequirements\.payTo/,
  ],
  [
    'an accepted authorizer of a channel that differs',
    replace(channelBody, {
      'paymentPayload.accepted.extra': { withdrawDelay: 900, name: 'USDC', version: '2' },
    }),
    'paymentPayload.accepted.extra.receiverAuthorizer',
    /paymentRequirements\.extra\.receiverAuthorizer/,
  ],
  [
    'an identifier that is too short',
    extended({ 'payment-identifier': { info: { required: true, id: 'x' } } }),
    'paymentPayload.extensions.payment-identifier.info.id',
    /16 to 128.*Example: "pay_/,
  ],
  [
    'an approval whose signature is short',
    replace(permit2Body, {
      'paymentPayload.extensions': {
        eip2612GasSponsoring: {
          info: {
            from: payer.address,
            asset: good.paymentRequirements.asset,
            spender: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
            amount: '10000',
            deadline: '4000000000',
            signature: '0x11',
          },
        },
      },
    }),
    'paymentPayload.extensions.eip2612GasSponsoring.info.signature',
    /65 bytes/,
  ],
])('a refused request for a payment names the field for %s', async (_, body, path, message) => {
  const refused = await refuse(body)
  expect(refused.issues).toContainEqual({ path, message: expect.stringMatching(message) })
  expect(refused.message).toContain(`${path}: `)
})

it('a refused request for a payment lists several problems at once, those of the payload and of its parts', async () => {
  const body = replace(good, {
    [`${AUTHORIZATION}.nonce`]: 5,
    [`${AUTHORIZATION}.validAfter`]: null,
    'paymentPayload.payload.signature': undefined,
  })
  const { issues } = await refuse(body)
  expect(issues.map(({ path }) => path)).toEqual([
    'paymentPayload.payload.signature',
    `${AUTHORIZATION}.validAfter`,
    `${AUTHORIZATION}.nonce`,
  ])
})

it('a refused request for a payment names the payer of each kind of payload, also when other parts are missing', async () => {
  const { paymentRequirements: _, ...withoutRequirements } = good
  const { x402Version: __, ...withoutVersion } = permit2Body as Record<string, unknown>
  for (const body of [
    withoutRequirements,
    withoutVersion,
    require({ amount: 1 }),
    require({ network: 'eip155:1' }),
    require({ amount: 1 }, permit2Body),
    channelBody,
    replace(channelBody, { 'paymentRequirements.asset': 7 }),
  ])
    expect(await refuse(body)).toMatchObject({ payer: wallet })
  const { payer } = await refuse(replace(good, { [`${AUTHORIZATION}.from`]: 'me' }))
  expect(payer).toBeUndefined()
})

it.each([
  ['no JSON', '{"x402Version": 2,', 'The body is not JSON'],
  ['nothing', '', 'A JSON body is required'],
  ['an array', [good], 'The body must be a JSON object, received an array'],
  ['null', 'null', 'The body must be a JSON object, received null'],
])('a refused request for a payment names the body for %s', async (_, body, message) => {
  const refused = await refuse(body)
  expect(refused).toMatchObject({ status: 400, message, issues: [{ path: '', message }] })
})

it('a refused request for a payment never contains a signature or another value of the payload', async () => {
  const secret = `0x${'5ec4e7'.repeat(30)}z`
  const { message, issues } = await refuse(replace(good, { 'paymentPayload.payload.signature': secret }))
  expect(JSON.stringify([message, issues])).not.toContain('5ec4e7')
})

it('a refused request for a payment is understood by the stock client of facilitators', async () => {
  const headers = { authorization: `Bearer ${account.token}` }
  const stock = new HTTPFacilitatorClient({
    url: `${facilitator.url}/x402`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const { paymentPayload, paymentRequirements } = require({ amount: 1 }) as typeof good
  const verified = await stock.verify(paymentPayload, paymentRequirements)
  expect(verified).toMatchObject({
    isValid: false,
    invalidReason: 'invalid_payment_requirements',
    invalidMessage: expect.stringContaining('paymentRequirements.amount: Expected an amount'),
    payer: wallet,
  })
  const settled = await stock.settle(paymentPayload, paymentRequirements)
  expect(settled).toMatchObject({
    success: false,
    errorReason: 'invalid_payment_requirements',
    errorMessage: expect.stringContaining('paymentRequirements.amount: Expected an amount'),
    payer: wallet,
  })
})

it('a refused request for a payment reaches users of the client package, in the result of verify and in the error of settle', async () => {
  const client = facilitator.client(account)
  const body = replace(good, { [`${AUTHORIZATION}.nonce`]: '0x12' }) as typeof good
  const issue = { path: `${AUTHORIZATION}.nonce`, message: expect.stringContaining('Expected 32 bytes') }
  const verified = await payments.verify(client, body)
  expect(verified).toMatchObject({
    valid: false,
    reason: 'invalid_payload',
    issues: [issue],
    payer: wallet,
  })
  await expect(payments.settle(client, body)).rejects.toMatchObject({
    kind: 'InvalidInput',
    reason: 'invalid_payload',
    issues: [issue],
    message: expect.stringContaining(`${AUTHORIZATION}.nonce: Expected 32 bytes`),
  })
})
