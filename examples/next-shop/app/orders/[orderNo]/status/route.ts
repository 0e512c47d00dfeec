import { findOwnOrder, isOpen, waitForNextStatus } from '../../../../lib/orders.ts'

/** Returns the order's status as soon as it is another one than `known`, or after a while. */
export async function GET(request: Request, { params }: { params: Promise<{ orderNo: string }> }) {
  const { orderNo } = await params
  const order = await findOwnOrder(orderNo)
  if (order === undefined) return new Response(null, { status: 404 })
  const known = Number(new URL(request.url).searchParams.get('known'))
  const isNews = order.orderStatus !== known || !isOpen(order)
  const { orderStatus } = isNews ? order : await waitForNextStatus(order, request.signal)
  return Response.json({ orderStatus }, { headers: { 'cache-control': 'no-store' } })
}
