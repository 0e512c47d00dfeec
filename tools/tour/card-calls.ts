import { promoCodeCards } from '@mintmark/cards'
import type { GatewayClient } from '@mintmark/transport'
import { withResponse } from '@mintmark/transport/operation'
import { readQrCode } from '../../packages/gateway-server/src/testing/read-qr-code.ts'
import type { Credentials } from '../start/credentials.ts'
import type { Stop } from './calls.ts'

const day = 24 * 3600 * 1000

/** A promo code card for one use is made, its QR picture scanned at the till, and a second use refused. */
export function cardCalls({ demo }: Credentials, gateway: GatewayClient): Stop[] {
  let [picture, read] = ['', '']
  const scan = () =>
    withResponse(promoCodeCards.createVerification, gateway, {
      qrCode: read,
      action: 'REDEEM',
      nonce: crypto.randomUUID(),
      store: 'Berlin',
      device: 'till 1',
    })
  return [
    {
      title: 'A promo code card for one use',
      operation: promoCodeCards.create,
      async call() {
        const result = await withResponse(promoCodeCards.create, gateway, {
          name: 'A coffee on the house',
          nftAddress: demo.nftAddress,
          startTime: new Date(Date.now() - day).toISOString(),
          endTime: new Date(Date.now() + 30 * day).toISOString(),
          totalIssued: 1,
          applicableStores: ['Berlin'],
        })
        picture = result.data.qrCodeUrl
        return result
      },
    },
    {
      title: 'Its QR picture, and what a scanner reads in it: the address of its page',
      operation: { id: 'the picture', method: 'GET', path: '/qr/{project}/{code}.svg' },
      async call() {
        const response = await fetch(picture)
        if (!response.ok) throw new Error(`the picture answered ${response.status}`)
        read = readQrCode(await response.text())
        return { status: response.status, headers: response.headers, data: { read }, requestId: undefined }
      },
    },
    { title: 'The till redeems it', operation: promoCodeCards.createVerification, call: scan },
    { title: 'A second time it is refused', operation: promoCodeCards.createVerification, call: scan },
    {
      title: 'Both are on record',
      operation: promoCodeCards.verifications,
      call: () => withResponse(promoCodeCards.verifications, gateway, { store: 'Berlin', pageSize: 2 }),
    },
  ]
}
