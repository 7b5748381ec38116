import { Group, NumberInput, Radio, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { WebhookFields } from './webhook-fields.ts';

/** Asks whether the endpoint gets a request for each event, or packs of several. */
export function PackingInputs({ form }: { readonly form: UseFormReturnType<WebhookFields> }): ReactNode {
  const [mode, setMode] = useState(form.getInitialValues().delivery.mode);
  form.watch('delivery.mode', ({ value }) => setMode(value as typeof mode));
  return (
    <Stack gap="xs">
      <Radio.Group
        key={form.key('delivery.mode')}
        label="Requests"
        description="With many events, packs cost your endpoint far fewer requests."
        {...form.getInputProps('delivery.mode')}
      >
        <Stack gap={8} mt={8}>
          <Radio value="single" label="One for each event" />
          <Radio value="batch" label="Packs of several events" />
        </Stack>
      </Radio.Group>
      {mode === 'batch' && (
        <Group grow align="flex-start">
          <NumberInput
            key={form.key('delivery.maxEvents')}
            label="Events per request"
            description="From 1 to 500, and at most 1 MB."
            min={1}
            max={500}
            allowDecimal={false}
            {...form.getInputProps('delivery.maxEvents')}
          />
          <NumberInput
            key={form.key('delivery.maxWaitMs')}
            label="Longest wait in ms"
            description="From 0 to 60,000. A full pack does not wait."
            min={0}
            max={60_000}
            step={100}
            allowDecimal={false}
            thousandSeparator=","
            {...form.getInputProps('delivery.maxWaitMs')}
          />
        </Group>
      )}
    </Stack>
  );
}
