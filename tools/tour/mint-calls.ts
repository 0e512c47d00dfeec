import { setTimeout as pause } from 'node:timers/promises'
import { assets, contracts, lazyMinting } from '@mintmark/contracts'
import { signatureMint721Abi } from '@mintmark/devkit/chain/artifacts/abi'
import artifact from '@mintmark/devkit/chain/artifacts/SignatureMint721.json' with { type: 'json' }
import { accountClient } from '@mintmark/devkit/chain/chain'
import type { CallResult, DataOf } from '@mintmark/operation'
import type { GatewayClient } from '@mintmark/transport'
import { withResponse } from '@mintmark/transport'
import { getAddress, type Hex, isHex } from 'viem'
import { toMintRequest } from '../../packages/gateway-server/src/testing/mint-contract.ts'
import type { Credentials } from '../start/credentials.ts'
import { CONFIRMATION_TIMEOUT_MS } from './order-calls.ts'
import { accountOf, type Stop, stopsOf } from './stops.ts'

function parseHex(text: string): Hex {
  if (!isHex(text)) throw new Error(`${text} is not hexadecimal`)
  return text
}

/** A collection that mints by signatures: the gateway signs, the buyer sends, and the gateway observes the transfer. */
export function mintCalls({ chain, demo }: Credentials, gateway: GatewayClient): Stop[] {
  const stop = stopsOf(gateway)
  const creator = accountClient(chain.rpcUrl, accountOf(demo.creator))
  const buyer = accountClient(chain.rpcUrl, accountOf(demo.wallet))
  const recipient = demo.wallet
  let [nftAddress, nftId] = ['', '']
  let signed: DataOf<typeof lazyMinting.mintSign> | undefined

  async function deploy() {
    const hash = await creator.deployContract({
      abi: signatureMint721Abi,
      bytecode: parseHex(artifact.bytecode),
      args: ['Drops', 'DROP', creator.account.address],
    })
    const { contractAddress } = await creator.waitForTransactionReceipt({ hash })
    if (!contractAddress) throw new Error('The contract was not deployed')
    nftAddress = contractAddress
    const chainId = String(chain.chainId)
    return {
      nftAddress,
      name: 'Drops',
      nftType: 'ERC721',
      chainId,
      owner: demo.creator,
      index: true,
    } as const
  }

  async function mint(): Promise<CallResult> {
    if (signed === undefined) throw new Error('There is no signature')
    const request = toMintRequest(signed)
    const hash = await buyer.writeContract({
      address: getAddress(nftAddress),
      abi: signatureMint721Abi,
      functionName: 'mintWithSignature',
      args: [request, parseHex(signed.signature)],
      value: request.pricePerToken * request.quantity,
    })
    await buyer.waitForTransactionReceipt({ hash })
    for (const deadline = Date.now() + CONFIRMATION_TIMEOUT_MS; ; await pause(250)) {
      const result = await withResponse(assets.list, gateway, { owner: recipient, nftAddress })
      if (result.data.totalRow > 0) return result
      if (Date.now() > deadline) throw new Error('The gateway did not observe the token')
    }
  }

  return [
    stop('Deploy a contract that mints by signatures, and register it', contracts.add, deploy),
    stop(
      "Let the project's minter sign for it",
      lazyMinting.updateCollection,
      () => ({ nftAddress, primarySaleRecipient: demo.creator }),
      async ({ minter }) => {
        const hash = await creator.writeContract({
          address: getAddress(nftAddress),
          abi: signatureMint721Abi,
          functionName: 'setMinter',
          args: [getAddress(minter), true],
        })
        await creator.waitForTransactionReceipt({ hash })
      },
    ),
    stop('Open a presale', lazyMinting.updatePresale, () => {
      const startTime = new Date(Date.now() - 60_000).toISOString()
      return {
        nftAddress,
        phases: [{ name: 'public', startTime, price: '1000000000000000', limitPerWallet: 2 }],
      }
    }),
    stop('Describe what can be minted', lazyMinting.addNft, () => ({
      nftAddress,
      name: 'Comet',
      tokenUri: 'https://example.com/drops/comet.json',
    })),
    stop(
      'Draw one for a buyer',
      lazyMinting.randomNft,
      () => ({ nftAddress, recipient }),
      (nft) => {
        nftId = nft.nftId
      },
    ),
    stop(
      'Get the signature for it',
      lazyMinting.mintSign,
      () => ({ nftAddress, nftId, recipient }),
      (data) => {
        signed = data
      },
    ),
    { title: 'Mint with it on the chain, and find the token', operation: assets.list, call: mint },
  ]
}
