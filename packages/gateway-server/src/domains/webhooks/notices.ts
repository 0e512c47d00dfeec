import { eventTypes, type GatewayEvent } from '@mintmark/events'
import { MAIL_SCHEME } from '@mintmark/webhooks'

/** Mails events to people of a project, who have no program that receives them. */
export interface Notices {
  /** This server's public URL, without a trailing slash. */
  readonly publicUrl: string
  /** Whether a person of the project has the address. Nobody else gets mails: a project could annoy them. */
  isMember(project: number, address: string): Promise<boolean>
  /** Sends a mail. Returns false if the mail server does not accept it in time, or beyond the limits. */
  send(mail: NoticeMail, sender: string): Promise<boolean>
}

/** A mail in plain text. */
interface NoticeMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Whether a webhook mails its events instead of posting them. */
export const isMailed = (url: string) => url.startsWith(MAIL_SCHEME)
const toAddress = (url: string) => url.slice(MAIL_SCHEME.length).toLowerCase()

/** Returns why a webhook cannot mail its events; undefined if it can. */
export async function findNoticeProblem(
  url: string,
  project: number,
  notices: Notices | undefined,
): Promise<string | undefined> {
  if (notices === undefined) return 'This server sends no mails, because its operator has set no mail server'
  if (await notices.isMember(project, toAddress(url))) return undefined
  return 'No person of the project has this address'
}

/** Mails an event. Fails if the person has left the project. */
export async function mailNotice(
  { url, event }: { readonly url: string; readonly event: GatewayEvent },
  notices: Notices | undefined,
): Promise<{ delivered: boolean; status: number; error: string }> {
  const { projectId } = event
  const problem = await findNoticeProblem(url, projectId, notices)
  const mail = createNotice(toAddress(url), event, notices?.publicUrl ?? '')
  if (problem === undefined && (await notices?.send(mail, `project:${projectId}`)))
    return { delivered: true, status: 0, error: '' }
  return { delivered: false, status: 0, error: problem ?? 'The mail server did not accept the mail' }
}

function createNotice(to: string, { type, projectId, data }: GatewayEvent, publicUrl: string): NoticeMail {
  const { description } = eventTypes[type]
  const order = 'orderNo' in data ? data.orderNo : undefined
  const about = order === undefined ? type : `Order ${order}`
  const [sentence = ''] = description.split(/\.(?: |$)/)
  const lines = [
    `${about}: ${description}`,
    `${publicUrl}/console/p/${projectId}/${order === undefined ? 'events' : `orders/${order}`}`,
    `A webhook of your project mails ${type} to you. Whoever manages its webhooks can change this.`,
  ]
  return { to, subject: `${about}: ${sentence}`, text: `${lines.join('\n\n')}\n` }
}
