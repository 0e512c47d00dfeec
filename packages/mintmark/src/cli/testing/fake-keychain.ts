import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFolder } from './run-command.ts'

/** What the fake tools share: the entries in a file, a log of their parameters, and a failure. */
const SHARED = `
const { appendFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
const parameters = process.argv.slice(2)
appendFileSync(process.env.FAKE_KEYCHAIN + '.log', JSON.stringify(parameters) + '\\n')
const file = process.env.FAKE_KEYCHAIN
const entries = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
if (process.env.FAKE_KEYCHAIN_FAILURE) {
  process.stderr.write(process.env.FAKE_KEYCHAIN_FAILURE + '\\n')
  process.exit(Number(process.env.FAKE_KEYCHAIN_EXIT_CODE ?? 1))
}
const store = (account, value) => writeFileSync(file, JSON.stringify({ ...entries, [account]: value }))
function find(account, notFound, end) {
  if (entries[account] === undefined) process.exit(notFound)
  process.stdout.write(entries[account] + end)
}
function remove(account, notFound) {
  if (entries[account] === undefined) process.exit(notFound)
  const { [account]: _, ...others } = entries
  writeFileSync(file, JSON.stringify(others))
}
const readInput = () => readFileSync(0, 'utf8')
`

/** \`secret-tool\` of libsecret. */
const SECRET_TOOL = `
const [action, ...words] = parameters
const attributes = words.filter((word) => !word.startsWith('--')).join(' ')
const [, account] = /^service mintmark account (\\S+)$/.exec(attributes)
if (action === 'store') store(account, readInput())
else if (action === 'lookup') find(account, 1, '')
else if (action === 'clear') remove(account, 1)
else process.exit(2)
`

/** \`security\` of macOS. */
const SECURITY = `
if (parameters.join(' ') === '-i') {
  const [, account, value] = /^add-generic-password -U -s mintmark -a (\\S+) -w (\\S+)\\n$/.exec(readInput())
  store(account, value)
} else {
  const [, action, account] = /^(\\S+) -s mintmark -a (\\S+)(?: -w)?$/.exec(parameters.join(' '))
  if (action === 'find-generic-password') find(account, 44, '\\n')
  else if (action === 'delete-generic-password') remove(account, 44)
  else process.exit(2)
}
`

/** PowerShell with the scripts for the Credential Locker. */
const POWERSHELL = `
const script = parameters.at(-1)
const [, account] = /'mintmark', '([^']+)'/.exec(script)
if (script.includes('$vault.Add(')) store(account, readInput())
else if (script.includes('$vault.Remove(')) remove(account, 44)
else find(account, 44, '')
`

const TOOLS = { linux: SECRET_TOOL, darwin: SECURITY, win32: POWERSHELL } as const
export type KeychainPlatform = keyof typeof TOOLS

/**
 * Creates a keychain with a fake tool of an operating system, and the variables of the environment that lead
 * to it.
 */
export async function createFakeKeychain(platform: KeychainPlatform) {
  const folder = createFolder()
  const tool = join(
    folder,
    {
      linux: 'secret-tool',
      darwin: 'security',
      win32: join('System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    }[platform],
  )
  await mkdir(dirname(tool), { recursive: true })
  await writeFile(tool, `#!${process.execPath}\n${SHARED}${TOOLS[platform]}`)
  await chmod(tool, 0o755)
  const file = join(folder, 'entries.json')
  return {
    variables: { PATH: folder, SystemRoot: folder, FAKE_KEYCHAIN: file },
    /** Returns the parameters of all calls, which other users of the machine could read. */
    readParameters: () => readFile(`${file}.log`, 'utf8'),
    async readEntries(): Promise<Readonly<Record<string, string>>> {
      return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {}
    },
  }
}
