import { ConfigurationError, readEnvironment } from '@mintmark/server-kit'
import { describe, expect, it } from 'vitest'
import { DEFAULT_ORDER_SETTINGS } from '../domains/inventory/order-settings.ts'
import { readConfiguration } from './configuration.ts'

const read = (env: Record<string, string>) => readConfiguration(readEnvironment(env))
const readOidc = (env: Record<string, string>) => read(env).app.oidc

const complete = {
  OIDC_NAME: 'Example ID',
  OIDC_DISCOVERY_URL: 'https://id.example/.well-known/openid-configuration',
  OIDC_CLIENT_ID: 'mintmark',
  OIDC_CLIENT_SECRET: 'secret',
}

it('the settings of an identity provider are none by default', () => {
  expect(readOidc({})).toBeUndefined()
})

it('the settings of an identity provider are read together', () => {
  expect(readOidc(complete)).toEqual({
    name: 'Example ID',
    discoveryUrl: 'https://id.example/.well-known/openid-configuration',
    clientId: 'mintmark',
    clientSecret: 'secret',
  })
})

it.each(Object.keys(complete))(
  'the settings of an identity provider are incomplete without %s, which the error names first',
  (name) => {
    const read = () => readOidc({ ...complete, [name]: '' })
    expect(read).toThrow(ConfigurationError)
    expect(read).toThrow(new RegExp(`^${name}: expected a value, because OIDC_\\w+ is set$`))
  },
)

it('the settings of an identity provider are sent over https, except on this machine', () => {
  const read = (url: string) => readOidc({ ...complete, OIDC_DISCOVERY_URL: url })
  expect(() => read('http://id.example/')).toThrow(
    'OIDC_DISCOVERY_URL: expected a URL that begins with https://',
  )
  expect(() => read('id.example')).toThrow('OIDC_DISCOVERY_URL')
  for (const host of ['localhost:9000', '127.0.0.1', '[::1]:9000'])
    expect(read(`http://${host}/`)?.discoveryUrl).toBe(`http://${host}/`)
})

describe('the settings of orders', () => {
  it.each([
    ['ORDER_EXPIRY_SECONDS', 'expirySeconds'],
    ['AWARD_EXPIRY_SECONDS', 'awardExpirySeconds'],
    ['OPEN_ORDERS_PER_LISTING', 'openOrders'],
    ['OPEN_DRAWS_PER_WALLET', 'openDraws'],
    ['OPEN_DRAWS_PER_COLLECTION', 'openDrawsPerCollection'],
    ['PAYMENT_UNSEEN_SECONDS', 'unseenSeconds'],
    ['PAYMENT_RESERVATION_SECONDS', 'reservationSeconds'],
    ['LATE_PAYMENT_DAYS', 'lateDays'],
  ])('the settings of orders include %s, and its default without it', (name, setting) => {
    expect(read({}).orders).toEqual(DEFAULT_ORDER_SETTINGS)
    expect(read({ [name]: '13' }).orders).toEqual({ ...DEFAULT_ORDER_SETTINGS, [setting]: 13 })
  })
})

describe('the settings of mails', () => {
  const mail = {
    SMTP_URL: 'smtps://user:pa%40ss@mail.example.com',
    MAIL_FROM: 'no-reply@example.com',
    PUBLIC_URL: 'https://gateway.example.com',
  }

  it('the settings of mails are none by default, and read together', () => {
    expect(read({ PUBLIC_URL: mail.PUBLIC_URL }).app.mail).toBeUndefined()
    expect(read(mail).app.mail).toEqual({ server: new URL(mail.SMTP_URL), from: mail.MAIL_FROM })
  })

  it.each([
    ['SMTP_URL', 'SMTP_URL: expected a value, because MAIL_FROM is set'],
    ['MAIL_FROM', 'MAIL_FROM: expected a value, because SMTP_URL is set'],
    [
      'PUBLIC_URL',
      'PUBLIC_URL: expected a value, because SMTP_URL is set and the links of mails begin with it',
    ],
  ])('the settings of mails are incomplete without %s', (name, message) => {
    expect(() => read({ ...mail, [name]: '' })).toThrow(new ConfigurationError(message))
  })

  it.each([
    'https://u:secret@mail.example.com',
    'smtps://u:secret%@mail.example.com',
    'smtp:secret',
    'smtp://h/secret',
  ])('the settings of mails refuse the server %s without repeating it', (server) => {
    const readMail = () => read({ ...mail, SMTP_URL: server })
    expect(readMail).toThrow(/^SMTP_URL: expected an address such as smtps:/)
    expect(readMail).not.toThrow(/secret/)
  })

  it.each(['Shop <no-reply@example.com>', 'a@example.com, b@example.com'])(
    'the settings of mails refuse the sender %s',
    (from) => {
      expect(() => read({ ...mail, MAIL_FROM: from })).toThrow('MAIL_FROM: expected an email address')
    },
  )
})

it('the settings of a bucket for pictures name what is missing', () => {
  const bucket = { MEDIA_S3_URL: 'https://s3.example/pictures', MEDIA_S3_ACCESS_KEY_ID: 'id' }
  expect(() => read(bucket)).toThrow(
    /MEDIA_S3_SECRET_ACCESS_KEY: expected values, because MEDIA_S3_URL is set/,
  )
  expect(read({ ...bucket, MEDIA_S3_SECRET_ACCESS_KEY: 'secret' }).media.bytesPerProject).toBe(1024 ** 3)
})
