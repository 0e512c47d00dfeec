import { type Check, type Finding, type Outcome, reportError } from './finding.ts'

const GUIDE = 'docs/guides/running-the-servers.md'

/** How long a check may take. */
const CHECK_TIMEOUT_MS = 20_000

/**
 * Runs all checks concurrently, each with a time limit. A check that fails is an error among the findings, so
 * that the others are still reported.
 *
 * @returns The findings in the order of the checks.
 */
export async function runChecks(
  checks: readonly Check[],
  timeoutMs = CHECK_TIMEOUT_MS,
): Promise<readonly Finding[]> {
  const outcomes = await Promise.all(checks.map((check) => runCheck(check, timeoutMs)))
  return checks.flatMap((check, index) => (outcomes[index] ?? []).map((each) => toFinding(check, each)))
}

async function runCheck(check: Check, timeoutMs: number): Promise<readonly Outcome[]> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<readonly Outcome[]>((resolve) => {
    timer = setTimeout(() => {
      controller.abort()
      resolve([
        reportError(
          `${check.name} could not be checked within ${timeoutMs / 1000} seconds`,
          'Check that the network between this machine and the other one is fast, then repeat',
        ),
      ])
    }, timeoutMs)
  })
  try {
    return await Promise.race([check.run(controller.signal), expired])
  } catch (failure) {
    const { message } = toError(failure)
    return [reportError(`${check.name} could not be checked: ${message}`, 'Remove the cause, then repeat')]
  } finally {
    clearTimeout(timer)
  }
}

function toError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure))
}

function toFinding({ area: ownArea }: Check, { area = ownArea, ...outcome }: Outcome): Finding {
  const docs = outcome.level === 'ok' ? undefined : `${GUIDE}#doctor-${area}`
  return { area, ...outcome, ...(docs !== undefined && { docs }) }
}
