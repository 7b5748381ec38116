import { Button, Checkbox, Group, NumberInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { VerificationLimits } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useChange } from '../../api/hooks.ts';
import { Form } from '../../parts/form/form.tsx';
import { Time } from '../../parts/time/time.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { type LimitValues, toBody, toValues } from './limit-values.ts';
import classes from './verifications.module.css';

/** The names of the inputs, which show their own errors. */
function fieldsOf({ prefixes }: LimitValues): string[] {
  const own = prefixes.flatMap((_, index) => [`prefixes.${index}.prefix`, `prefixes.${index}.startsPerHour`]);
  return ['startsPerHour', ...own];
}

/** Changes the limits, and releases prefixes that are held. */
export function LimitsForm({ limits }: { readonly limits: VerificationLimits }): ReactNode {
  const change = useChange('put /v1/verification-limits', {
    refresh: ['get /v1/verification-limits', 'get /v1/usage/verifications'],
  });
  const form = useForm<LimitValues>({ mode: 'controlled', initialValues: toValues(limits) });
  const submission = useSubmit(form, async (values) => {
    await change.mutateAsync({ body: toBody(values) });
    notifications.show({ color: 'teal', message: 'Limits saved.' });
  });
  const release = async (prefix: string): Promise<void> => {
    await change.mutateAsync({ body: toBody(toValues(limits), prefix) });
    notifications.show({ color: 'teal', message: `${prefix} released.` });
  };
  const heldUntil = (prefix: string): string | null =>
    limits.prefixes.find((one) => one.prefix === prefix)?.heldUntil ?? null;
  return (
    <Form
      submission={submission}
      fields={fieldsOf(form.values)}
      buttons={
        <Group>
          <Button type="submit" variant="light" loading={submission.isBusy}>
            Save limits
          </Button>
          <Button
            variant="default"
            onClick={() => form.insertListItem('prefixes', { prefix: '+', startsPerHour: '', guarded: true })}
          >
            Add a prefix
          </Button>
        </Group>
      }
    >
      <NumberInput
        label="Per hour to each prefix"
        description="0 blocks all countries except the prefixes you add."
        min={0}
        max={1_000_000}
        maw={380}
        {...form.getInputProps('startsPerHour')}
      />
      {form.values.prefixes.length > 0 && (
        <ul className={classes.prefixes} aria-label="Prefixes with their own limits">
          {form.values.prefixes.map((one, index) => (
            <li key={index} className={classes.prefix}>
              <TextInput
                label="Prefix"
                description="Country code"
                w={120}
                {...form.getInputProps(`prefixes.${index}.prefix`)}
              />
              <NumberInput
                label="Per hour"
                description="Empty: limit to each prefix"
                min={0}
                max={1_000_000}
                w={160}
                {...form.getInputProps(`prefixes.${index}.startsPerHour`)}
              />
              <Checkbox
                label="Hold this prefix if few of its codes are entered"
                pb={8}
                {...form.getInputProps(`prefixes.${index}.guarded`, { type: 'checkbox' })}
              />
              <Button
                variant="default"
                size="xs"
                aria-label={`Remove ${one.prefix}`}
                onClick={() => form.removeListItem('prefixes', index)}
              >
                Remove
              </Button>
              {heldUntil(one.prefix) !== null && (
                <>
                  <Text size="sm">
                    Held until <Time at={heldUntil(one.prefix)} />
                  </Text>
                  <Button
                    size="xs"
                    aria-label={`Release ${one.prefix}`}
                    loading={change.isPending}
                    onClick={() => void release(one.prefix)}
                  >
                    Release
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Form>
  );
}
