/** A setting is invalid. The message says what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
