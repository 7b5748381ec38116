/** Says nothing. */
export const silentLogger: Logger = {
  level: 'silent',
  child: () => silentLogger,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
};

interface Logger {
  level: string;
  child(fields: Record<string, unknown>): Logger;
  trace(fields: unknown, message?: string): void;
  debug(fields: unknown, message?: string): void;
  info(fields: unknown, message?: string): void;
  warn(fields: unknown, message?: string): void;
  error(fields: unknown, message?: string): void;
}

/** libsignal prints sessions, private keys included, when it closes them; after this it prints nothing. */
export function silenceConsole(): void {
  Object.assign(console, { info: ignore, warn: ignore, error: ignore });
}

function ignore(): void {
  return undefined;
}
