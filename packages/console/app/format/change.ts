import { formatRatio } from './number.ts'

/** Says how a figure changed: `+12.5%`, `−3%`, `no change`. `''` if there was nothing before. */
export function formatChange(now: number, before: number): string {
  if (before === 0) return ''
  if (now === before) return 'no change'
  const ratio = formatRatio(Math.abs(now - before) / before)
  return now > before ? `+${ratio}` : `−${ratio}`
}
