import type { Alert } from '@notify/contract';

/** A notification, as far as it concerns a recipient. */
export interface News {
  readonly alerts: readonly Alert[];
  readonly groupLabels: Readonly<Record<string, string>>;
  /** The page of the sender; empty without one. */
  readonly externalURL: string;
  /** How many alerts the sender left out. */
  readonly truncated: number;
  /** A label that holds recipients, which a text does not tell. */
  readonly toLabel?: string | undefined;
}

/** The same in words. All are empty where there is nothing to say. */
export interface Described {
  /** `FIRING`, `RESOLVED`, or both with their numbers. */
  readonly status: string;
  readonly title: string;
  /** The labels that all alerts share, without the name of the alert. */
  readonly labels: string;
  /** The resolved ones last. */
  readonly alerts: readonly DescribedAlert[];
  readonly truncated: number;
  /** The runbook, and the page of the alert or of the sender. */
  readonly links: readonly string[];
}

export interface DescribedAlert extends Pick<Alert, 'labels' | 'annotations'> {
  readonly isResolved: boolean;
  /** The labels in which it differs from the others. */
  readonly differing: string;
  readonly summary: string;
  readonly description: string;
}

const titleLabel = 'alertname';

/** Puts a notification into words. */
export function describe({ alerts, groupLabels, externalURL, truncated, toLabel }: News): Described {
  const shared = sharedBy(alerts.map((alert) => alert.labels));
  const title = shared.get(titleLabel) ?? listOf(Object.entries(groupLabels));
  const isShown = (name: string): boolean => name !== toLabel && !name.startsWith('__');
  const ordered = [...alerts.filter(isFiring), ...alerts.filter((alert) => !isFiring(alert))];
  return {
    status: statusOf(alerts),
    title: title === '' ? countOf(alerts.length) : oneLine(title),
    labels: listOf([...shared].filter(([name]) => name !== titleLabel && isShown(name))),
    truncated,
    alerts: ordered.map((alert) => ({
      ...alert,
      isResolved: !isFiring(alert),
      differing: listOf(Object.entries(alert.labels).filter(([name]) => isShown(name) && !shared.has(name))),
      summary: oneLine(annotationOf(alert, 'summary')),
      description: annotationOf(alert, 'description', 'message').trim(),
    })),
    links: linksOf(alerts, externalURL),
  };
}

function isFiring({ status }: Alert): boolean {
  return status === 'firing';
}

function statusOf(alerts: readonly Alert[]): string {
  const firing = alerts.filter(isFiring).length;
  const resolved = alerts.length - firing;
  if (firing > 0 && resolved > 0) return `FIRING (${firing}), RESOLVED (${resolved})`;
  const word = firing > 0 ? 'FIRING' : 'RESOLVED';
  return alerts.length === 1 ? word : `${word} (${alerts.length})`;
}

function countOf(alerts: number): string {
  return alerts === 1 ? '1 alert' : `${alerts} alerts`;
}

/** The labels that are the same in all of them. */
function sharedBy(labels: readonly Readonly<Record<string, string>>[]): ReadonlyMap<string, string> {
  const [first = {}, ...others] = labels;
  return new Map(
    Object.entries(first).filter(([name, value]) =>
      others.every((one) => Object.hasOwn(one, name) && one[name] === value),
    ),
  );
}

function listOf(labels: readonly (readonly [string, string])[]): string {
  return oneLine(labels.map(([name, value]) => `${name}=${value}`).join(', '));
}

/** The first of these annotations that it has. */
function annotationOf({ annotations = {} }: Alert, ...names: readonly string[]): string {
  const found = names.find((name) => Object.hasOwn(annotations, name) && annotations[name]!.trim() !== '');
  return found === undefined ? '' : annotations[found]!;
}

function linksOf(alerts: readonly Alert[], externalURL: string): readonly string[] {
  const runbook = same(alerts.map((alert) => annotationOf(alert, 'runbook_url')));
  const page = same(
    alerts.map(({ panelURL, dashboardURL, generatorURL }) =>
      [panelURL, dashboardURL, generatorURL].find((url) => url !== undefined && url !== ''),
    ),
  );
  const links = [runbook, page ?? externalURL].filter((link) => link !== undefined && isLink(link));
  return [...new Set(links as string[])];
}

/** Their value if it is the same for all of them. */
function same<Value>([first, ...others]: readonly Value[]): Value | undefined {
  return others.every((other) => other === first) ? first : undefined;
}

function isLink(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text);
}

/** A text without line breaks, tabs and rows of spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
