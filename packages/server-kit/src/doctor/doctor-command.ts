import { type EnvironmentReader, readEnvironment } from '../environment.ts'
import type { Command } from '../process/command-line.ts'
import type { Check, Finding } from './finding.ts'
import { createRedactor, formatFindings } from './report.ts'
import { runChecks } from './run-checks.ts'

/**
 * Creates the command that checks a server's settings and what they name: the database, the chains, the
 * network. It changes nothing and prints no secret. The exit status is 1 if there is an error.
 */
export function createDoctorCommand(
  listChecks: (environment: NodeJS.ProcessEnv, env: EnvironmentReader) => readonly Check[],
): Command {
  return {
    summary:
      'Checks the settings, the database, the chains, the clocks, the secrets and the network. Changes nothing. Exits with status 1 for an error.',
    flags: ['json'],
    async run({ options }) {
      const env = readEnvironment()
      const redact = createRedactor(env)
      const found = await runChecks(listChecks(process.env, env))
      // Before JSON escapes the characters of a secret.
      const findings = found.map((finding) => redactFinding(finding, redact))
      console.log(options.json === 'true' ? JSON.stringify({ findings }, null, 2) : formatFindings(findings))
      if (findings.some(({ level }) => level === 'error')) process.exitCode = 1
    },
  }
}

function redactFinding(finding: Finding, redact: (text: string) => string): Finding {
  const { message, action } = finding
  return { ...finding, message: redact(message), ...(action !== undefined && { action: redact(action) }) }
}
