import Type from 'typebox';
import { nullable } from './fields.ts';

/** The fields of a query that choose a page. */
export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' })),
};

/** The fields of a query that choose a time. `what`: the items and their verb, such as `Only messages accepted`. */
export function listedTimes(what: string): Record<'from' | 'until', Type.TOptional<Type.TString>> {
  const examples = ['2026-01-31T09:30:00.000Z'];
  return {
    from: Type.Optional(
      Type.String({ format: 'date-time', description: `${what} at or after this time.`, examples }),
    ),
    until: Type.Optional(
      Type.String({ format: 'date-time', description: `${what} before this time.`, examples }),
    ),
  };
}

/** The fields of a page that tell how the list goes on. `what`: the items, such as `messages`. */
export function continuing(
  what: string,
): Record<'nextCursor' | 'searchedTo', Type.TUnion<[Type.TString, Type.TNull]>> {
  return {
    nextCursor: nullable(
      Type.String({ description: `The cursor of the next page. Null if there are no older ${what}.` }),
    ),
    searchedTo: nullable(
      Type.String({
        format: 'date-time',
        description: `How far back this page searched. Null if there are no older ${what}.`,
      }),
    ),
  };
}
