// Runs a task of the repository: `node tools/setup.mjs <task> [arguments]`. `start` is tools/start/main.ts, `new:group` is
// tools/new/group.ts. A task outside of tools is named by its path: `docs/site/main.ts`.
//
// It needs Node 20 or later and nothing else. It installs what the task needs when that is missing or its lockfile has changed,
// and runs the task with the Node of the lockfile.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
/** Contains the id of the process that installs. It is outside of node_modules, which people remove. */
const lock = join(root, '.mintmark-installing')
const node = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** No tool sends statistics, prompts or leaves a process behind. */
const quiet = {
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_INTERACTIVE: 'false',
  NX_TUI: 'false',
  SCARF_ANALYTICS: 'false',
}

/** Node keeps compiled modules here. A server starts from sources in half of the time. */
const compileCache = join(modules, '.cache', 'node-compile')

function fail(/** @type {string} */ message) {
  console.error(message)
  process.exit(1)
}

/** What every installation gets: what runs and builds the servers and the console. */
const RUNTIME = 'runtime'
/** What checks and tests the packages too. */
const DEVELOPMENT = 'development'
/** What tasks need beside that: folders with a lockfile of their own. Other tasks need `DEVELOPMENT`. */
const NEEDS = {
  start: [RUNTIME],
  build: [RUNTIME],
  'examples/tour/main.ts': [RUNTIME],
  'docs/site/main.ts': [RUNTIME, 'docs'],
  test: [DEVELOPMENT, 'docs', 'tools/gates'],
  'gates:api': [DEVELOPMENT, 'tools/gates'],
  'test:release': [DEVELOPMENT, 'docs', 'tools/gates', 'tools/toolchains'],
  'test:night': [DEVELOPMENT, 'tools/toolchains'],
  'test:all': [DEVELOPMENT, 'docs', 'tools/gates', 'tools/toolchains'],
}

const folderOf = (/** @type {string} */ need) =>
  need === RUNTIME || need === DEVELOPMENT ? root : join(root, need)

/** Contains what was installed in a folder. */
const stampOf = (/** @type {string} */ need) => join(folderOf(need), 'node_modules', '.mintmark-installed')

/** What was installed when this is in the stamp: the lockfile, and the machine that native packages are chosen for. */
function requiredStamp(/** @type {string} */ need) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  return `${need} ${hash.update(readFileSync(join(folderOf(need), 'package-lock.json'))).digest('hex')}`
}

const readStamp = (/** @type {string} */ need) =>
  existsSync(stampOf(need)) ? readFileSync(stampOf(need), 'utf8') : ''

/** A folder that has the packages of development keeps them. */
const toInstall = (/** @type {string} */ need) =>
  need === RUNTIME && readStamp(need).startsWith(DEVELOPMENT) ? DEVELOPMENT : need

const isInstalled = (/** @type {string} */ need) => readStamp(need) === requiredStamp(toInstall(need))

function isAlive(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Waits for another process that installs. The lock of a process that died is removed. */
async function takeLock() {
  for (;;) {
    try {
      return writeFileSync(lock, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0
    if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true })
    else await sleep(200)
  }
}

/** The options of npm, for each of its runs in turn. */
function installOptions(/** @type {string} */ need) {
  if (need !== RUNTIME) return [['--include=dev']]
  // All of the console is bundled, so it needs its devDependencies.
  return [['--omit=dev'], ['--include=dev', '--workspace=packages/console']]
}

function install(/** @type {string} */ need) {
  const folder = folderOf(need)
  console.error(
    `Installing ${relative(root, join(folder, 'package-lock.json'))}. This takes a minute or two.`,
  )
  rmSync(stampOf(need), { force: true })
  // npm passes its own path to its scripts. Otherwise it is found on PATH, on Windows by a shell.
  const cli = process.env.npm_execpath
  const own = cli !== undefined && /npm-cli\.[cm]?js$/.test(cli)
  for (const chosen of installOptions(need)) {
    // `npm ci` refuses a lockfile without the binaries of every platform. `--no-save` keeps the lockfile as it
    // is.
    const options = ['install', '--no-save', ...chosen, '--no-audit', '--no-fund', '--loglevel=error']
    const { status, error } = spawnSync(own ? process.execPath : 'npm', own ? [cli, ...options] : options, {
      cwd: folder,
      env: { ...process.env, ...quiet },
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: !own && process.platform === 'win32',
    })
    if (status !== 0) return `npm install failed${error ? `: ${error.message}` : ''}. See above.`
  }
  writeFileSync(stampOf(need), requiredStamp(need))
  return undefined
}

/** The file of a task, or undefined. */
function findTask(/** @type {string} */ task) {
  const [, folder, name = 'main'] = /^([a-z][a-z-]*)(?::([a-z][a-z-]*))?$/.exec(task) ?? []
  const path = folder === undefined ? task : `tools/${folder}/${name}.ts`
  const file = join(root, path)
  return path.endsWith('.ts') && existsSync(file) ? file : undefined
}

function run(/** @type {string} */ file, /** @type {string[]} */ parameters) {
  const PATH = [dirname(node), join(modules, '.bin'), process.env.PATH ?? ''].join(delimiter)
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, ...quiet, PATH }
  const child = spawn(node, ['--conditions=@mintmark/source', file, ...parameters], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
  // A terminal sends Ctrl-C to the whole group, so the task has received it already.
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (signal === 'SIGINT' && terminal) || child.kill(signal))
  // npm runs this in a shell, which SIGTERM ends without passing it on.
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell || process.env.npm_lifecycle_event === undefined) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500).unref()
  child.on('error', (error) => fail(`The task did not start: ${error.message}`))
  child.on('exit', (status, signal) => {
    process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0)
  })
}

const [task = '', ...parameters] = process.argv.slice(2)
const file = findTask(task)
if (Number(process.versions.node.split('.')[0]) < 20) fail('Node 20 or later is required.')
if (file === undefined) fail(`There is no task "${task}". tools/README.md lists the tasks.`)
for (const need of NEEDS[task] ?? [DEVELOPMENT]) {
  if (isInstalled(need)) continue
  await takeLock()
  const problem = isInstalled(need) ? undefined : install(toInstall(need))
  rmSync(lock, { force: true })
  if (problem !== undefined) fail(problem)
}
const { version } = JSON.parse(readFileSync(join(modules, 'node', 'package.json'), 'utf8'))
const found = existsSync(node)
  ? spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim()
  : 'missing'
if (found !== `v${version}`) {
  fail(
    `${node} is ${found}, not v${version}. Remove node_modules and retry. The package "node" downloads its binary in an install script (npm config get ignore-scripts).`,
  )
}
run(file, parameters)
