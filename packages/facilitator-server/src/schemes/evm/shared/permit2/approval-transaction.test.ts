// The reasons for which signed approval transactions are refused, compared with the reference facilitator of
// the npm package @x402/evm.
import plainToken from '@mintmark/devkit/chain/artifacts/PlainToken.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import { facilitatorSigner } from '@mintmark/devkit/chain/upstream-signer'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseTransaction,
  serializeTransaction,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { deployContract } from '../../../agreement/testing-payers.ts'
import { APPROVAL_TRANSACTION_EXTENSION } from './approval-transaction.ts'
import {
  approvalExtension,
  approveCall,
  createWallet,
  decodeSponsored,
  signApproval,
  signSponsored,
  sponsoredBody,
} from './approvals/testing-approvals.ts'

const chain = await testChain()
const asset = await deployContract(chain, plainToken.bytecode as Hex)
const wallet = await createWallet(chain, asset)
const stranger = '0x00000000000000000000000000000000000be11e'

/** Signs the body of a payment whose extension has changes. */
async function signBody(raw: Hex | Promise<Hex> = signApproval(wallet, asset), info = {}) {
  return sponsoredBody(wallet, asset, approvalExtension(wallet.address, asset, await raw, info))
}
type Body = Awaited<ReturnType<typeof signBody>>

const readReason = (body: Body): string | undefined => {
  const decoded = decodeSponsored(body)
  return decoded.ok ? undefined : decoded.reason
}

/** What the reference responds, which also broadcasts approvals. */
async function readReferenceReason({
  paymentPayload,
  paymentRequirements,
}: Body): Promise<string | undefined> {
  const reference = new ExactEvmScheme(facilitatorSigner(chain.as(9)))
  const extension = { key: APPROVAL_TRANSACTION_EXTENSION, signer: facilitatorSigner(chain.as(9)) }
  const context = { getExtension: (key: string) => (key === extension.key ? extension : undefined) }
  const { invalidReason } = await reference.verify(
    paymentPayload as never,
    paymentRequirements as never,
    context as never,
  )
  return invalidReason
}

const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [wallet.address, 1n] })

describe('as the reference, an approval transaction is', () => {
  it('accepted as the stock client signs it', async () => {
    const body = await signBody()
    expect([readReason(body), await readReferenceReason(body)]).toEqual([undefined, undefined])
    const payment = await signSponsored(wallet, asset)
    const raw = payment.details.approvalTransaction?.raw ?? '0x'
    expect(payment.details.approvalTransaction).toMatchObject({
      hash: keccak256(raw as Hex),
      nonce: 0,
      gas: 70_000n,
      data: approveCall(),
    })
  })

  it.each<[string, object, string]>([
    ['a wallet that is no address', { from: '0x12' }, 'invalid_erc20_approval_extension_format'],
    ['an amount that is no number', { amount: 'all' }, 'invalid_erc20_approval_extension_format'],
    ['bytes that are not hex', { signedTransaction: '0xzz' }, 'invalid_erc20_approval_extension_format'],
    ['a version that is none', { version: 'one' }, 'invalid_erc20_approval_extension_format'],
    ['another wallet', { from: stranger }, 'erc20_approval_from_mismatch'],
    ['another token', { asset: stranger }, 'erc20_approval_asset_mismatch'],
    ['another spender', { spender: stranger }, 'erc20_approval_spender_not_permit2'],
    ['bytes that are no transaction', { signedTransaction: '0x02ff00' }, 'erc20_approval_tx_parse_failed'],
  ])('refused for an extension with %s', async (_, info, reason) => {
    const body = await signBody(undefined, info)
    expect([readReason(body), await readReferenceReason(body)]).toEqual([reason, reason])
  })

  it.each<[string, object, string]>([
    ['calls another contract', { to: stranger }, 'erc20_approval_tx_wrong_target'],
    ['creates a contract', { to: undefined }, 'erc20_approval_tx_wrong_target'],
    ['calls another function', { data: transfer }, 'erc20_approval_tx_wrong_selector'],
    ['calls nothing', { data: undefined }, 'erc20_approval_tx_wrong_selector'],
    ['ends within its call data', { data: approveCall().slice(0, 80) }, 'erc20_approval_tx_invalid_calldata'],
    ['approves another spender', { data: approveCall(stranger) }, 'erc20_approval_tx_wrong_spender'],
  ])('refused if it %s', async (_, changes, reason) => {
    const body = await signBody(signApproval(wallet, asset, changes))
    expect([readReason(body), await readReferenceReason(body)]).toEqual([reason, reason])
  })

  it.each(['from', 'asset', 'spender', 'amount', 'signedTransaction', 'version'])(
    'ignored if the extension lacks %s',
    async (field) => {
      const body = await signBody(undefined, { [field]: undefined })
      const decoded = decodeSponsored(body)
      expect(decoded.ok && decoded.payment.details).toEqual({ maximum: 10_000n })
      expect(await readReferenceReason(body)).toBe('permit2_allowance_required')
    },
  )
})

describe('other than the reference, an approval transaction is', () => {
  it.each<[string, object, string]>([
    ['more call data', { data: `${approveCall()}00` }, 'erc20_approval_tx_invalid_calldata'],
    ['a lower amount', { data: approveCall(undefined, 9_999n) }, 'erc20_approval_tx_invalid_calldata'],
    ['another chain', { chainId: 1 }, 'erc20_approval_tx_failed'],
    ['a value', { value: 1n }, 'erc20_approval_tx_failed'],
    ['a huge gas limit', { gas: 150_001n }, 'erc20_approval_tx_failed'],
    ['too little gas for its bytes', { gas: 24_999n }, 'erc20_approval_tx_failed'],
    ['an access list', { accessList: [{ address: stranger, storageKeys: [] }] }, 'erc20_approval_tx_failed'],
  ])('refused with %s', async (_, changes, reason) => {
    const raw = await signApproval(wallet, asset, changes)
    expect(readReason(await signBody(raw))).toBe(reason)
  })

  it.each<[string, object]>([
    ['a tip above its fee', { maxPriorityFeePerGas: 2n ** 60n }],
    [
      'another type',
      { type: 'eip2930', gasPrice: 10n ** 10n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined },
    ],
    [
      'no chain, so that it can be repeated on others',
      {
        type: 'legacy',
        chainId: undefined,
        gasPrice: 10n ** 10n,
        maxFeePerGas: undefined,
        maxPriorityFeePerGas: undefined,
      },
    ],
  ])('refused with %s', async (_, changes) => {
    // viem refuses to sign the first one, so that its fee is changed afterwards.
    const raw =
      'maxPriorityFeePerGas' in changes && !('type' in changes)
        ? await withTip()
        : await signApproval(wallet, asset, changes)
    expect(readReason(await signBody(raw))).toMatch(/^erc20_approval_tx_(?:parse_)?failed$/)
  })

  async function withTip(): Promise<Hex> {
    const low = await signApproval(wallet, asset, { maxFeePerGas: 10n, maxPriorityFeePerGas: 10n })
    // The tip is the byte before the fee. The gas limit of 70,000 follows in three bytes.
    expect(low.split('0a0a83')).toHaveLength(2)
    return low.replace('0a0a83', '0b0a83') as Hex
  }

  it('refused with bytes that nodes would not accept', async () => {
    const raw = await signApproval(wallet, asset)
    const { r, s, v: _, yParity, ...unsigned } = parseTransaction(raw)
    // The same fields, with the nonce 0 as a byte instead of as nothing.
    const content = serializeTransaction({ ...unsigned, nonce: 0x7f } as never, { r, s, yParity } as never)
    const padded = content.replace('7f', '00') as Hex
    for (const bytes of [`${raw}00`, padded] as Hex[])
      expect(readReason(await signBody(bytes))).toBe('erc20_approval_tx_parse_failed')
  })
})

it('is not read where approvals are not sponsored, or after a signed approval of the token (EIP-2612)', async () => {
  const body = await signBody()
  const { details } = await signSponsored(wallet, asset)
  expect(details.approvalTransaction).toBeDefined()
  const permit = {
    from: wallet.address,
    asset,
    spender: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
    amount: '10000',
    nonce: '0',
    deadline: '4000000000',
    signature: `0x${'11'.repeat(65)}`,
    version: '1',
  }
  const { paymentPayload } = body
  const extensions = { ...paymentPayload.extensions, eip2612GasSponsoring: { info: permit } }
  const decoded = decodeSponsored({ ...body, paymentPayload: { ...paymentPayload, extensions } })
  expect(decoded.ok && Object.keys(decoded.payment.details ?? {})).toEqual(['maximum', 'approval'])
})
