import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder, createStub, runCommand } from '../testing/run-command.ts'

const URL_OF_PAY = 'https://pay.test'
const getFile = (homeFolder: string) => join(homeFolder, '.config', 'mintmark', 'config.json')

/** Creates a home with one profile. */
async function createHome(profile: object): Promise<string> {
  const homeFolder = createFolder()
  await mkdir(dirname(getFile(homeFolder)), { recursive: true })
  await writeFile(getFile(homeFolder), JSON.stringify({ profiles: { live: profile } }), { mode: 0o600 })
  return homeFolder
}

it.each([
  ['the file', { token: 'token_live' }],
  ['the keychain', { keychain: 'facilitator/live' }],
])(
  'mintmark try creates no wallet for a profile whose key, in %s, is of another wallet',
  async (_, secret) => {
    const homeFolder = await createHome({ facilitator: { baseUrl: URL_OF_PAY, ...secret } })
    const before = await readFile(getFile(homeFolder), 'utf8')
    const { requests, fetch } = createStub(() => Response.json({ reason: 'payer_mismatch' }, { status: 403 }))
    const settings = { homeFolder, fetch, variables: {} }
    const { exitCode, errors } = await runCommand(['try', '--profile', 'live'], settings)
    expect([exitCode, requests]).toEqual([2, []])
    expect(errors).toContain('Set MINTMARK_PRIVATE_KEY')
    expect(await readFile(getFile(homeFolder), 'utf8')).toBe(before)
  },
)
