import { type Component, components } from './catalogue.ts';
import { type Level, levels } from './event.ts';

/** A level from which lines are written, or none. */
export type Threshold = Level | 'silent';

/** The level of every component, and those of single components. */
export interface LogLevels {
  readonly every: Threshold;
  readonly byComponent: ReadonlyMap<Component, Threshold>;
}

/** A change of levels at run time. Without a component it is for all. */
export interface LevelChange {
  readonly component: Component | null;
  readonly level: Threshold;
}

const thresholds: readonly string[] = [...levels, 'silent'];

function isThreshold(text: string): text is Threshold {
  return thresholds.includes(text);
}

function isComponent(text: string): text is Component {
  return (components as readonly string[]).includes(text);
}

/** What is wrong with `level` or `component=level`, in words; null if nothing is. */
export function levelFault(part: string): string | null {
  const [name = '', level, ...more] = part.split('=');
  if (level === undefined)
    return isThreshold(name) ? null : `expected one of ${listed(thresholds)}; got ${JSON.stringify(name)}`;
  if (!isComponent(name)) return `${JSON.stringify(name)} is no component (${listed(components)})`;
  if (more.length > 0 || !isThreshold(level))
    return `${JSON.stringify(part)} has no level (${listed(thresholds)})`;
  return null;
}

/** One part, `level` or `component=level`. Null if it has a fault. */
export function parseLevelChange(part: string): LevelChange | null {
  if (levelFault(part) !== null) return null;
  const [name = '', level] = part.split('=');
  if (level === undefined) return { component: null, level: name as Threshold };
  return { component: name as Component, level: level as Threshold };
}

/** `info`, `info,dispatch=debug`, `dispatch=debug`. Null if a part has a fault or stands twice. */
export function parseLogLevels(text: string): LogLevels | null {
  const changes = text.split(',').map((part) => parseLevelChange(part.trim()));
  const names = new Set(changes.map((change) => change?.component));
  if (changes.includes(null) || names.size < changes.length) return null;
  return changedLevels({ every: 'info', byComponent: new Map() }, changes as readonly LevelChange[]);
}

/** The first fault of `LOG_LEVEL`, in words; null if there is none. */
export function logLevelsFault(text: string): string | null {
  const parts = text.split(',').map((part) => part.trim());
  const names = parts.map((part) => (part.includes('=') ? part.split('=')[0] : ''));
  const fault = parts.map(levelFault).find((one) => one !== null);
  if (fault !== undefined) return fault;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined
    ? null
    : `${twice === '' ? 'the level of all components' : twice} is there twice`;
}

/**
 * Levels after changes. A change for all components replaces their levels, and one for a component replaces its level,
 * whatever their order.
 */
export function changedLevels(start: LogLevels, changes: readonly LevelChange[]): LogLevels {
  const all = changes.findLast(({ component }) => component === null);
  const byComponent = new Map(all === undefined ? start.byComponent : []);
  for (const { component, level } of changes) if (component !== null) byComponent.set(component, level);
  return { every: all?.level ?? start.every, byComponent };
}

/** As LOG_LEVEL has it. */
export function writtenLevels({ every, byComponent }: LogLevels): string {
  return [every, ...Array.from(byComponent, ([component, level]) => `${component}=${level}`)].join(',');
}

const listed = (names: readonly string[]): string => names.join(', ');
