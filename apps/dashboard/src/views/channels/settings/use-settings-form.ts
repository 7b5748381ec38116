import type { Provider } from '@notify/sdk';
import { useMemo, useState } from 'react';
import { ApiProblem } from '../../../api/failure.ts';
import { type Field, fieldsOf } from './fields.ts';
import { faultsOf, sayFaults } from './faults.ts';
import { type Layout, layoutOf, shownFields } from './layout.ts';
import { faultsIn, patchOf, type Settings, settingsOf, type Value, type Values, valuesOf } from './values.ts';
import type { SettingsState } from './settings-fields.tsx';

/** The state of a settings form. */
export interface SettingsForm {
  readonly layout: Layout;
  readonly state: SettingsState;
  /** A fault in the settings that no visible input can show. */
  readonly looseFault: string | undefined;
  /** Whether a field behind "More settings" has a fault. */
  readonly hasFaultInMore: boolean;
  /** Whether a required value is missing. Marks its input. */
  readonly isIncomplete: () => boolean;
  /** The entered settings. */
  readonly settings: () => Settings;
  /** The patch for the stored settings; null if nothing has changed. */
  readonly patch: () => Settings | null;
  /** Whether an input differs from what is stored. */
  readonly isChanged: () => boolean;
  /** Shows the faults that the api found, each at its input. */
  readonly refuse: (failure: unknown) => void;
  /** Replaces the entered settings. */
  readonly fill: (settings: Settings) => void;
  /** Shows stored settings, and discards the entered ones. */
  readonly reset: (settings: Settings) => void;
}

/** Chooses the settings of a form, or changes how they are asked for. */
export type Pick = (fields: readonly Field[]) => readonly Field[];

const all: Pick = (fields) => fields;

/**
 * A form for a provider's settings, or those that `pick` returns; the others stay as they are. `stored` is empty for a new account.
 * `pick` must be the same function at each call.
 */
export function useSettingsForm(provider: Provider, settings: Settings, pick: Pick = all): SettingsForm {
  const [fields, others] = useMemo(() => {
    const known = fieldsOf(provider.settings);
    const picked = pick(known);
    const left = known.filter(({ name }) => !picked.some((one) => one.name === name));
    return [picked, new Set(left.map(({ name }) => name))] as const;
  }, [provider, pick]);
  const stored = useMemo(
    () => Object.fromEntries(Object.entries(settings).filter(([name]) => !others.has(name))),
    [settings, others],
  );
  const [values, setValues] = useState<Values>(() => valuesOf(fields, stored));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const shown = shownFields(provider.id, fields, values);
  const layout = layoutOf(provider.id, shown);

  function change(at: string, value: Value): void {
    setValues((before) => ({ ...before, [at]: value }));
    setFaults(({ [at]: _mended, ...others }) => others);
  }

  return {
    layout,
    state: { values, faults, stored, change },
    looseFault: faults[''],
    hasFaultInMore: layout.more.some((field) => hasFault(field, faults)),
    isIncomplete() {
      const missing = faultsIn(shown, values, stored);
      setFaults(sayFaults(shown, missing));
      return missing.length > 0;
    },
    settings: () => settingsOf(shown, values),
    patch() {
      const patch = patchOf(shown, stored, values);
      return Object.keys(patch).length === 0 ? null : patch;
    },
    isChanged: () => JSON.stringify(values) !== JSON.stringify(valuesOf(fields, stored)),
    refuse: (failure) => setFaults(failure instanceof ApiProblem ? faultsOf(shown, failure.errors) : {}),
    fill(wanted) {
      setValues(valuesOf(fields, wanted));
      setFaults({});
    },
    reset(changed) {
      setValues(valuesOf(fields, changed));
      setFaults({});
    },
  };
}

function hasFault({ at, input }: Field, faults: Readonly<Record<string, string>>): boolean {
  if (faults[at] !== undefined) return true;
  return input.kind === 'group' && input.fields.some((field) => hasFault(field, faults));
}
