import type { Told } from '@notify/sdk';

/** Whether the provider took what a person was to be told, for people. */
export function toldLine({ delivered, reason }: Told): string {
  return delivered ? 'Told: yes' : `Told: no (${reason ?? 'unknown'})`;
}
