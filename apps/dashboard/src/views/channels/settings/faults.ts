import { type Field, leavesOf } from './fields.ts';
import type { Fault } from './values.ts';

const prefix = 'body/settings';

/** The api's faults in the settings, in words, by the field that shows each. */
export function faultsOf(
  fields: readonly Field[],
  errors: readonly Fault[],
): Readonly<Record<string, string>> {
  const own = errors
    .filter(({ at }) => at === prefix || at.startsWith(`${prefix}/`))
    .map(({ at, message }) => ({ at: at.slice(prefix.length), message }));
  return sayFaults(fields, own);
}

/** Faults in words, by the field that shows each: the nearest one, or '' if there is none. */
export function sayFaults(
  fields: readonly Field[],
  faults: readonly Fault[],
): Readonly<Record<string, string>> {
  const leaves = leavesOf(fields);
  const said: Record<string, string> = {};
  for (const fault of faults) {
    const field = nearest(leaves, fault.at);
    const at = field?.at ?? '';
    const words = sayFault(leaves, field, fault);
    const before = said[at];
    // Each entry of a map or of a list of rows is said; of anything else the first fault.
    if (before === undefined) said[at] = words;
    else if (field?.input.kind === 'map' || field?.input.kind === 'pairs') said[at] = `${before} ${words}`;
  }
  return said;
}

/** The field itself, the field that contains the faulty value, or the first field of the faulty group. */
function nearest(leaves: readonly Field[], at: string): Field | undefined {
  return (
    leaves.find((leaf) => leaf.at === at) ??
    leaves.find((leaf) => at.startsWith(`${leaf.at}/`)) ??
    leaves.findLast((leaf) => at !== '' && leaf.at.startsWith(`${at}/`))
  );
}

function sayFault(leaves: readonly Field[], field: Field | undefined, { at, message }: Fault): string {
  const words = withLabels(leaves, plain(field, message));
  if (field === undefined) return `${at.slice(1)} ${words}.`.trim();
  const place = at.startsWith(`${field.at}/`) ? placeOf(field, at.slice(field.at.length + 1)) : '';
  return `${field.label}${place} ${words}.`;
}

/** Where within a field: the row and the input of a list of rows, otherwise the name of the entry. */
function placeOf({ input }: Field, within: string): string {
  if (input.kind !== 'pairs') return ` (${within})`;
  const [index, name = ''] = within.split('/');
  const label = input.labels[input.names.indexOf(name)];
  return `, entry ${Number(index) + 1}${label === undefined ? '' : `: ${label}`}`;
}

const longer = /^must NOT have more than (\d+) characters$/;
const shorter = /^must NOT have fewer than (\d+) characters$/;
const least = /^must be >= (\S+)$/;
const most = /^must be <= (\S+)$/;

function plain(field: Field | undefined, message: string): string {
  if (message.startsWith('must match pattern')) {
    const example = field?.example ?? null;
    return example === null ? 'has an invalid format' : `has an invalid format. Example: ${example}`;
  }
  return message
    .replace(longer, 'has more than $1 characters')
    .replace(shorter, 'has fewer than $1 characters')
    .replace(least, 'must be $1 or more')
    .replace(most, 'must be $1 or less');
}

/** Replaces the names of other fields, which the api uses, with the labels that the reader knows. */
function withLabels(leaves: readonly Field[], text: string): string {
  return leaves
    .filter(({ name }) => /[a-z][A-Z]/.test(name))
    .reduce((said, { name, label }) => said.replace(new RegExp(`\\b${name}\\b`, 'g'), `“${label}”`), text);
}
