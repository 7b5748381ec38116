import { NativeSelect, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { templateTones } from '../../../parts/status-badge.tsx';
import { languageName } from '../../../parts/template/language-name.ts';
import { useNow } from '../../../parts/time/time.tsx';
import type { AccountTemplates } from '../../channels/templates/account-templates.ts';
import { matching, titleOf } from '../../channels/templates/filter.ts';
import { canSend } from '../../channels/templates/sync-advice.ts';
import type { Values } from './values.ts';

/** Options shown at once. The search finds the others. */
const shownOptions = 100;

/** Chooses a template by name, and one of its languages. Those that cannot be sent say why. */
export function TemplateChoice({
  form,
  list,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly list: AccountTemplates;
}): ReactNode {
  const now = useNow();
  const sorted = matching(list.templates, { search: '', status: null });
  const languages = sorted.filter(({ name }) => name === form.values.name);
  const choose = (name: string | null): void => {
    const its = sorted.filter((one) => one.name === name);
    const language = (its.find((one) => canSend(one, list.sync, now)) ?? its[0])?.language ?? '';
    form.setValues({ name: name ?? '', language, filled: {} });
    form.clearErrors();
  };
  const names = new Map(sorted.map((one) => [one.name, titleOf(one)]));
  return (
    <>
      <Select
        label="Template"
        placeholder="Search by name"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matching templates"
        limit={shownOptions}
        withScrollArea={false}
        styles={{ dropdown: { maxHeight: 260, overflowY: 'auto' } }}
        data={Array.from(names, ([value, label]) => {
          const its = sorted.filter(({ name }) => name === value);
          const isSendable = its.some((one) => canSend(one, list.sync, now));
          return {
            value,
            label: isSendable ? label : `${label} · ${templateTones[its[0]!.status][1]}`,
            disabled: !isSendable,
          };
        })}
        {...form.getInputProps('name')}
        value={form.values.name === '' ? null : form.values.name}
        onChange={choose}
      />
      {languages.length > 0 && (
        <NativeSelect
          label="Language"
          data={languages.map((one) => {
            const isSendable = canSend(one, list.sync, now);
            const word = isSendable ? '' : ` · ${templateTones[one.status][1]}`;
            return {
              value: one.language,
              label: `${languageName(one.language)}${word}`,
              disabled: !isSendable,
            };
          })}
          {...form.getInputProps('language')}
        />
      )}
    </>
  );
}
