import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** What the stub does instead of accepting a mail. */
type Fault = 'hangs' | 'refuses the login' | 'refuses the mail'

/** A mail server on this machine. It records the mails that it accepts. */
export interface StubMailServer {
  /** For SMTP_URL, with a user and a password that the stub accepts. */
  readonly url: URL
  /** The mails as they were sent, with headers. */
  readonly mails: string[]
  fault: Fault | undefined
  close(): Promise<void>
}

export const MAIL_PASSWORD = 'a-password-of-mails'
const LOGIN = Buffer.from(`\0mintmark\0${MAIL_PASSWORD}`).toString('base64')

export async function startStubMailServer(): Promise<StubMailServer> {
  const sockets = new Set<Socket>()
  const mails: string[] = []
  const server = createServer(async (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    const say = (line: string) => socket.write(`${line}\r\n`)
    if (stub.fault === 'hangs') return
    say('220 stub')
    let mail: string[] | undefined
    for await (const line of createInterface(socket)) {
      if (mail !== undefined && line !== '.') mail.push(line)
      else if (mail !== undefined) {
        // A filter of contents can repeat what it refuses.
        if (stub.fault === 'refuses the mail') say(`554 Refused: ${mail.join(' ')}`)
        else {
          mails.push(mail.join('\n'))
          say('250 Accepted')
        }
        mail = undefined
      } else if (line.startsWith('EHLO')) say('250-stub\r\n250 AUTH PLAIN')
      else if (line.startsWith('AUTH')) {
        const isAccepted = line === `AUTH PLAIN ${LOGIN}` && stub.fault !== 'refuses the login'
        say(isAccepted ? '235 Accepted' : `535 Refused: ${line} ${MAIL_PASSWORD}`)
      } else if (line === 'DATA') {
        mail = []
        say('354 Go on')
      } else say('250 OK')
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on a host and a port has an address with a port.
  const { port } = server.address() as AddressInfo
  const stub: StubMailServer = {
    url: new URL(`smtp://mintmark:${MAIL_PASSWORD}@127.0.0.1:${port}`),
    mails,
    fault: undefined,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return stub
}

/** Returns the text of a mail, without the encoding of its transport. */
export function readText(mail = ''): string {
  const [headers = '', ...rest] = mail.split('\n\n')
  const body = rest.join('\n\n')
  if (/^content-transfer-encoding: base64/im.test(headers)) return Buffer.from(body, 'base64').toString()
  const unfolded = body.replaceAll('=\n', '')
  if (!/^content-transfer-encoding: quoted-printable/im.test(headers)) return body
  const bytes = unfolded.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
