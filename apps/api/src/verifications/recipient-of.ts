import type { StartVerification } from '@notify/contract';
import { type Channel, contactAddress, contactKey } from '@notify/core';
import { type FieldError, invalidRequest, Problem } from '../problems/problem.ts';
import { countryCodeOf } from '../sending/country-code.ts';
import { judgeRecipient } from '../sending/recipient.ts';

/** One way to send a code. */
export interface Route {
  readonly channel: Channel;
  readonly to: string;
  /** The account that was asked for. Null: the default of the channel. */
  readonly accountId: string | null;
  /** Its place in the request. */
  readonly at: string;
}

/** The routes of a start, in order. Throws a Problem if they contradict each other, or if a recipient is none. */
export function routesOf({ to, channel, routes }: StartVerification): readonly Route[] {
  if (channel !== undefined && routes !== undefined)
    throw invalidRequest({ at: 'body/channel', message: 'must not be given together with routes' });
  if (channel !== undefined) return checked([{ channel, to, accountId: null, at: 'body' }]);
  if (routes === undefined)
    throw invalidRequest({ at: 'body/channel', message: 'is required, unless there are routes' });
  const strangers = routes.flatMap((route, index): FieldError[] =>
    route.to === undefined || route.channel === 'telegram'
      ? []
      : [{ at: `body/routes/${index}/to`, message: 'is for telegram only: other channels use body/to' }],
  );
  if (strangers.length > 0) throw invalidRequest(...strangers);
  return checked(
    routes.map((route, index) => ({
      channel: route.channel,
      to: route.to ?? to,
      accountId: route.channelAccountId?.toLowerCase() ?? null,
      at: route.to === undefined ? 'body' : `body/routes/${index}`,
    })),
  );
}

function checked(routes: readonly Route[]): readonly Route[] {
  const errors = routes.flatMap(({ channel, to, at }): FieldError[] => {
    const fault = judgeRecipient(channel, to);
    return fault === null ? [] : [{ at: `${at}/to`, message: fault }];
  });
  if (errors.length > 0) throw new Problem('invalid-recipient', { errors });
  return routes;
}

/** Whom a verification is about, however it is written. */
export interface Person {
  /** Starts with the same one are about the same person. */
  readonly recipient: string;
  /** The country code of a phone number. */
  readonly prefix: string | null;
}

/**
 * The person of `to`. The digits of a Telegram chat are no phone number, so where only telegram uses it, it needs a `+` to count as
 * one.
 */
export function personOf(to: string, routes: readonly Route[]): Person {
  const isNumber =
    to.startsWith('+') || routes.some((route) => route.channel !== 'telegram' && route.to === to);
  const prefix = isNumber ? countryCodeOf(to) : null;
  if (prefix === null) return { recipient: to.toLowerCase(), prefix };
  return { recipient: contactAddress('sms', contactKey('sms', to)), prefix };
}
