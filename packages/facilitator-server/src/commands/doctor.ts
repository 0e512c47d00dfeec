import { openChains } from '@mintmark/evm-reader'
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
  failIf,
  type IsValid,
  type Problems,
  type SettingsSource,
  warnIf,
} from '@mintmark/server-kit/doctor'
import { mnemonicToAccount } from 'viem/accounts'
import { openSvmChain } from '../chains/solana/svm-nodes.ts'
import { createSvmStatusReader } from '../chains/solana/svm-status.ts'
import { type Configuration, readConfiguration } from '../configuration.ts'
import { facilitatorSchema } from '../database/schema.ts'
import { OTHER_CONNECTIONS } from '../server.ts'
import { facilitatorSettings } from '../settings.ts'
import { createBatchCheck, createSolanaCheck, createTreasuryCheck } from './doctor-chains.ts'
import { createPendingCheck, createRemoteSignerCheck, createSignerCheck } from './doctor-signers.ts'

interface FacilitatorSettings extends Configuration {
  readonly storage: StorageSettings
}

/** How the facilitator reads its settings. The valid ones replace those that are required and missing. */
const source: SettingsSource<FacilitatorSettings> = {
  declarations: facilitatorSettings,
  valid: {
    DATABASE_URL: 'postgres://127.0.0.1/valid',
    SECRET_KEYS: createSecretKey('valid'),
    CHAINS: '1=http://127.0.0.1',
    FACILITATOR_SIGNER_KEYS: '1'.repeat(64),
    TREASURY_CHAIN: '1',
    TREASURY_ADDRESS: `0x${'1'.repeat(40)}`,
  },
  read(env) {
    serverSettings.LOG_LEVEL.parse(env.text('LOG_LEVEL'), 'LOG_LEVEL')
    return { storage: readStorageSettings(env), ...readConfiguration(env) }
  },
}

/** The stored secrets of webhooks. */
const SELECT_SEALED = `
  select 'facilitator.webhooks' as "table", unnest(array[secret, previous_secret]) as sealed,
    account_id as project, id::text as "row"
  from facilitator.webhooks where status <> 'REMOVED'`

/** Blocks per request for logs. A node that refuses receives smaller requests. */
const LOG_BLOCKS = 2_000

/** The settings that decide which signers have a key, and where they are needed. */
const SIGNER_SETTINGS = [
  'CHAINS',
  'FACILITATOR_SIGNER_KEYS',
  'REMOTE_SIGNER_URL',
  'REMOTE_SIGNER_ADDRESSES',
  'RETIRED_SIGNERS',
]

/** @param now For tests: milliseconds, by default of the clock of this machine. */
export const createFacilitatorDoctor = (now?: () => number): Command =>
  createDoctorCommand({
    now,
    source,
    listen: (settings) => ({ ...settings, portSetting: 'FACILITATOR_PORT' }),
    contradictions: listContradictions,
    plan: facilitatorSchema,
    extensions: [],
    sealed: SELECT_SEALED,
    otherConnections: OTHER_CONNECTIONS,
    dataChecks: (settings, isValid) => (isValid(...SIGNER_SETTINGS) ? listDataChecks(settings) : []),
    checks: (settings, isValid) => (isValid('CHAINS') ? listChainChecks(settings, isValid, now) : []),
  })

function listChainChecks(config: Configuration, isValid: IsValid, now: (() => number) | undefined) {
  const { chains, svm, remoteSigner } = config
  const networks = svm.chains.map(({ network, rpcUrls }) => openSvmChain(network, rpcUrls))
  const feePayers = isValid('SOLANA_SIGNER_KEYS') ? svm.feePayers.map(({ address }) => address) : []
  return [
    ...createChainChecks(chains, { now, logBlocks: LOG_BLOCKS, logAction: 'Use a node without this limit' }),
    createSolanaCheck(createSvmStatusReader(networks, feePayers)),
    ...(isValid('TREASURY_CHAIN', 'TREASURY_ADDRESS')
      ? [createTreasuryCheck(config, openChains(chains))]
      : []),
    ...(remoteSigner === undefined ? [] : [createRemoteSignerCheck(remoteSigner)]),
  ]
}

function listDataChecks(config: Configuration) {
  const chains = openChains(config.chains)
  const signers = config.signers.map(({ address }) => address)
  const builtIn = { signers, retired: config.retiredSigners }
  // Only transactions of our signers are batched.
  const settlesHere = config.upstreamUrl === undefined && signers.length > 0
  return [
    createSignerCheck({ config, payments: { chains, builtIn, svm: undefined } }),
    createPendingCheck(new Set(signers)),
    ...(settlesHere ? [createBatchCheck(chains)] : []),
  ]
}

/** The addresses of the default accounts of anvil and Hardhat. */
const listPublicSigners = (): readonly string[] =>
  Array.from({ length: 10 }, (_, addressIndex) => {
    const mnemonic = 'test test test test test test test test test test test junk'
    return mnemonicToAccount(mnemonic, { addressIndex }).address.toLowerCase()
  })

function listContradictions({
  chains,
  unreadableNetworks,
  treasuryChain,
  ...settings
}: FacilitatorSettings): Problems {
  const readable = chains.map(({ id }) => `eip155:${id}`).filter((network) => unreadableNetworks.has(network))
  const signers = settings.signers.map(({ address }) => address)
  return [
    ...listPublicSigners().map(
      (address) =>
        failIf(signers.includes(address), 'signers')`
          The private key of signer ${address} is public: it is a default key of development nodes
          Create a new key, replace this one in FACILITATOR_SIGNER_KEYS, and send gas to the new one`,
    ),
    warnIf(chains.every(({ id }) => id !== treasuryChain))`
      TREASURY_CHAIN ${treasuryChain} is not among CHAINS, so deposits are not credited
      Add a node of chain ${treasuryChain} to CHAINS`,
    warnIf(readable.length > 0)`UNREADABLE_NETWORKS has ${readable.join(', ')}, which is among CHAINS
      Remove it from UNREADABLE_NETWORKS: the chain decides unknown outcomes there`,
    warnIf(settings.upstreamUrl !== undefined && signers.length > 0)`
      UPSTREAM_FACILITATOR_URL is set, so the keys in FACILITATOR_SIGNER_KEYS and of REMOTE_SIGNER_URL are not used
      Remove one of the two`,
    warnIf(settings.auditIntervalSeconds === 0)`
      AUDIT_INTERVAL_SECONDS is 0, so nothing compares the ledger with the chains
      Remove AUDIT_INTERVAL_SECONDS: an audit runs every hour by default`,
  ]
}

export const doctorCommands: Record<string, Command> = { doctor: createFacilitatorDoctor() }
