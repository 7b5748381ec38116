/** How the program ends. Scripts rely on these numbers, so they never change. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  refused: 3,
  notFound: 4,
  unavailable: 5,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit codes as help shows them. */
export const exitCodesHelp = `Exit codes:
  0  done
  1  failed: the service refused the request, or a message failed
  2  wrong usage: an option or an argument is missing or not valid
  3  not logged in, or the credential was refused or lacks the scope
  4  not found
  5  the service is away: no connection, no answer in time, or 503
  130, 143  ended by Ctrl-C or by a termination signal`;
