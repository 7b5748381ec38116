import { pathFor, type TokenScope } from './token-areas.ts';

/** The command that asks for a token and stores it for the command line. `origin` is that of the api. */
export function loginCommand(origin: string): string {
  return `npx @notify/cli login --url ${origin}`;
}

/** A request with a token in its header: one that its scopes allow. Where none reads, dots stand for the path. */
export function requestCommand(origin: string, token: string, scopes: readonly TokenScope[]): string {
  return `curl ${origin}${pathFor(scopes) ?? '/v1/…'} \\\n  -H 'Authorization: Bearer ${token}'`;
}
