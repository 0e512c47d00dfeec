'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

export interface OrderUpdatesProps {
  readonly orderNo: string
  readonly orderStatus: number
}

const RETRY_MS = 3000

/** Renders the page again when the order has another status. */
export function OrderUpdates({ orderNo, orderStatus }: OrderUpdatesProps) {
  const router = useRouter()
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    let timer: ReturnType<typeof setTimeout> | undefined

    async function follow(): Promise<void> {
      const next = await readNextStatus(orderNo, orderStatus, signal)
      if (signal.aborted) return
      if (next !== undefined && next !== orderStatus) router.refresh()
      // After an error not at once, so that a shop that is broken is not flooded.
      timer = setTimeout(follow, RETRY_MS)
    }

    follow()
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [orderNo, orderStatus, router])
  return (
    <noscript>
      <a href={`/orders/${orderNo}`}>Reload</a>
    </noscript>
  )
}

/** Returns the status, or undefined if the shop could not be reached. */
async function readNextStatus(
  orderNo: string,
  known: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    const response = await fetch(`/orders/${orderNo}/status?known=${known}`, { signal })
    if (!response.ok) return undefined
    const { orderStatus }: { orderStatus: number } = await response.json()
    return orderStatus
  } catch {
    return undefined
  }
}
