import { join } from 'node:path'
import type { CommandEnvironment } from '../environment.ts'
import { KEYCHAIN_SERVICE, type KeychainTool, type ToolCall } from './keychain-tool.ts'

/** The exit code of the scripts for an account that does not exist. */
const NOT_FOUND = 44

const OPEN_VAULT = `$ErrorActionPreference = 'Stop'
[void][Windows.Security.Credentials.PasswordVault, Windows.Security.Credentials, ContentType = WindowsRuntime]
[void][Windows.Security.Credentials.PasswordCredential, Windows.Security.Credentials, ContentType = WindowsRuntime]
$vault = New-Object Windows.Security.Credentials.PasswordVault
`

const retrieve = (account: string) =>
  `try { $entry = $vault.Retrieve('${KEYCHAIN_SERVICE}', '${account}') } catch { exit ${NOT_FOUND} }
`

/**
 * The Credential Locker of Windows. PowerShell is the only part of Windows that reads it: `cmdkey` cannot.
 */
export function createWindowsKeychain({ variables }: CommandEnvironment): KeychainTool {
  // Windows looks for a bare name in the current folder first, which may belong to somebody else.
  const folder = join(variables.SystemRoot ?? 'C:\\Windows', 'System32', 'WindowsPowerShell', 'v1.0')
  const toCall = (script: string, input = ''): ToolCall => ({
    command: join(folder, 'powershell.exe'),
    parameters: ['-NoProfile', '-NonInteractive', '-Command', OPEN_VAULT + script],
    input,
  })
  return {
    installation: 'It is a part of Windows: check the variable SystemRoot',
    store: (account, value) =>
      toCall(
        `$value = [Console]::In.ReadToEnd().Trim()
$vault.Add((New-Object Windows.Security.Credentials.PasswordCredential('${KEYCHAIN_SERVICE}', '${account}', $value)))
`,
        value,
      ),
    find: (account) =>
      toCall(`${retrieve(account)}$entry.RetrievePassword()\n[Console]::Out.Write($entry.Password)\n`),
    remove: (account) => toCall(`${retrieve(account)}$vault.Remove($entry)\n`),
    isMissing: ({ exitCode }) => exitCode === NOT_FOUND,
  }
}
