import { useMemo, useState } from 'react';
import { ApiProblem } from '../../../api/failure.ts';
import type { Provider } from '../../../api/schema.ts';
import { type Field, fieldsOf, type Schema } from './fields.ts';
import { faultsOf, sayFaults } from './faults.ts';
import { type Layout, layoutOf, shownFields } from './layout.ts';
import { faultsIn, patchOf, type Settings, settingsOf, type Value, type Values, valuesOf } from './values.ts';
import type { SettingsState } from './settings-fields.tsx';

/** The settings of an account while somebody enters them. */
export interface SettingsForm {
  readonly layout: Layout;
  readonly state: SettingsState;
  /** A fault of the settings that belongs to no input that is shown. */
  readonly looseFault: string | undefined;
  /** Whether there is a fault behind "More settings". */
  readonly hasFaultInMore: boolean;
  /** Whether anything is missing, which is then shown. */
  readonly isIncomplete: () => boolean;
  /** What is entered. */
  readonly settings: () => Settings;
  /** What of the stored settings is to be changed; null for nothing. */
  readonly patch: () => Settings | null;
  /** Shows the faults that the api found, each at its input. */
  readonly refuse: (failure: unknown) => void;
  /** Shows stored settings, and forgets what was entered. */
  readonly reset: (settings: Settings) => void;
}

/** A form of a provider's settings; `stored` is empty for an account that is to be made. */
export function useSettingsForm(provider: Provider, stored: Settings): SettingsForm {
  const fields = useMemo(() => fieldsOf(provider.settings as Schema), [provider]);
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
    refuse: (failure) => setFaults(failure instanceof ApiProblem ? faultsOf(shown, failure.errors) : {}),
    reset(settings) {
      setValues(valuesOf(fields, settings));
      setFaults({});
    },
  };
}

function hasFault({ at, input }: Field, faults: Readonly<Record<string, string>>): boolean {
  if (faults[at] !== undefined) return true;
  return input.kind === 'group' && input.fields.some((field) => hasFault(field, faults));
}
