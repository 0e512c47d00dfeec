import { type ReactNode, useEffect, useState } from 'react'
import { formatDuration } from '../format/duration.ts'
import { formatExactTime } from '../format/time.ts'

const TICK_MS = 1000

interface CountdownProps {
  /** ISO 8601. */
  readonly until: string
}

/** Shows how long it is until a time, by the second. */
export function Countdown({ until }: CountdownProps): ReactNode {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <time className="numeric" dateTime={until} title={formatExactTime(until)}>
      {formatDuration(new Date(until).getTime() - now)}
    </time>
  )
}
