import { Autocomplete, NativeSelect, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SettingProps } from './setting-props.ts';
import { readZone, valueOfChoice } from './zone.ts';

const ofAccount = 'account';
const ofRecipient = 'recipient';

/** The zones that the browser knows. Others can be typed. */
const names = Intl.supportedValuesOf('timeZone');
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const shownAtOnce = 50;

/** A time zone: one for all, or that of each recipient. */
export function ZoneInput({ field, value, fault, change }: SettingProps<string>): ReactNode {
  const { choice } = readZone(value);
  const { byRecipient, name } = choice;
  return (
    <Stack gap="xs">
      <NativeSelect
        label={field.label}
        required={field.required}
        value={byRecipient ? ofRecipient : ofAccount}
        data={[
          { value: ofAccount, label: 'The same for all recipients' },
          { value: ofRecipient, label: 'Each recipient’s own, by phone number' },
        ]}
        onChange={(event) =>
          change(
            valueOfChoice({
              byRecipient: event.currentTarget.value === ofRecipient,
              name,
            }),
          )
        }
      />
      <Autocomplete
        label={byRecipient ? 'Zone of other recipients' : 'Zone'}
        description={
          byRecipient
            ? 'For recipients whose number does not show their country, and for everyone on Telegram.'
            : 'The name of a time zone, such as Europe/Berlin.'
        }
        placeholder={`e.g. ${here}`}
        data={names}
        limit={shownAtOnce}
        value={name}
        error={fault}
        onChange={(wanted) => change(valueOfChoice({ byRecipient, name: wanted.trim() }))}
      />
    </Stack>
  );
}
