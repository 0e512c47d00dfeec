import { setTimeout as pause } from 'node:timers/promises'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import type { GatewayClient } from '@mintmark/transport'
import { type CallResult, withResponse } from '@mintmark/transport/operation'

/** Long enough for a block, its confirmation and the gateway's next look. */
export const PATIENCE_MS = 30_000

/** The order once its payment was seen and it is a success. */
export async function sold(gateway: GatewayClient, orderNo: string): Promise<CallResult<Order>> {
  for (const late = Date.now() + PATIENCE_MS; ; await pause(250)) {
    const result = await withResponse(orders.get, gateway, { orderNo })
    if (result.data.orderStatus === OrderStatus.SUCCESS) return result
    if (Date.now() > late) throw new Error(`the order is in state ${result.data.orderStatus} still`)
  }
}
