import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'vitest'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { findFreePort } from '../free-port.ts'

/** The ports of the processes behind a proxy, up to four of each server. */
export interface Backends {
  readonly gateway: readonly number[]
  readonly facilitator: readonly number[]
}

/** A proxy whose file the guide has. */
export interface ProxyServer {
  readonly name: string
  /** The path of the program. Undefined if it is not installed. */
  readonly program: string | undefined
  /** Starts the program with the file of the guide, without TLS. Returns its port. */
  start(stops: AsyncDisposableStack, backends: Backends): Promise<number>
}

/** Ends a process, and waits until it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Finds the path of an installed program. */
export const findProgram = (name: string) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/opt/homebrew/bin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

/** Reads a file of the guide, with the processes of this machine in place of those of the example, which are four. */
function readSite(file: string, backends: Backends): string {
  let site = readFileSync(join(repositoryRoot, 'docs/deploy', file), 'utf8')
  for (const [ports, examplePort] of [
    [backends.gateway, 4000],
    [backends.facilitator, 4001],
  ] as const) {
    for (const [index, port] of ports.entries())
      site = site.replace(`10.0.0.1${index + 1}:${examplePort}`, `127.0.0.1:${port}`)
  }
  return site.replace(/^ *server .*\b10\.0\.0\..*\n/gm, '')
}

/** Creates a temporary folder for a program. */
export function createFolder(stops: AsyncDisposableStack, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `mintmark-${name}-`))
  stops.defer(() => rmSync(folder, { recursive: true, maxRetries: 3 }))
  return folder
}

/** Starts a program that has accepted its configuration, and waits until its port is open. */
async function startProgram(
  stops: AsyncDisposableStack,
  program: string,
  parameters: readonly string[],
  port: number,
): Promise<void> {
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  stops.defer(() => end(child, 'SIGTERM'))
  const isOpen = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isOpen).toBe(true)
}

const nginx = findProgram('nginx')
const haproxy = findProgram('haproxy')

export const PROXIES: readonly ProxyServer[] = [
  {
    name: 'nginx',
    program: nginx,
    async start(stops, backends) {
      const folder = createFolder(stops, 'nginx')
      const port = await findFreePort()
      const site = readSite('nginx.conf', backends)
        .replace(/^ *ssl_.*\n/gm, '')
        .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port}`)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      )
      const configuration = [
        ...(process.getuid?.() === 0 ? ['user root;'] : []),
        `daemon off; pid ${folder}/nginx.pid; error_log stderr crit; worker_processes 2;`,
        'events { worker_connections 1024; }',
        `http { access_log off; ${temporary.join(' ')}\n${site}}`,
      ]
      const file = join(folder, 'nginx.conf')
      writeFileSync(file, configuration.join('\n'))
      const parameters = ['-p', folder, '-e', 'stderr', '-c', file]
      const check = spawnSync(nginx ?? '', ['-t', ...parameters], { encoding: 'utf8' })
      expect(check.stderr).toContain('test is successful')
      await startProgram(stops, nginx ?? '', parameters, port)
      return port
    },
  },
  {
    name: 'HAProxy',
    program: haproxy,
    async start(stops, backends) {
      const port = await findFreePort()
      const site = readSite('haproxy.cfg', backends)
        .replace(/^ *(?:user|group|log|option httplog)\b.*\n/gm, '')
        .replace(/bind :443 ssl .*/, `bind 127.0.0.1:${port}`)
      const file = join(createFolder(stops, 'haproxy'), 'haproxy.cfg')
      writeFileSync(file, site)
      // Warnings of the check fail it too.
      const check = spawnSync(haproxy ?? '', ['-c', '-dW', '-f', file], { encoding: 'utf8' })
      expect([check.status, check.stdout.trim(), check.stderr]).toEqual([
        0,
        'Configuration file is valid',
        '',
      ])
      await startProgram(stops, haproxy ?? '', ['-db', '-q', '-f', file], port)
      return port
    },
  },
]
