/** Parses the time zone of the stores, an IANA name that both Intl and PostgreSQL accept. */
export function parseTimeZone(name = 'UTC'): string {
  if (name !== 'UTC' && !Intl.supportedValuesOf('timeZone').includes(name))
    throw new Error('STORE_TIME_ZONE: expected an IANA time zone such as Europe/Berlin')
  return name
}
