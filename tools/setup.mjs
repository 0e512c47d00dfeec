// The one way into the repository's tasks: `node tools/setup.mjs <task> [arguments]`.
//
// It runs on the Node a machine happens to have (20 or later, built-ins only), installs what the lockfile names when that has
// changed, and runs the task with the Node the lockfile names.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const lockfile = join(root, 'package-lock.json')
/** Holds the hash of the lockfile that was installed. */
const stamp = join(modules, '.mintmark-installed')
/** Held by the process that installs: its process id is the content. Outside node_modules, which people remove. */
const installing = join(root, '.mintmark-installing')
const node = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** A message for the person at the terminal; its text says what to do. */
class SetupProblem extends Error {}

/** @returns {string} the file of a task: `tour` is tools/tour/main.ts, `release:dry` is tools/release/dry.ts */
function taskFile(/** @type {string | undefined} */ task) {
  const [, folder, name = 'main'] = /^([a-z][a-z-]*)(?::([a-z][a-z-]*))?$/.exec(task ?? '') ?? []
  const file = folder === undefined ? undefined : join(root, 'tools', folder, `${name}.ts`)
  if (file !== undefined && existsSync(file)) return file
  const named = [...readdirSync(join(root, 'tools')), 'new:group', 'release:dry'].sort()
  const known = named.filter((each) => {
    const [folder, name = 'main'] = each.split(':')
    return existsSync(join(root, 'tools', folder, `${name}.ts`))
  })
  throw new SetupProblem(
    `${task === undefined ? 'No task was named.' : `There is no task "${task}".`} Tasks: ${known.join(', ')}.`,
  )
}

/** What an install depends on: the lockfile, and the machine that native packages were chosen for. */
function wantedInstall() {
  return createHash('sha256')
    .update(`${process.platform} ${process.arch}\n`)
    .update(readFileSync(lockfile))
    .digest('hex')
}

function readIfThere(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Whether somebody already installed this lockfile by hand: npm records what it put there once it is done. Packages for other
 * machines are not there.
 */
function installedByHand() {
  const record = readIfThere(join(modules, '.package-lock.json'))
  if (record === undefined) return false
  const present = JSON.parse(record).packages
  return Object.entries(JSON.parse(readFileSync(lockfile, 'utf8')).packages).every(
    ([path, wanted]) =>
      path === '' ||
      !path.includes('node_modules/') ||
      wanted.optional === true ||
      present[path]?.version === wanted.version,
  )
}

function isInstalled() {
  const wanted = wantedInstall()
  if (readIfThere(stamp) === wanted) return true
  if (!installedByHand()) return false
  writeFileSync(stamp, wanted)
  return true
}

function isAlive(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Removes the lock of a holder that died, unless another process was quicker and the lock is now its own. */
function removeAbandoned(/** @type {string} */ holder) {
  const aside = `${installing}.${process.pid}`
  try {
    renameSync(installing, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, installing)
  rmSync(aside)
}

/** Takes the right to install, waiting for another process that has it; a holder that died without a word is passed over. */
async function takeInstallLock() {
  for (let told = false; ; await sleep(200)) {
    try {
      writeFileSync(installing, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = readIfThere(installing)
    if (holder !== undefined && holder !== '' && !isAlive(Number(holder))) {
      removeAbandoned(holder)
    } else if (!told) {
      told = true
      console.error(
        `Waiting for another install (process ${holder || 'unknown'}). If there is none, remove ${installing}.`,
      )
    }
  }
}

async function install() {
  await takeInstallLock()
  try {
    if (isInstalled()) return
    console.error('Installing what package-lock.json names; this takes a minute or two.')
    rmSync(stamp, { force: true })
    // npm tells its scripts where it lives, which spares a search and, on Windows, a shell.
    const cli = process.env.npm_execpath
    const own = cli !== undefined && /npm-cli\.[cm]?js$/.test(cli)
    // Not `npm ci`: it refuses a lockfile that does not name the binaries of every platform, and a registry that lacks some leaves
    // them out when the lockfile is written. `--no-save` keeps the lockfile as it is. Development packages are wanted whatever
    // NODE_ENV says: they build and test the repository. npm's warnings are about the Node that only begins here.
    const options = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
    const { status, signal, error } = spawnSync(
      own ? process.execPath : 'npm',
      own ? [cli, ...options] : options,
      {
        cwd: root,
        env: { ...process.env, ...quiet },
        stdio: ['ignore', 'inherit', 'inherit'],
        shell: !own && process.platform === 'win32',
      },
    )
    if (error !== undefined) throw new SetupProblem(`npm could not be started: ${error.message}`)
    if (status !== 0) {
      throw new SetupProblem(
        `npm install ended with ${signal ?? `status ${status}`}; its own message stands above. The next call tries again.`,
      )
    }
    writeFileSync(stamp, wantedInstall())
  } finally {
    rmSync(installing, { force: true })
  }
}

/** Refuses to go on with another Node than the one the repository is built and tested with. */
function checkNode() {
  const remedy =
    'Remove node_modules and run this again. If that does not help, look whether npm is told to skip install scripts'
  const hint = `${remedy} (npm config get ignore-scripts): the package "node" fetches its binary in one.`
  if (!existsSync(node)) throw new SetupProblem(`${node} is missing. ${hint}`)
  const { stdout, error } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (error !== undefined) throw new SetupProblem(`${node} does not run here: ${error.message}. ${hint}`)
  const wanted = JSON.parse(readFileSync(join(modules, 'node', 'package.json'), 'utf8')).version
  if (stdout.trim() !== `v${wanted}`) {
    throw new SetupProblem(`${node} is ${stdout.trim() || 'of no version'}, not v${wanted}. ${hint}`)
  }
}

/** No tool reports home, asks a question or leaves a process behind. */
const quiet = {
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_INTERACTIVE: 'false',
  NX_TUI: 'false',
  SCARF_ANALYTICS: 'false',
}

function run(/** @type {string} */ file, /** @type {string[]} */ parameters) {
  const child = spawn(node, ['--conditions=@mintmark/source', file, ...parameters], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...quiet,
      PATH: [dirname(node), join(modules, '.bin'), process.env.PATH ?? ''].join(delimiter),
    },
  })
  // A terminal sends Ctrl-C to the whole group, so the task has it already; sent twice it would read as impatience.
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !terminal) child.kill(signal)
    })
  }
  child.on('error', (error) => {
    console.error(`The task could not be started: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (status, signal) => {
    process.exitCode = status ?? 128 + (constants.signals[signal] ?? 0)
  })
}

try {
  const [task, ...parameters] = process.argv.slice(2)
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new SetupProblem(
      `This is Node ${process.versions.node}; version 20 or later is needed to begin with.`,
    )
  }
  const file = taskFile(task)
  if (!isInstalled()) await install()
  checkNode()
  run(file, parameters)
} catch (error) {
  if (!(error instanceof SetupProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
}
