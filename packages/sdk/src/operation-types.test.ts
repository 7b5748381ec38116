import { expect, test } from '@jest/globals';
import type { CallOptions, SendOptions } from './config.ts';
import type { Notify } from './notify.ts';
import type { operations } from './schema.ts';
import type { Page, Pages } from './transport/pages.ts';
import type { Answer, Input, OperationId } from './transport/transport.ts';

/** Its method is not of this form: it reconnects. */
type Stream = 'events.stream';
type Checked = Exclude<OperationId, Stream>;

type Same<A> = <T>() => T extends A ? 1 : 2;
type Equal<A, B> = Same<A> extends Same<B> ? true : false;

type MethodOf<Id> = Id extends `${infer Group}.${infer Verb}`
  ? Group extends keyof Notify
    ? Verb extends keyof Notify[Group]
      ? Notify[Group][Verb]
      : never
    : never
  : never;

/** The names in braces, in their order. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? [Name, ...NamesIn<Rest>] : [];
type Path<Id extends Checked> = Input<Id> extends { path: infer P } ? P : Record<never, never>;
type PathArguments<Names, P> = Names extends [infer Name extends keyof P, ...infer Rest]
  ? [P[Name], ...PathArguments<Rest, P>]
  : [];

type BodyArgument<I> = 'body' extends keyof I
  ? I extends { body: infer B }
    ? [B]
    : [(I['body'] | undefined)?]
  : [];
type QueryArgument<I> = 'query' extends keyof I
  ? I extends { query: infer Q }
    ? [Q]
    : [(I['query'] | undefined)?]
  : [];
type OptionsArgument<I> = I extends { body: { idempotencyKey?: string } }
  ? 'idempotencyKey' extends keyof I['body']
    ? [(SendOptions | undefined)?]
    : [(CallOptions | undefined)?]
  : [(CallOptions | undefined)?];

type Arguments<Id extends Checked> = [
  ...PathArguments<NamesIn<(typeof operations)[Id]>, Path<Id>>,
  ...BodyArgument<Input<Id>>,
  ...QueryArgument<Input<Id>>,
  ...OptionsArgument<Input<Id>>,
];

type Result<Id extends Checked> = Id extends 'channelAccounts.watchLink'
  ? AsyncGenerator<Answer<Id>, void, undefined>
  : Answer<Id> extends Page<unknown>
    ? Pages<Answer<Id>>
    : Promise<Answer<Id>>;

/** The operations whose method differs from the document. */
type Different = {
  [Id in Checked]: MethodOf<Id> extends (...given: infer Given) => infer Got
    ? Equal<[Given, Got], [Arguments<Id>, Result<Id>]> extends true
      ? never
      : Id
    : Id;
}[Checked];

test('the methods take and give what the document says', () => {
  // The proof is that this compiles: `none` lacks each operation that differs.
  const none: Record<Different, 'differs'> = {};
  expect(none).toEqual({});
});
