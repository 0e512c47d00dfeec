import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi, reentrantRecipientAbi } from '@mintmark/devkit/chain/artifacts/abi'
import reentrantRecipient from '@mintmark/devkit/chain/artifacts/ReentrantRecipient.json' with {
  type: 'json',
}
import { testChain } from '@mintmark/devkit/chain/testing'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseSignature,
  serializeSignature,
  toHex,
  zeroAddress,
} from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type MintRequest,
  mintRequestTypes,
  NATIVE_TOKEN,
  signatureMint721Abi,
  signatureMint721Bytecode,
  signatureMint1155Abi,
  signatureMint1155Bytecode,
} from './abi.ts'

const chain = await testChain()
const [owner, minter, stranger] = [devAccount(0), devAccount(1), devAccount(2)]
const [buyer, seller] = [devAccount(3).address, devAccount(5).address]
/** More than any mint needs: an estimate may leave too little for what a recipient calls. */
const GAS = 2_000_000n
/** The order of the curve of signatures. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let count = 0
async function createRequest(change: Partial<MintRequest> = {}): Promise<MintRequest> {
  const { timestamp } = await chain.client.getBlock()
  count += 1
  return {
    to: buyer,
    royaltyRecipient: seller,
    royaltyBps: 250n,
    primarySaleRecipient: seller,
    uri: 'ipfs://comet',
    quantity: 2n,
    pricePerToken: 0n,
    currency: NATIVE_TOKEN,
    validityStartTimestamp: timestamp - 60n,
    validityEndTimestamp: timestamp + 600n,
    uid: keccak256(toHex(count)),
    ...change,
  }
}

/** The functions that both contracts have. */
const abi = signatureMint721Abi
const errors = signatureMint1155Abi.filter(({ type }) => type === 'error')
const bytecodes = {
  SignatureMint721: signatureMint721Bytecode,
  SignatureMint1155: signatureMint1155Bytecode,
} as const
type Kind = keyof typeof bytecodes

async function deploy(kind: Kind, minterAddress: Address = minter.address): Promise<Address> {
  const args = ['Drops', 'DROP', owner.address, minterAddress] as const
  const sent = chain.as(0).deployContract({ abi, bytecode: bytecodes[kind], args })
  const { contractAddress } = await chain.confirm(sent)
  if (!contractAddress) throw new Error('The contract was not deployed')
  return contractAddress
}

const eachKind = describe.each(Object.keys(bytecodes) as Kind[])

eachKind('%s', (kind) => {
  let address: Address
  beforeEach(async () => {
    address = await deploy(kind)
  })

  const sign = (message: MintRequest, by = minter, domain: object = {}) =>
    by.signTypedData({
      domain: {
        name: 'SignatureMintERC721',
        version: '1',
        chainId: chain.chainId,
        verifyingContract: address,
        ...domain,
      },
      types: mintRequestTypes,
      primaryType: 'MintRequest',
      message,
    })
  const toCall = (request: MintRequest, signature: Hex, value = 0n) =>
    ({ address, abi, functionName: 'mintWithSignature', args: [request, signature], value }) as const
  const mint = async (request: MintRequest, signature: Hex, value = 0n) =>
    await chain.confirm(chain.as(4).writeContract({ ...toCall(request, signature, value), gas: GAS }))
  const tryMint = async (request: MintRequest, signature: Hex, value = 0n) =>
    await chain.client.simulateContract({
      ...toCall(request, signature, value),
      abi: [...abi, ...errors],
      account: devAccount(4),
    })
  const setMinter = async (account: Address, allowed: boolean, by = 0) => {
    const args = [account, allowed] as const
    return await chain.confirm(chain.as(by).writeContract({ address, abi, functionName: 'setMinter', args }))
  }
  const countOwned = async (holder: Address) => {
    if (kind === 'SignatureMint721') {
      return await chain.client.readContract({ address, abi, functionName: 'balanceOf', args: [holder] })
    }
    const args = [holder, 1n] as const
    const call = { address, abi: signatureMint1155Abi, functionName: 'balanceOf', args } as const
    return await chain.client.readContract(call)
  }

  it(`${kind} mints what its minter has signed for the recipient, and refuses the signature a second time`, async () => {
    const request = await createRequest()
    const signature = await sign(request)
    await mint(request, signature)
    expect(await countOwned(buyer)).toBe(2n)
    await expect(tryMint(request, signature)).rejects.toThrow('SignatureUsed')
    const again = { ...request, to: stranger.address }
    await expect(tryMint(again, await sign(again))).rejects.toThrow('SignatureUsed')
  })

  it(`${kind} refuses what another account, or its minter for another contract or chain, has signed`, async () => {
    const request = await createRequest()
    const signatures = {
      stranger: await sign(request, stranger),
      'other contract': await sign(request, minter, { verifyingContract: await deploy(kind) }),
      'other chain': await sign(request, minter, { chainId: 1 }),
      'other domain': await sign(request, minter, { name: 'SignatureMintERC1155' }),
      empty: '0x',
      zeros: `0x${'0'.repeat(130)}`,
    } as const
    for (const [name, signature] of Object.entries(signatures)) {
      await expect(tryMint(request, signature), name).rejects.toThrow('InvalidSignature')
    }
    const { r, s, yParity } = parseSignature(await sign(request))
    const mirrored = { r, s: numberToHex(ORDER - BigInt(s), { size: 32 }), yParity: 1 - yParity }
    await expect(tryMint(request, serializeSignature(mirrored)), 'mirrored').rejects.toThrow(
      'InvalidSignature',
    )
  })

  it(`${kind} refuses a request of which any field was changed after it was signed`, async () => {
    const request = await createRequest()
    const signature = await sign(request)
    const changes: MintRequest = {
      to: stranger.address,
      royaltyRecipient: stranger.address,
      royaltyBps: 251n,
      primarySaleRecipient: stranger.address,
      uri: 'ipfs://star',
      quantity: 3n,
      pricePerToken: 1n,
      currency: chain.token,
      validityStartTimestamp: 0n,
      validityEndTimestamp: request.validityEndTimestamp + 1n,
      uid: keccak256('0xff'),
    }
    for (const [field, value] of Object.entries(changes)) {
      await expect(tryMint({ ...request, [field]: value }, signature), field).rejects.toThrow(
        'InvalidSignature',
      )
    }
  })

  it(`${kind} refuses a signature before it is valid and after it has expired`, async () => {
    const { timestamp } = await chain.client.getBlock()
    for (const times of [
      { validityStartTimestamp: timestamp + 100n },
      { validityEndTimestamp: timestamp - 1n },
    ]) {
      const request = await createRequest(times)
      await expect(tryMint(request, await sign(request))).rejects.toThrow('OutsideValidity')
    }
  })

  it(`${kind} mints once for a recipient that sends the signature again while it receives the tokens`, async () => {
    const { abi: recipientAbi, bytecode } = { abi: reentrantRecipientAbi, ...reentrantRecipient }
    const deployed = await chain.confirm(
      chain.as(4).deployContract({ abi: recipientAbi, bytecode: bytecode as Hex }),
    )
    const to = deployed.contractAddress ?? zeroAddress
    const nested = await createRequest({ quantity: 1n })
    const request = await createRequest({ to, quantity: 1n })
    const signature = await sign(request)
    const attempt = async (data: Hex) => {
      const args = [address, data] as const
      const call = { address: to, abi: recipientAbi, functionName: 'prepare', args } as const
      await chain.confirm(chain.as(4).writeContract(call))
    }
    await attempt(encodeFunctionData(toCall(request, signature)))
    await mint(request, signature)
    expect(await countOwned(to)).toBe(1n)
    const readSuccesses = { address: to, abi: recipientAbi, functionName: 'successes' } as const
    expect(await chain.client.readContract(readSuccesses)).toBe(0n)

    await attempt(encodeFunctionData(toCall(nested, await sign(nested))))
    const second = await createRequest({ to, quantity: 1n })
    await mint(second, await sign(second))
    expect([await countOwned(to), await countOwned(buyer)]).toEqual([2n, 1n])
  })

  it(`${kind} pays exactly the price of all tokens from the sender to the sale's recipient`, async () => {
    const request = await createRequest({ pricePerToken: 1_000n })
    const signature = await sign(request)
    for (const value of [0n, 1_999n, 2_001n]) {
      await expect(tryMint(request, signature, value)).rejects.toThrow('WrongValue')
    }
    const before = await chain.client.getBalance({ address: seller })
    await mint(request, signature, 2_000n)
    expect((await chain.client.getBalance({ address: seller })) - before).toBe(2_000n)
    expect(await chain.client.getBalance({ address })).toBe(0n)
  })

  it(`${kind} collects a price in an ERC-20 from the sender's allowance, and nothing else`, async () => {
    const token = { address: chain.token, abi: devUsdcAbi } as const
    const request = await createRequest({ pricePerToken: 1_000n, currency: chain.token })
    const signature = await sign(request)
    await expect(tryMint(request, signature)).rejects.toThrow(/allowance/i)
    await chain.confirm(
      chain.as(4).writeContract({ ...token, functionName: 'approve', args: [address, 2_000n] }),
    )
    await expect(tryMint(request, signature, 2_000n)).rejects.toThrow('WrongValue')
    const readBalance = () =>
      chain.client.readContract({ ...token, functionName: 'balanceOf', args: [seller] })
    const before = await readBalance()
    await mint(request, signature)
    expect((await readBalance()) - before).toBe(2_000n)
    const noToken = await createRequest({ pricePerToken: 1n, currency: stranger.address })
    await expect(tryMint(noToken, await sign(noToken))).rejects.toThrow('SafeERC20FailedOperation')
  })

  it(`${kind} pays its owner if a request names no recipient of the price, and collects nothing without an owner`, async () => {
    const change = { pricePerToken: 1n, primarySaleRecipient: zeroAddress }
    const request = await createRequest(change)
    const before = await chain.client.getBalance({ address: owner.address })
    await mint(request, await sign(request), 2n)
    expect((await chain.client.getBalance({ address: owner.address })) - before).toBe(2n)
    await chain.confirm(chain.as(0).writeContract({ address, abi, functionName: 'renounceOwnership' }))
    const second = await createRequest(change)
    await expect(tryMint(second, await sign(second), 2n)).rejects.toThrow('NoSaleRecipient')
  })

  it(`${kind} lets only its owner choose minters, and refuses what a former minter has signed`, async () => {
    await expect(setMinter(stranger.address, true, 2)).rejects.toThrow('OwnableUnauthorizedAccount')
    await expect(setMinter(zeroAddress, true)).rejects.toThrow('InvalidMinter')
    await setMinter(stranger.address, true)
    const request = await createRequest()
    await tryMint(request, await sign(request, stranger))
    await setMinter(stranger.address, false)
    await expect(tryMint(request, await sign(request, stranger))).rejects.toThrow('InvalidSignature')
    address = await deploy(kind, zeroAddress)
    await expect(tryMint(request, await sign(request))).rejects.toThrow('InvalidSignature')
  })

  it(`${kind} refuses a request for no tokens, for nobody, and with a royalty above the price`, async () => {
    for (const [change, reason] of [
      [{ quantity: 0n }, 'InvalidQuantity'],
      [{ to: zeroAddress }, 'InvalidReceiver'],
      [{ to: chain.token }, 'InvalidReceiver'],
      [{ royaltyBps: 10_001n }, 'ERC2981InvalidTokenRoyalty'],
      [{ royaltyBps: 2n ** 96n }, 'SafeCastOverflowedUintDowncast'],
    ] as const) {
      const request = await createRequest(change)
      await expect(tryMint(request, await sign(request)), reason).rejects.toThrow(reason)
    }
  })

  it(`${kind} supports the interfaces of its tokens and of royalties`, async () => {
    const own = kind === 'SignatureMint721' ? '0x80ac58cd' : '0xd9b67a26'
    for (const [id, supported] of [
      ['0x01ffc9a7', true],
      [own, true],
      ['0x2a55205a', true],
      ['0xffffffff', false],
    ] as const) {
      const call = { address, abi, functionName: 'supportsInterface', args: [id] } as const
      expect(await chain.client.readContract(call), id).toBe(supported)
    }
  })
})

async function mintTwice(address: Address, uris: readonly [string, string]) {
  for (const [index, uri] of uris.entries()) {
    const request = await createRequest({ uri, royaltyBps: 100n * BigInt(index + 1) })
    const signature = await minter.signTypedData({
      domain: {
        name: 'SignatureMintERC721',
        version: '1',
        chainId: chain.chainId,
        verifyingContract: address,
      },
      types: mintRequestTypes,
      primaryType: 'MintRequest',
      message: request,
    })
    const call = { address, abi, functionName: 'mintWithSignature', args: [request, signature] } as const
    await chain.confirm(chain.as(4).writeContract(call))
  }
}

it('SignatureMint721 gives each token of a request its own id, its URI and its royalty', async () => {
  const address = await deploy('SignatureMint721')
  await mintTwice(address, ['ipfs://comet', 'ipfs://star'])
  const read = { address, abi: signatureMint721Abi } as const
  for (const [id, uri, royalty] of [
    [0n, 'ipfs://comet', 1n],
    [1n, 'ipfs://comet', 1n],
    [3n, 'ipfs://star', 2n],
  ] as const) {
    expect(await chain.client.readContract({ ...read, functionName: 'tokenURI', args: [id] })).toBe(uri)
    expect(
      await chain.client.readContract({ ...read, functionName: 'royaltyInfo', args: [id, 100n] }),
    ).toEqual([seller, royalty])
  }
})

it('SignatureMint1155 mints requests with the same URI as units of one token, and keeps its first royalty', async () => {
  const address = await deploy('SignatureMint1155')
  await mintTwice(address, ['ipfs://comet', 'ipfs://comet'])
  await mintTwice(address, ['ipfs://star', 'ipfs://star'])
  const read = { address, abi: signatureMint1155Abi } as const
  for (const [id, uri] of [
    [1n, 'ipfs://comet'],
    [2n, 'ipfs://star'],
  ] as const) {
    expect(await chain.client.readContract({ ...read, functionName: 'balanceOf', args: [buyer, id] })).toBe(
      4n,
    )
    expect(await chain.client.readContract({ ...read, functionName: 'uri', args: [id] })).toBe(uri)
    expect(
      await chain.client.readContract({ ...read, functionName: 'royaltyInfo', args: [id, 100n] }),
    ).toEqual([seller, 1n])
  }
})
