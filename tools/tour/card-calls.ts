import { promoCodeCards } from '@mintmark/cards'
import type { GatewayClient } from '@mintmark/transport'
import { readQrCode } from '../../packages/gateway-server/src/testing/read-qr-code.ts'
import type { Credentials } from '../start/credentials.ts'
import { type Stop, stopsOf } from './stops.ts'

const DAY_MS = 24 * 3600 * 1000

/** A promo code card for one use is created, its QR picture scanned at the till, and a second use refused. */
export function cardCalls({ demo }: Credentials, gateway: GatewayClient): Stop[] {
  const stop = stopsOf(gateway)
  let [picture, qrCode] = ['', '']
  const redeem = (title: string) =>
    stop(title, promoCodeCards.createVerification, () => ({
      qrCode,
      action: 'REDEEM' as const,
      nonce: crypto.randomUUID(),
      store: 'Berlin',
      device: 'till 1',
    }))
  return [
    stop(
      'Create a promo code card for one use',
      promoCodeCards.create,
      () => ({
        name: 'A coffee on the house',
        nftAddress: demo.nftAddress,
        startTime: new Date(Date.now() - DAY_MS).toISOString(),
        endTime: new Date(Date.now() + 30 * DAY_MS).toISOString(),
        totalIssued: 1,
        applicableStores: ['Berlin'],
      }),
      ({ qrCodeUrl }) => {
        picture = qrCodeUrl
      },
    ),
    {
      title: 'Read its QR picture as a scanner does',
      operation: { id: 'the picture', method: 'GET', path: '/qr/{project}/{code}.svg' },
      async call() {
        const response = await fetch(picture)
        if (!response.ok) throw new Error(`The picture has status ${response.status}`)
        qrCode = readQrCode(await response.text())
        return {
          status: response.status,
          headers: response.headers,
          data: { read: qrCode },
          requestId: undefined,
        }
      },
    },
    redeem('Redeem it at the till'),
    redeem('Redeem it again, which is refused'),
    stop('List both attempts', promoCodeCards.verifications, () => ({ store: 'Berlin', pageSize: 2 })),
  ]
}
