import { lazyMinting } from '@mintmark/contracts'
import type { Order } from '@mintmark/orders'
import { expect } from 'vitest'
import type { TestGateway } from './gateway.ts'
import { createOrderFixture, newHash, type OrderFixture } from './order-fixture.ts'
import { addFinalPayment, createLazyPresale, orderMint, type TestPresale } from './presales.ts'
import type { SampleProject } from './samples/sample.ts'

/** Creates helpers for presales that are sold by orders, with a fake chain. */
export function createMintFixture(gateway: TestGateway, project: SampleProject) {
  const { client } = project
  const orderFixture: OrderFixture = createOrderFixture(project)
  const order = (presale: TestPresale, more?: Parameters<typeof orderMint>[2]) =>
    orderMint(client, presale, more)

  /** Reports a final payment and runs the verifier. */
  async function pay(placed: Order): Promise<string> {
    const hash = newHash()
    addFinalPayment(gateway, hash)
    await orderFixture.pay(placed, hash).catch((error: { code?: number }) => {
      // The verifier reads a transaction that is reported too late, too.
      if (error.code !== 40901) throw error
    })
    await orderFixture.verify()
    return hash
  }

  return {
    orderFixture,
    order,
    pay,
    aPresale: (phase: object = {}) => createLazyPresale(client, phase),
    addNft: ({ nftAddress }: TestPresale, more: object = {}) =>
      lazyMinting.addNft(client, { nftAddress, name: 'Blue', tokenUri: 'ipfs://blue', ...more }),
    async aPaidOrder(presale: TestPresale, more?: Parameters<typeof orderMint>[2]) {
      const placed = await order(presale, more)
      await pay(placed)
      expect(await orderFixture.readState(placed)).toMatchObject({ status: 'SUCCESS' })
      return placed
    },
    sign: ({ nftAddress }: { nftAddress: string }, recipient: string, more: object = {}) =>
      lazyMinting.mintSign(client, { nftAddress, recipient, ...more }),
    claimed: async ({ nftAddress }: TestPresale) =>
      (await lazyMinting.presale(client, { nftAddress })).phases[0]?.claimed,
    statusOfNft: async (id: number) => (await lazyMinting.getNft(client, { id })).status,
  }
}

export type MintFixture = ReturnType<typeof createMintFixture>
