/** A time zone as somebody chooses it: a place, or that of each recipient with a place for the others. */
export interface ZoneChoice {
  readonly byRecipient: boolean;
  /** A name of the time zone database; empty while none is chosen. */
  readonly name: string;
}

const prefix = 'recipient:';

/** The value of the input for a stored zone; empty without one. */
export function writeZone(stored: unknown): string {
  if (typeof stored === 'string') return stored;
  if (typeof stored !== 'object' || stored === null) return '';
  const { fallback = '' } = stored as { fallback?: string };
  return `${prefix}${fallback}`;
}

/** What the value of the input says, and the setting that it makes: undefined without a name. */
export function readZone(value: string): { readonly choice: ZoneChoice; readonly setting: unknown } {
  const byRecipient = value.startsWith(prefix);
  const name = byRecipient ? value.slice(prefix.length) : value;
  const setting = byRecipient ? { recipient: true, fallback: name } : name;
  return { choice: { byRecipient, name }, setting: name === '' ? undefined : setting };
}

/** The value of the input for a choice. */
export function valueOfChoice({ byRecipient, name }: ZoneChoice): string {
  return byRecipient ? `${prefix}${name}` : name;
}
