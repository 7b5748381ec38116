import { Button, Collapse, Stack, Text } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { SettingsFields } from './settings-fields.tsx';
import type { SettingsForm } from './use-settings-form.ts';

/** The inputs of a provider's settings: the main ones, and the rest behind "More settings". */
export function SettingsInputs({
  form,
  without,
}: {
  readonly form: SettingsForm;
  /** The `at` of a setting that is asked for elsewhere. */
  readonly without?: string;
}): ReactNode {
  const { layout, state, looseFault, hasFaultInMore } = form;
  const [wanted, setWanted] = useState(false);
  const main = layout.main.filter(({ at }) => at !== without);
  const id = useId();
  const isOpen = wanted || hasFaultInMore;
  return (
    <Stack gap="md">
      {main.length > 0 && <SettingsFields fields={main} state={state} />}
      {looseFault !== undefined && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {looseFault}
        </Text>
      )}
      {layout.more.length > 0 && (
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            ml={-8}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setWanted(!isOpen)}
          >
            {isOpen ? 'Fewer settings' : 'More settings'}
          </Button>
          <Collapse expanded={isOpen} id={id} pt="md">
            <SettingsFields fields={layout.more} state={state} />
          </Collapse>
        </div>
      )}
    </Stack>
  );
}
