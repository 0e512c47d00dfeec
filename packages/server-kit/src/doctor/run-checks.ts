import { setTimeout as pause } from 'node:timers/promises'
import { describeReason } from '../postgres/errors.ts'
import type { Area, Check, Outcome } from './check.ts'

/** An outcome with where it belongs. Problems have the section of the guide. */
export interface Finding extends Outcome {
  readonly area: Area
  readonly docs?: string
}

const GUIDE = 'docs/guides/running-the-servers.md'
const CHECK_TIMEOUT_MS = 20_000

/** Runs all checks concurrently, each with a time limit. Returns the findings in the order of the checks. */
export async function runChecks(
  checks: readonly Check[],
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<readonly Finding[]> {
  const runs = checks.map(async (check) => {
    const expired = [reportUnchecked(check, `no response within ${timeoutMs / 1000} seconds`)]
    return await Promise.race([runCheck(check), pause(timeoutMs, expired, { ref: false })])
  })
  return (await Promise.all(runs))
    .flat()
    .map((each) => (each.level === 'ok' ? each : { ...each, docs: `${GUIDE}#doctor-${each.area}` }))
}

/** Runs a check. Its failure is a finding, so that the others are still reported. */
export async function runCheck({ run, ...check }: Check): Promise<readonly Finding[]> {
  try {
    return (await run()).map((outcome) => ({ area: check.area, ...outcome }))
  } catch (failure) {
    return [reportUnchecked(check, describeReason(failure))]
  }
}

const reportUnchecked = ({ area, name }: Omit<Check, 'run'>, reason: string): Finding => ({
  level: 'error',
  area,
  message: `${name} could not be checked: ${reason}`,
  action: 'Remove the cause, then run doctor again',
})

/** Formats findings for a terminal: a line each, and below a problem what to do and the guide's section. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ level, area, message, action, docs }) => [
    `${level.padEnd(8)} ${area.padEnd(9)} ${message}`,
    ...(action === undefined ? [] : [`${' '.repeat(19)}Do: ${action}`]),
    ...(docs === undefined ? [] : [`${' '.repeat(19)}See: ${docs}`]),
  ])
  const count = (level: string) => findings.filter((finding) => finding.level === level).length
  const format = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  const summary = `${format(count('error'), 'error')}, ${format(count('warning'), 'warning')}, ${count('ok')} ok`
  return [...lines, '', summary].join('\n')
}
