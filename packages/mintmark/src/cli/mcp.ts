import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { readFacilitator, readGateway, requireGateway, resolveProfile } from './credentials.ts'
import type { CommandEnvironment } from './environment.ts'
import { CommandStatusError, SetupError } from './errors.ts'
import type { Profile } from './profile.ts'

const PACKAGE = '@mintmark/mcp'
const PROGRAM = 'mintmark-mcp'

/** Finds the manifest of the MCP server's package from a file. Returns undefined if it is not installed. */
function findManifest(file: string): string | undefined {
  try {
    return createRequire(file).resolve(`${PACKAGE}/package.json`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * Finds the MCP server that is installed with the command line. It is no dependency, because most installs
 * need neither it nor the MCP SDK. The current folder is not searched: the server receives the credentials,
 * and the folder may belong to somebody else.
 */
function findMcpProgram({ programFiles }: CommandEnvironment): string {
  for (const file of programFiles) {
    const manifestFile = findManifest(file)
    if (manifestFile === undefined) continue
    const manifest: { readonly bin: Readonly<Record<string, string>> } = JSON.parse(
      readFileSync(manifestFile, 'utf8'),
    )
    const program = manifest.bin[PROGRAM]
    if (program !== undefined) return join(dirname(manifestFile), program)
  }
  throw new SetupError(
    `\`mintmark mcp\` needs the package ${PACKAGE}. Install it where mintmark is installed: \`npm install --global ${PACKAGE}\`, or \`npm install ${PACKAGE}\` in a project. To install nothing, run \`npx -p mintmark -p ${PACKAGE} mintmark mcp\``,
  )
}

/**
 * Returns the environment of the server. It has the credentials of one profile, and none of another source.
 */
function createVariables({ gateway, facilitator }: Profile, { variables }: CommandEnvironment) {
  return {
    ...variables,
    MINTMARK_GATEWAY_URL: gateway?.baseUrl,
    MINTMARK_API_KEY: gateway?.apiKey,
    MINTMARK_SECRET: gateway?.secret,
    MINTMARK_FACILITATOR_URL: facilitator?.baseUrl,
    MINTMARK_FACILITATOR_TOKEN: facilitator?.token,
  }
}

async function serveMcp(
  parameters: readonly string[],
  profileName: string | undefined,
  environment: CommandEnvironment,
): Promise<void> {
  const program = findMcpProgram(environment)
  const { gateway, facilitator } = await resolveProfile(profileName, environment)
  if (facilitator === undefined) requireGateway({ gateway })
  const profile = {
    gateway: gateway && (await readGateway(gateway, environment)),
    facilitator: facilitator && (await readFacilitator(facilitator, environment)),
  }
  const variables = createVariables(profile, environment)
  const exitCode = await environment.runFile(program, parameters, variables)
  // The server has written what is wrong.
  if (exitCode !== 0) throw new CommandStatusError('', exitCode)
}

/** Adds the command that starts the MCP server. */
export function addMcpCommand(program: Command, environment: CommandEnvironment): void {
  const command = program
    .command('mcp')
    .description(
      `Serves the operations to agents over the Model Context Protocol, with the credentials of a profile. Needs the package ${PACKAGE}. By default it serves over stdio and only reads.`,
    )
    .summary('serve the operations to agents')
    .usage('[--profile <name>] [options of the server]')
    .argument('[options...]', 'such as --allow <patterns>, --groups <names> or --http <port>')
    .option('--profile <name>', 'credentials to use')
    .allowUnknownOption()
    .addHelpText('after', '\n`mintmark mcp -- --help` lists the options of the server.')
  command.action((parameters: readonly string[]) =>
    serveMcp(parameters, command.opts<{ profile?: string }>().profile, environment),
  )
}
