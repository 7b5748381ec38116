import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { routes } from '@notify/api/routes';
import { keyScopes, tokenScopes } from '@notify/contract';

/* Generated clients name their methods after the operations, so published ids are frozen in operation-ids.txt. */

const target = path.resolve(import.meta.dirname, '../packages/contract/operation-ids.txt');

/** An operation as far as these checks look at it. */
export interface CheckedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly credential: 'none' | 'session' | 'bearer' | 'api-key';
  readonly scope: string | null;
}

/** The line of an operation in the list: `webhooks.get get /v1/webhooks/{id}`. */
function lineOf({ operationId, method, path: at }: CheckedOperation): string {
  return `${operationId} ${method} ${at.replaceAll(/:(\w+)/g, '{$1}')}`;
}

/** Ids that break the promise of the list: those that are gone, that have moved, or that are no `group.verb`. */
export function idFaults(operations: readonly CheckedOperation[], frozen: readonly string[]): string[] {
  const places = new Map(operations.map((operation) => [operation.operationId, lineOf(operation)]));
  const broken = frozen
    .filter((line) => places.get(line.split(' ')[0] ?? '') !== line)
    .map((line) => `${line}: published ids never change, and neither do their method and path`);
  const ids = operations.map(({ operationId }) => operationId);
  return [
    ...broken,
    ...ids
      .filter((id) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(id))
      .map((id) => `${id}: an id is a group and a verb, such as messages.sendText`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id}: two operations have this id`),
  ];
}

/** Operations that are not in the list yet, as its lines. */
export function newLines(operations: readonly CheckedOperation[], frozen: readonly string[]): string[] {
  const known = new Set(frozen.map((line) => line.split(' ')[0]));
  return operations.filter(({ operationId }) => !known.has(operationId)).map(lineOf);
}

/** The scopes that each kind of credential may need. Null: none. */
const scopesOf: Readonly<Record<CheckedOperation['credential'], readonly string[] | null>> = {
  none: null,
  session: null,
  bearer: tokenScopes,
  'api-key': keyScopes,
};

/** Operations without the scope that their credential needs, and scopes without an operation. */
export function scopeFaults(operations: readonly CheckedOperation[]): string[] {
  const wrong = operations.flatMap(({ operationId, credential, scope }) => {
    const allowed = scopesOf[credential];
    if (allowed === null)
      return scope === null ? [] : [`${operationId}: the credential ${credential} has no scopes`];
    return scope !== null && allowed.includes(scope)
      ? []
      : [`${operationId}: names no scope of the credential ${credential}`];
  });
  const unused = (['bearer', 'api-key'] as const).flatMap((credential) => {
    const used = operations.filter((one) => one.credential === credential).map(({ scope }) => scope);
    return scopesOf[credential]!.filter((scope) => !used.includes(scope)).map(
      (scope) => `${scope}: no operation needs this scope of the credential ${credential}`,
    );
  });
  return [...wrong, ...unused];
}

/** The lines of the list. */
export async function readFrozen(): Promise<string[]> {
  const text = await readFile(target, 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

if (import.meta.main) {
  const frozen = await readFrozen();
  const faults = idFaults(routes, frozen);
  const added = newLines(routes, frozen);
  if (process.argv.includes('--check')) {
    faults.push(...added.map((line) => `${line}: is new. If its id is final, run npm run operation-ids`));
    faults.push(...scopeFaults(routes));
  } else if (faults.length === 0) {
    await writeFile(
      target,
      [...frozen, ...added]
        .toSorted()
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
  if (faults.length > 0) console.error(faults.join('\n'));
  process.exitCode = faults.length > 0 ? 1 : 0;
}
