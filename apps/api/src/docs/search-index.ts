import { providerErrorCodes } from '@notify/channels';
import { messageErrors, problems } from '@notify/contract';
import type { Guide } from './guides.ts';
import type { Place } from './places.ts';

/** Something that the search finds. */
export interface Entry {
  readonly title: string;
  /** Where it is: the guide of a section, the method and path of an operation, or its kind. */
  readonly within: string;
  readonly kind: 'Guide' | 'Operation' | 'Event' | 'Error code';
  readonly address: string;
  /** Words that are searched, too. */
  readonly text: string;
}

/** All that the search of the documentation looks through: sections of guides, operations, events and error codes. */
export function searchEntries(guides: readonly Guide[], places: readonly Place[]): readonly Entry[] {
  return [...guides.flatMap(entriesOf), ...places.map(entryOf), ...codes()];
}

function entriesOf(guide: Guide): Entry[] {
  return guide.sections().map(({ words, depth, anchor, text }) => ({
    title: words,
    within: depth === 1 ? guide.group : guide.title,
    kind: 'Guide',
    address: depth === 1 ? guide.address : `${guide.address}#${anchor}`,
    text,
  }));
}

function entryOf({ address, method, name, summary, description, operationId }: Place): Entry {
  if (method === null) return { title: name, within: summary, kind: 'Event', address, text: description };
  return { title: summary, within: `${method} ${name}`, kind: 'Operation', address, text: operationId };
}

function codes(): Entry[] {
  const refused = Object.entries(problems).map(([code, { status, title, help }]): Entry => ({
    title: code,
    within: `${status} ${title}`,
    kind: 'Error code',
    address: `/problems/${code}`,
    text: help,
  }));
  const failed = Object.entries({ ...messageErrors, ...providerErrorCodes }).map(([code, help]): Entry => ({
    title: code,
    within: 'Failed messages',
    kind: 'Error code',
    address: `/problems#${code}`,
    text: help,
  }));
  return [...refused, ...failed];
}
