/**
 * A client is configured wrongly. `option` names the value, such as `baseUrl`. A malformed address fails where the client is created. What is
 * missing fails the first call, because a build may run without the environment variables of the server.
 */
export class ConfigurationError extends TypeError {
  readonly option: string
  constructor(option: string, problem: string) {
    super(`${option} ${problem}`)
    this.option = option
  }
}

/** Throws a {@link ConfigurationError} if a value is missing. The usual cause is an environment variable that is not set. */
export function requireValue(option: string, value: unknown): asserts value {
  if (!value) throw new ConfigurationError(option, 'is empty. Is the environment variable set?')
}
