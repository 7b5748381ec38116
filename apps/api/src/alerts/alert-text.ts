import { type Channel, smsSegments, telegramLimits } from '@notify/core';
import { type Described, type DescribedAlert, oneLine } from './describe.ts';

/** What a text of a channel may have. Lengths are in UTF-16 code units. */
interface Measure {
  readonly longestLine: number;
  readonly longestLink: number;
  readonly fits: (text: string) => boolean;
  /** What stands where something is left out. On sms it is of the small alphabet, in which twice as much fits. */
  readonly dots: string;
}

/** The most segments of an SMS: each is paid for. */
const maxSegments = 4;
/** The longest text on any channel: what Telegram takes in one message. */
const longestText = telegramLimits.text;
const isShort = (text: string): boolean => text.length <= longestText;

const measures: Readonly<Record<Channel, Measure>> = {
  sms: {
    longestLine: 120,
    longestLink: 120,
    fits: (text) => smsSegments(text).segments <= maxSegments,
    dots: '...',
  },
  telegram: { longestLine: 500, longestLink: 1_000, fits: isShort, dots: '…' },
  whatsapp: { longestLine: 500, longestLink: 1_000, fits: isShort, dots: '…' },
};

/**
 * The text of a notification: status and title, the labels that all alerts share, a line for each alert, and links. Of several alerts
 * those that do not fit the channel are left out, and the text ends in “… and N more”.
 */
export function alertText(described: Described, channel: Channel): string {
  const measure = measures[channel];
  const head = [`${described.status}: ${described.title}`, described.labels]
    .filter((line) => line !== '')
    .map((line) => cut(line, measure.longestLine, measure.dots));
  const links = described.links.filter((link) => link.length <= measure.longestLink);
  const [only, ...others] = described.alerts;
  return others.length === 0 && described.truncated === 0
    ? ofOne(detailsOf(only!), head, links, measure)
    : ofSeveral(described, head, links, measure);
}

const fewWords = 60;
/** A line of an alert, with its end. */
const shortestLine = '- x\n'.length;

function ofOne(
  details: string,
  head: readonly string[],
  links: readonly string[],
  { fits, dots }: Measure,
): string {
  const whole = (length: number, kept: readonly string[]): string =>
    [...head, cut(details, length, dots), ...kept].filter((line) => line !== '').join('\n');
  if (fits(whole(details.length, links))) return whole(details.length, links);
  // Some words about the alert say more than a link.
  const kept = fits(whole(Math.min(details.length, fewWords), links)) ? links : [];
  return whole(
    most(details.length, (length) => fits(whole(length, kept))),
    kept,
  );
}

function ofSeveral(
  { alerts, truncated }: Described,
  head: readonly string[],
  links: readonly string[],
  { longestLine, fits, dots }: Measure,
): string {
  const lines = alerts.map((alert) => cut(lineOf(alert), longestLine, dots));
  const whole = [...head, ...lines, ...links].join('\n');
  if (truncated === 0 && whole.length <= longestText && fits(whole)) return whole;
  const some = (count: number, kept: readonly string[]): string => {
    const more = `${dots} and ${lines.length - count + truncated} more`;
    return [...head, ...kept, ...lines.slice(0, count), more].join('\n');
  };
  const last = Math.min(truncated === 0 ? lines.length - 1 : lines.length, longestText / shortestLine);
  // A line for an alert says more than a link.
  for (const kept of [links, []]) {
    const count = most(last, (one) => fits(some(one, kept)));
    if (count > 0) return some(count, kept);
  }
  return some(0, []);
}

function detailsOf({ summary, description }: DescribedAlert): string {
  return [...new Set([summary, description])].filter((text) => text !== '').join('\n');
}

function lineOf({ isResolved, differing, summary, description }: DescribedAlert): string {
  const told = [differing, summary === '' ? description : summary].filter((text) => text !== '').join(': ');
  return `- ${oneLine(`${isResolved ? 'resolved: ' : ''}${told === '' ? 'alert' : told}`)}`;
}

/** The largest number up to `atMost` for which it holds, given that it holds for all smaller ones; 0 if for none. */
function most(atMost: number, holds: (count: number) => boolean): number {
  let [good, bad] = [0, atMost + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (holds(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** A text of at most `length` UTF-16 code units, which ends in dots if something is left out. No character is cut in two. */
export function cut(text: string, length: number, dots: string): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, Math.max(0, length - dots.length)).replace(/[\ud800-\udbff]$/, '');
  return `${kept.trimEnd()}${dots}`;
}
