import { Fieldset, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Field } from './fields.ts';
import { ClockInput, ListInput, NumberSetting, SwitchInput } from './simple-inputs.tsx';
import { ChoiceInput } from './choice-input.tsx';
import { readable } from './hint.ts';
import { MapInput } from './map-input.tsx';
import { SecretInput } from './secret-input.tsx';
import { TextSetting } from './text-setting.tsx';
import { ZoneInput } from './zone-input.tsx';
import { isBlank, type Settings, type Value, type Values } from './values.ts';

/** The state that inputs of settings share. */
export interface SettingsState {
  readonly values: Values;
  /** By the `at` of their field. */
  readonly faults: Readonly<Record<string, string>>;
  /** The stored settings, with masked secrets; empty for a new account. */
  readonly stored: Settings;
  readonly change: (at: string, value: Value) => void;
}

/** The inputs of some settings, below each other. */
export function SettingsFields({
  fields,
  state,
}: {
  readonly fields: readonly Field[];
  readonly state: SettingsState;
}): ReactNode {
  return (
    <Stack gap="md">
      {fields.map((field) => (
        <SettingInput key={field.at} field={field} state={state} />
      ))}
    </Stack>
  );
}

function SettingInput({ field, state }: { readonly field: Field; readonly state: SettingsState }): ReactNode {
  const { input, at, name } = field;
  const value = state.values[at];
  const change = (wanted: Value): void => state.change(at, wanted);
  const shared = { field, fault: state.faults[at], change };
  switch (input.kind) {
    case 'text':
      return input.secret ? (
        <SecretInput
          {...shared}
          value={value as string | null}
          lines={input.lines}
          isStored={state.stored[name] !== undefined}
        />
      ) : (
        <TextSetting {...shared} value={value as string} input={input} />
      );
    case 'number':
      return <NumberSetting {...shared} value={value as string | number} input={input} />;
    case 'boolean':
      return <SwitchInput {...shared} value={value === true} />;
    case 'choice':
      return <ChoiceInput {...shared} value={value as string} options={input.options} none={input.none} />;
    case 'clock':
      return <ClockInput {...shared} value={value as string} />;
    case 'list':
      return (
        <ListInput {...shared} value={value as readonly string[] | null} mayBeEmpty={input.mayBeEmpty} />
      );
    case 'map':
      return <MapInput {...shared} entries={value} input={input} stored={storedNames(state.stored[name])} />;
    case 'pairs':
      return (
        <MapInput
          {...shared}
          entries={value}
          input={{ kind: 'map', secret: false, options: null }}
          stored={new Set()}
          words={input.labels}
        />
      );
    case 'zone':
      return <ZoneInput {...shared} value={value as string} />;
    case 'json':
      return <TextSetting {...shared} value={value as string} input={{ kind: 'json' }} />;
    case 'group':
      return (
        <Fieldset legend={field.label}>
          {field.description !== null && (
            <Text size="sm" c="dimmed" mb="sm">
              {readable(field.description)}
            </Text>
          )}
          <SettingsFields
            fields={inGroup(field, input.fields, state.values)}
            state={{ ...state, stored: within(state.stored, name) }}
          />
        </Fieldset>
      );
  }
}

/** The fields of an optional group are required only once one of them is filled in. */
function inGroup(group: Field, fields: readonly Field[], values: Values): readonly Field[] {
  if (group.required || !isBlank(group, values)) return fields;
  return fields.map((field) => ({ ...field, required: false }));
}

function within(stored: Settings, name: string): Settings {
  const inner = stored[name];
  return typeof inner === 'object' && inner !== null ? (inner as Settings) : {};
}

function storedNames(stored: unknown): ReadonlySet<string> {
  return new Set(typeof stored === 'object' && stored !== null ? Object.keys(stored) : []);
}
