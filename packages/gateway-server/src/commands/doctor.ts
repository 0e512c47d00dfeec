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
  defineCheck,
  type Problems,
  type SettingsSource,
  warnIf,
} from '@mintmark/server-kit/doctor'
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
  from gateway.api_key_secrets secret join gateway.api_keys key on key.id = key_id
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
    dataChecks: () => [],
    checks: ({ chains, indexer, app: { mail } }, isValid) => [
      ...createChainChecks(isValid('CHAINS') ? chains : [], {
        now,
        logBlocks: indexer.rangeBlocks,
        logAction: 'Use a node without this limit',
      }),
      ...(mail !== undefined && isValid('SMTP_URL', 'MAIL_FROM') ? [createMailCheck(mail)] : []),
    ],
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
