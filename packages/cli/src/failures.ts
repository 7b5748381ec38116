import { type ExitCode, exitCodes } from './exit-codes.ts';

/** The command cannot be carried out. The message says why; `hint` says what to do. Nothing else is printed. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
  readonly exitCode: ExitCode;
  readonly hint: string | null;

  constructor(message: string, { exitCode = exitCodes.failed, hint = null }: FailureOptions = {}) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

interface FailureOptions {
  readonly exitCode?: ExitCode;
  readonly hint?: string | null;
}

/** The command line itself is wrong. The message names the option or the argument. */
export class UsageFailure extends CommandFailure {
  override readonly name = 'UsageFailure';

  constructor(message: string, hint: string | null = null) {
    super(message, { exitCode: exitCodes.wrongUsage, hint });
  }
}

/** There is no credential for the service. */
export class NotLoggedIn extends CommandFailure {
  override readonly name = 'NotLoggedIn';

  constructor(message: string, hint: string) {
    super(message, { exitCode: exitCodes.refused, hint });
  }
}
