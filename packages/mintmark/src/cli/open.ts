import { Argument, type Command } from 'commander'
import { requireFacilitator, requireGateway, resolveProfile } from './credentials.ts'
import { type CommandEnvironment, write } from './environment.ts'

const PAGES = ['docs', 'facilitator-docs', 'console'] as const
type PageName = (typeof PAGES)[number]

async function open(
  page: PageName,
  profileName: string | undefined,
  environment: CommandEnvironment,
): Promise<void> {
  const profile = await resolveProfile(profileName, environment)
  const { baseUrl } = page === 'facilitator-docs' ? requireFacilitator(profile) : requireGateway(profile)
  const url = `${baseUrl.replace(/\/$/, '')}/${page === 'console' ? 'console/' : 'docs'}`
  const isOpen = environment.output.isTTY === true && (await environment.openBrowser(url))
  await write(environment.output, isOpen ? `Opened ${url}\n` : `${url}\n`)
}

/** Adds the command that opens a page of a server. */
export function addOpenCommand(program: Command, environment: CommandEnvironment): void {
  const command = program
    .command('open')
    .description(
      "Opens a server's API reference or the console, or prints the address where there is no browser.",
    )
    .summary('open the API reference or the console')
    .addArgument(new Argument('<page>', 'page to open').choices(PAGES))
    .option('--profile <name>', 'credentials to use')
  command.action((page: PageName) => open(page, command.opts<{ profile?: string }>().profile, environment))
}
