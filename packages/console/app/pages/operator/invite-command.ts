import { quoteForShell } from '../../format/shell.ts'

interface InviteCommand {
  readonly email: string
  /** The name of the project. */
  readonly project: string
  /** The address of the server, such as `https://gateway.example`. */
  readonly publicUrl: string
}

/** Formats the command that invites the first owner of a project. It runs where the server runs, because it needs the database. */
export function formatInviteCommand({ email, project, publicUrl }: InviteCommand): string {
  const words = [
    'mintmark-gateway',
    'people',
    'invite',
    email,
    '--project',
    project,
    '--public-url',
    publicUrl,
  ]
  return words.map(quoteForShell).join(' ')
}
