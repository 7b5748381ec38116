import {
  type Adapter,
  type ChangedSettings,
  checkSettings,
  movedSecrets,
  type SettingsFault,
} from '@notify/channels';
import { checkUrl } from '@notify/egress';
import type { Settings } from '@notify/runtime';
import { invalidRequest } from '../problems/problem.ts';

type Egress = Pick<Settings, 'allowPrivateWebhooks' | 'egressAllow'>;

/**
 * Refuses settings that fail the provider's schema or its own check, and names each field. If they pass, refuses
 * addresses that no call may reach. Host names are resolved at each call, not here.
 */
export function demandSettings(adapter: Adapter, settings: unknown, egress: Egress): void {
  const misfits = checkSettings(adapter, settings);
  const faults = misfits.length > 0 ? misfits : outOfReach(adapter, settings, egress);
  refuseFor(faults);
}

/** Refuses a patch that sends stored secrets somewhere new without entering them again, and names each secret. */
export function demandMovedSecrets(adapter: Adapter, changed: ChangedSettings): void {
  refuseFor(movedSecrets(adapter, changed));
}

function refuseFor(faults: readonly SettingsFault[]): void {
  if (faults.length === 0) return;
  throw invalidRequest(...faults.map(({ at, message }) => ({ at: `body/settings${at}`, message })));
}

function outOfReach(adapter: Adapter, settings: unknown, egress: Egress): SettingsFault[] {
  const rules = { allowPrivate: egress.allowPrivateWebhooks, allow: egress.egressAllow, plainHttp: true };
  return (adapter.addresses?.(settings) ?? []).flatMap(({ at, url }) => {
    const message = checkUrl(url, rules);
    return message === null ? [] : [{ at, message: `is unreachable: ${message}` }];
  });
}

/** How many messages a second an account with these settings may send, or null if its provider has no limit. */
export function paceOf(adapter: Adapter, settings: unknown): number | null {
  return adapter.pace?.(settings).perSecond ?? null;
}
