import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createFolder, runCommand, VARIABLES } from './testing/run-command.ts'

const main = join(import.meta.dirname, 'main.ts')

/** Installs a package @mintmark/mcp with a program of our own. Returns the program. */
async function installServer(folder: string, source = ''): Promise<string> {
  const packageFolder = join(folder, 'node_modules', '@mintmark', 'mcp')
  await mkdir(packageFolder, { recursive: true })
  const manifest = { name: '@mintmark/mcp', type: 'module', bin: { 'mintmark-mcp': './server.js' } }
  await writeFile(join(packageFolder, 'package.json'), JSON.stringify(manifest))
  const program = join(packageFolder, 'server.js')
  await writeFile(program, source)
  return program
}

async function writeProfile(homeFolder: string, name: string, profile: object): Promise<void> {
  const file = join(homeFolder, '.config', 'mintmark', 'config.json')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify({ profiles: { [name]: profile } }), { mode: 0o600 })
}

/** Records how the server is started. */
function createRunner(exitCode = 0) {
  const runs: {
    file: string
    parameters: readonly string[]
    variables: Record<string, string | undefined>
  }[] = []
  async function runFile(
    file: string,
    parameters: readonly string[],
    variables: Readonly<Record<string, string | undefined>>,
  ): Promise<number> {
    runs.push({ file, parameters, variables: { ...variables } })
    return exitCode
  }
  return { runs, runFile }
}

it('mintmark mcp starts the installed server with its options, and with the credentials of one profile only', async () => {
  const folder = createFolder()
  const homeFolder = createFolder()
  const program = await installServer(folder)
  const gateway = { baseUrl: 'https://live.test', apiKey: 'mk_live', secret: 'sk_live' }
  await writeProfile(homeFolder, 'live', { gateway })
  const { runs, runFile } = createRunner()
  const variables = { ...VARIABLES, MINTMARK_MCP_TOKEN: 'token_of_mcp' }
  const words = ['mcp', '--allow', 'orders.*', '--profile', 'live', '--http', '4100', '--confirm-payments']
  const settings = { homeFolder, variables, runFile, programFiles: [join(folder, 'mintmark.js')] }
  const result = await runCommand(words, settings)
  expect(result).toEqual({ exitCode: 0, output: '', errors: '' })
  expect(runs).toHaveLength(1)
  const [run] = runs
  expect(run?.file).toBe(program)
  expect(run?.parameters).toEqual(['--allow', 'orders.*', '--http', '4100', '--confirm-payments'])
  expect(run?.variables).toEqual({
    MINTMARK_GATEWAY_URL: 'https://live.test',
    MINTMARK_API_KEY: 'mk_live',
    MINTMARK_SECRET: 'sk_live',
    MINTMARK_FACILITATOR_URL: undefined,
    MINTMARK_FACILITATOR_TOKEN: undefined,
    MINTMARK_MCP_TOKEN: 'token_of_mcp',
  })
})

it('mintmark mcp passes the options behind -- to the server, such as --help', async () => {
  const folder = createFolder()
  await installServer(folder)
  const { runs, runFile } = createRunner()
  await runCommand(['mcp', '--', '--help'], { runFile, programFiles: [join(folder, 'mintmark.js')] })
  expect(runs.map(({ parameters }) => parameters)).toEqual([['--help']])
})

it('mintmark mcp names the commands that install the server, which no install of mintmark has by default', async () => {
  const programFiles = [join(createFolder(), 'mintmark.js')]
  const { exitCode, errors, output } = await runCommand(['mcp'], { programFiles })
  expect([exitCode, output]).toEqual([2, ''])
  expect(errors).toContain('npm install --global @mintmark/mcp')
  expect(errors).toContain('npx -p mintmark -p @mintmark/mcp mintmark mcp')
})

it('mintmark mcp does not run a package of the current folder, which may belong to somebody else', async () => {
  const currentFolder = createFolder()
  await installServer(currentFolder)
  const programFiles = [join(createFolder(), 'mintmark.js')]
  const { runs, runFile } = createRunner()
  const { exitCode } = await runCommand(['mcp'], { currentFolder, runFile, programFiles })
  expect([exitCode, runs]).toEqual([2, []])
})

it('mintmark mcp needs credentials, and ends with the exit code of the server', async () => {
  const folder = createFolder()
  await installServer(folder)
  const programFiles = [join(folder, 'mintmark.js')]
  const { runs, runFile } = createRunner(2)
  const missing = await runCommand(['mcp'], { runFile, programFiles, variables: {} })
  expect([missing.exitCode, runs]).toEqual([2, []])
  expect(missing.errors).toContain('There are no credentials for the gateway')
  const failed = await runCommand(['mcp', '--allow', 'nothing'], { runFile, programFiles })
  expect([failed.exitCode, failed.errors, runs.length]).toEqual([2, '', 1])
})

it('mintmark mcp finds the server next to a link to the program, and connects it to its own input and outputs', async () => {
  const folder = createFolder()
  await installServer(
    folder,
    `process.stdin.pipe(process.stdout)
      process.stderr.write(process.env.MINTMARK_API_KEY + ' ' + process.argv.slice(2))`,
  )
  const link = join(folder, 'node_modules', '.bin', 'mintmark')
  await mkdir(dirname(link))
  await symlink(main, link)
  const parameters = ['--conditions=@mintmark/source', link, 'mcp', '--groups', 'cards']
  const child = spawn(process.execPath, parameters, { env: { ...VARIABLES, HOME: folder }, cwd: folder })
  child.stdin.end('{"method":"ping"}\n')
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  expect({ output, errors, exitCode }).toEqual({
    output: '{"method":"ping"}\n',
    errors: 'mk_test --groups,cards',
    exitCode: 0,
  })
})

it('mintmark mcp ends the server when it is ended', async () => {
  const folder = createFolder()
  const stopped = join(folder, 'stopped')
  await installServer(
    folder,
    `import { writeFileSync } from 'node:fs'
      process.once('SIGTERM', () => { writeFileSync(${JSON.stringify(stopped)}, 'SIGTERM'); process.exit() })
      process.stdin.resume()
      process.stdout.write('ready')`,
  )
  const link = join(folder, 'mintmark')
  await symlink(main, link)
  const child = spawn(process.execPath, ['--conditions=@mintmark/source', link, 'mcp'], {
    env: { ...VARIABLES, HOME: folder },
    cwd: folder,
  })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  const [exitCode] = await once(child, 'close')
  expect(exitCode).toBe(0)
  expect(await readFile(stopped, 'utf8')).toBe('SIGTERM')
})
