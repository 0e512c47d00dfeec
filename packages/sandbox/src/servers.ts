import { randomBytes } from 'node:crypto'
import type { DevChain } from '@mintmark/devkit'
import { startFacilitator } from '@mintmark/facilitator-server'
import { startGateway } from '@mintmark/gateway-server'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import { facilitatorSigner } from './accounts.ts'
import { explainPort } from './start-error.ts'
import { type Stops, waitForAll } from './stops.ts'

/** What both servers start with. */
export interface ServerPlan {
  readonly ports: { readonly gateway: number }
  readonly chain: DevChain
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: () => number
  /** Where callers reach the facilitator, which itself has any free port. */
  readonly facilitatorUrl: string
  readonly log: (line: string) => void
}

/** Both running servers. */
export interface RunningServers {
  readonly gatewayUrl: string
  /** The address of the facilitator itself. */
  readonly facilitatorUrl: string
  /** The key of the facilitator's operator interface. */
  readonly operatorToken: string
  /** Runs the jobs of both servers now, and waits for them. */
  runJobs(): Promise<void>
}

/** Starts both servers in this process. */
export async function startServers(plan: ServerPlan, stops: Stops): Promise<RunningServers> {
  // The sandbox's person who operates the gateway operates the facilitator too.
  const operatorToken = plan.env.OPERATOR_TOKEN || randomBytes(32).toString('hex')
  const [gateway, facilitator] = await waitForAll([
    startSandboxGateway({ ...plan, operatorToken }, stops),
    startSandboxFacilitator({ ...plan, operatorToken }, stops),
  ])
  return {
    gatewayUrl: gateway.url,
    facilitatorUrl: facilitator.url,
    operatorToken,
    async runJobs() {
      await Promise.all([gateway.runJobs(), facilitator.runJobs()])
    },
  }
}

/** A plan with the token that the gateway sends to the operator interface of the facilitator. */
interface ConnectedPlan extends ServerPlan {
  readonly operatorToken: string
}

async function startSandboxGateway(plan: ConnectedPlan, stops: Stops) {
  const { ports, chain, env, clock, log, facilitatorUrl, operatorToken } = plan
  const settings = readEnvironment({
    FINALITY: '1',
    RATE_LIMIT_PER_SECOND: '1000',
    RATE_LIMIT_BURST: '2000',
    ...env,
    GATEWAY_PORT: String(ports.gateway),
    CHAINS: formatChain(chain),
    FACILITATOR_URL: facilitatorUrl,
    FACILITATOR_OPERATOR_TOKEN: operatorToken,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const port = { owner: 'gateway', number: ports.gateway, variable: 'GATEWAY_PORT' }
  const starting = startGateway(settings, createServerLog('gateway', env, log), { clock })
  const gateway = await explainPort(port, starting)
  stops.defer(() => gateway.close())
  return gateway
}

async function startSandboxFacilitator(plan: ConnectedPlan, stops: Stops) {
  const { chain, env, clock, facilitatorUrl, operatorToken, log } = plan
  const settings = readEnvironment({
    FINALITY: '2',
    TRIAL_SETTLES: '100',
    TRIAL_ACCOUNTS_PER_DAY: '10000',
    TRIAL_ACCOUNTS_PER_ADDRESS: '10000',
    ...env,
    FACILITATOR_PORT: '0',
    PUBLIC_URL: facilitatorUrl,
    OPERATOR_TOKEN: operatorToken,
    CHAINS: formatChain(chain),
    FACILITATOR_SIGNER_KEYS: facilitatorSigner.privateKey,
    TREASURY_CHAIN: String(chain.chainId),
    TREASURY_ADDRESS: chain.treasury,
    DISCOVERY_ALLOW_PRIVATE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const facilitator = await startFacilitator(settings, createServerLog('facilitator', env, log), { clock })
  stops.defer(() => facilitator.close())
  return facilitator
}

const formatChain = ({ chainId, rpcUrl }: DevChain): string => `${chainId}=${rpcUrl}`

function createServerLog(name: string, env: ServerPlan['env'], log: (line: string) => void) {
  return createLog(name, env.LOG_LEVEL || 'info', { write: log })
}
