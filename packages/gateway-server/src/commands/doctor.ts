import { createChainChecks } from '@mintmark/evm-reader/doctor'
import {
  type Command,
  createSecretKey,
  readStorageSettings,
  type StorageSettings,
  serverSettings,
} from '@mintmark/server-kit'
import {
  createDoctorCommand,
  createReplicaCheck,
  type DatabaseReader,
  defineCheck,
  failIf,
  type Problems,
  readRows,
  type SettingsSource,
  warnIf,
} from '@mintmark/server-kit/doctor'
import {
  AUDIT_ENTRIES,
  EVENTS,
  type PartitionedTable,
  partitionAt,
  SELECT_PARTITIONS,
} from '../database/partitions.ts'
import { findMailProblem, type MailSettings } from '../domains/people/mailer.ts'
import { type Configuration, readConfiguration } from '../main/configuration.ts'
import { gatewaySchema } from '../main/server.ts'
import { OTHER_CONNECTIONS } from '../main/server-databases.ts'
import { gatewaySettings } from '../main/settings.ts'

interface GatewaySettings extends Configuration {
  readonly storage: StorageSettings
}

/** How the gateway reads its settings. All others have defaults. */
const source: SettingsSource<GatewaySettings> = {
  declarations: gatewaySettings,
  valid: {
    DATABASE_URL: 'postgres://127.0.0.1/valid',
    SECRET_KEYS: createSecretKey('valid'),
    // All or none of these are set.
    OIDC_NAME: 'valid',
    OIDC_DISCOVERY_URL: 'https://valid.example/',
    OIDC_CLIENT_ID: 'valid',
    OIDC_CLIENT_SECRET: 'valid',
    PUBLIC_URL: 'https://valid.example/',
    SMTP_URL: 'smtps://valid.example',
    MAIL_FROM: 'valid@valid.example',
    FACILITATOR_URL: 'https://valid.example/',
    FACILITATOR_OPERATOR_TOKEN: 'valid'.repeat(8),
  },
  read(env) {
    serverSettings.LOG_LEVEL.parse(env.text('LOG_LEVEL'), 'LOG_LEVEL')
    return { storage: readStorageSettings(env), ...readConfiguration(env) }
  },
}

/** The stored secrets of API keys, mint signers, webhooks and the console. */
const SELECT_SEALED = `
  select 'gateway.api_key_secrets' as "table", sealed, key.project_id as project, secret.id::text as "row"
  from gateway.api_key_secrets secret join gateway.api_keys key on key.id = key_id and key.project_id = secret.project_id
  union all select 'gateway.minter_keys', sealed, project_id, project_id::text from gateway.minter_keys
  union all select 'gateway.people_secret', sealed, 0, id::text from gateway.people_secret
  union all select 'gateway.webhooks', unnest(array[secret, previous_secret]), project_id, id::text
  from gateway.webhooks`

/** @param now For tests: milliseconds, by default of the clock of this machine. */
export const createGatewayDoctor = (now?: () => number): Command =>
  createDoctorCommand({
    now,
    source,
    listen: ({ listen: { host, port }, app: { trustedProxyHops } }) => ({
      host,
      port,
      portSetting: 'GATEWAY_PORT',
      trustedProxyHops,
    }),
    contradictions: listContradictions,
    plan: gatewaySchema,
    extensions: ['pg_trgm', 'btree_gin'],
    sealed: SELECT_SEALED,
    otherConnections: OTHER_CONNECTIONS,
    dataChecks: () => [...[EVENTS, AUDIT_ENTRIES].map(createPartitionCheck), heldProjects],
    checks: ({ chains, indexer, app: { mail }, storage, readDatabaseUrl }, isValid) => [
      ...(readDatabaseUrl !== undefined && isValid('DATABASE_URL', 'READ_DATABASE_URL')
        ? [createReplicaCheck(storage.databaseUrl, readDatabaseUrl)]
        : []),
      ...createChainChecks(isValid('CHAINS') ? chains : [], {
        now,
        logBlocks: indexer.rangeBlocks,
        logAction: 'Use a node without this limit',
      }),
      ...(mail !== undefined && isValid('SMTP_URL', 'MAIL_FROM') ? [createMailCheck(mail)] : []),
    ],
  })

/**
 * Creates the check that the present period of a table and the next ones have partitions, apart from the last,
 * which the maintenance may be about to create.
 */
const createPartitionCheck = (table: PartitionedTable) =>
  defineCheck({
    area: 'database',
    name: `The partitions of gateway.${table.name}`,
    async read(db: DatabaseReader) {
      const existing = await readRows<{ name: string }>(SELECT_PARTITIONS, table.name)(db)
      const clock = await readRows<{ time: Date }>('select clock_timestamp() as time')(db)
      const time = clock[0]?.time ?? new Date()
      const names = Array.from({ length: table.ahead }, (_, offset) => partitionAt(table, time, offset).name)
      return [names.filter((name) => !existing.some((each) => each.name === name))]
    },
    problems: (missing) => [
      failIf(missing.length > 0)`
        gateway.${table.name} has no partition ${missing.join(', ')}, so its rows are in the default partition, which is not dropped at once
        Run mintmark-gateway migrate, and read why the job "maintenance" of the servers fails in their log`,
    ],
    ok: () => `gateway.${table.name} has the partitions of the next ${table.period}s`,
  })

const heldProjects = defineCheck({
  area: 'database',
  name: 'The projects that are being moved',
  read: async (db: DatabaseReader) => [
    await readRows<{ id: number; cell: string }>(
      `select id, cell from gateway.projects where state = 'FROZEN' order by id`,
    )(db),
  ],
  problems: (held) => [
    warnIf(held.length > 0)`
      Writes of the project ${held.map(({ id, cell }) => `${id}, which moves to ${cell}`).join(', and of ')}, are refused
      If no move is running, run mintmark-gateway projects move again, or with --undo`,
  ],
  ok: () => 'No project refuses writes',
})

/** Creates the check that the mail server answers and accepts the login. It sends no mail. */
const createMailCheck = (mail: MailSettings) =>
  defineCheck({
    area: 'network',
    name: 'SMTP_URL',
    read: async () => [await findMailProblem(mail)],
    problems: (problem) => [
      warnIf(problem !== undefined)`
        The mail server does not accept mails (${problem?.code}${problem?.reply === undefined ? '' : ` ${problem.reply}`}), so people must copy links
        Correct host, port, user and password in SMTP_URL, and let the firewall of this machine connect`,
    ],
    ok: () => 'The mail server responds',
  })

function listContradictions({
  connections,
  app,
  eventStreams,
  listen,
  ...settings
}: GatewaySettings): Problems {
  const { concurrentCalls } = app
  return [
    warnIf(settings.chains.length === 0)`CHAINS is not set, so nothing can be listed or paid
      Set CHAINS to the nodes of each chain, such as 8453=https://…,https://…`,
    warnIf(concurrentCalls >= connections)`
      CONCURRENT_CALLS_PER_PROJECT (${concurrentCalls}) is not below DATABASE_CONNECTIONS (${connections}), so one project can use all connections
      Set CONCURRENT_CALLS_PER_PROJECT to ${Math.max(2, Math.floor(connections / 2))}, or raise DATABASE_CONNECTIONS`,
    warnIf(eventStreams.streams >= listen.maxConnections)`
      EVENT_STREAMS (${eventStreams.streams}) is not below MAX_CONNECTIONS (${listen.maxConnections}), so streams can use all connections
      Raise MAX_CONNECTIONS above ${eventStreams.streams}`,
    warnIf(settings.eventRetentionDays < 2)`
      EVENT_RETENTION_DAYS is below 2, so an event can be deleted before the last attempt to deliver it
      Set EVENT_RETENTION_DAYS to 2 or more`,
  ]
}

export const doctorCommands: Record<string, Command> = { doctor: createGatewayDoctor() }
