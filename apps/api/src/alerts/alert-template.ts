import {
  type Channel,
  filledLimits,
  type Template,
  type TemplateParameters,
  type TemplateText,
} from '@notify/core';
import { cut } from './alert-text.ts';
import { type Described, oneLine } from './describe.ts';

/** What fills `{{1}}`, `{{2}}` and so on, in this order. */
const positions = ['status', 'title', 'summary', 'count', 'labels', 'link'] as const;

/** What stands for a variable of which the alerts say nothing: a provider refuses an empty one, and an alert must not get lost. */
const nothing = '-';

/**
 * What fills a template with a notification. A variable with a name of `positions` gets that, and any other one the values of that label
 * or annotation. Values are cut where the text would become too long.
 */
export function alertParameters(
  { header, body, named }: Template,
  described: Described,
  channel: Channel,
): TemplateParameters {
  const valueOf = valuesOf(described);
  const dots = channel === 'sms' ? '...' : '…';
  const names = body.variables.map(({ name }) => name);
  const filled = (name: string): string => cut(valueOf(name), roomOf(body, filledLimits.body), dots);
  const count = Math.max(0, ...names.map(Number));
  return {
    ...(header?.kind === 'text' && header.variables.length > 0
      ? { header: { text: cut(valueOf('title'), roomOf(header, filledLimits.header), dots) } }
      : {}),
    ...(names.length === 0
      ? {}
      : {
          body: named
            ? Object.fromEntries(names.map((name) => [name, filled(name)]))
            : Array.from({ length: count }, (_, index) => filled(positions[index] ?? '')),
        }),
  };
}

/** How long each value may be, in UTF-16 code units, so that all of them fit. */
function roomOf({ text }: TemplateText, most: number): number {
  const places = text.match(/\{\{[^{}]+\}\}/g) ?? [];
  const fixed = text.length - places.join('').length;
  return Math.max(1, Math.floor((most - fixed) / Math.max(1, places.length)));
}

function valuesOf({ status, title, labels, alerts, links, truncated }: Described): (name: string) => string {
  const own: ReadonlyMap<string, string> = new Map([
    ['status', status],
    ['title', title],
    ['count', String(alerts.length + truncated)],
    ['labels', labels],
    ['link', links[0] ?? ''],
    [
      'summary',
      distinct(
        alerts.map(({ summary, description }) => summary || description),
        '; ',
      ),
    ],
  ]);
  return (name) => {
    const told =
      own.get(name) ??
      distinct(
        alerts.map((alert) => said(alert, name)),
        ', ',
      );
    return told === '' ? nothing : told;
  };
}

function said({ labels, annotations = {} }: Described['alerts'][number], name: string): string {
  const from = [labels, annotations].find((one) => Object.hasOwn(one, name));
  return from?.[name] ?? '';
}

function distinct(values: readonly string[], between: string): string {
  return [...new Set(values.map(oneLine))].filter((value) => value !== '').join(between);
}
