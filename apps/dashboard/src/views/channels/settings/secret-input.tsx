import { Button, Group, PasswordInput, Text, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { hintOf } from './hint.ts';
import type { SettingProps } from './setting-props.ts';
import classes from './secret-input.module.css';

/** An input for a secret. A stored secret is never shown, and stays if the input is empty. */
export function SecretInput({
  field,
  value,
  fault,
  change,
  lines,
  isStored,
}: SettingProps<string | null> & {
  readonly lines: 'one' | 'many';
  readonly isStored: boolean;
}): ReactNode {
  if (value === null) return <RemovedSecret label={field.label} undo={() => change('')} />;
  const Input = lines === 'many' ? HiddenTextarea : HiddenText;
  const shown = {
    label: field.label,
    description: hintOf(field),
    // A fault at an empty input says that the stored value no longer will do.
    placeholder: isStored && fault === undefined ? 'Leave empty to keep the stored value' : undefined,
    required: field.required && !isStored,
    error: fault,
    value,
  };
  return (
    <div>
      <Input {...shown} change={change} />
      {isStored && !field.required && (
        <Button variant="subtle" size="compact-xs" mt={4} ml={-6} onClick={() => change(null)}>
          Clear stored value
        </Button>
      )}
    </div>
  );
}

interface HiddenProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly placeholder: string | undefined;
  readonly required: boolean;
  readonly error: string | undefined;
  readonly value: string;
  readonly change: (value: string) => void;
}

function HiddenText({ change, ...shown }: HiddenProps): ReactNode {
  return (
    <PasswordInput
      {...shown}
      autoComplete="new-password"
      spellCheck={false}
      visibilityToggleButtonProps={{
        'aria-label': `Show or hide ${shown.label}`,
        tabIndex: 0,
        'aria-hidden': false,
      }}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** A secret of several lines, such as a key. Password inputs allow only one line. */
function HiddenTextarea({ change, ...shown }: HiddenProps): ReactNode {
  const [isVisible, setVisible] = useState(false);
  return (
    <div>
      <Textarea
        {...shown}
        autoComplete="off"
        spellCheck={false}
        autosize
        minRows={3}
        maxRows={10}
        classNames={{ input: isVisible ? classes.visible : classes.hidden }}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Button variant="subtle" size="compact-xs" mt={4} ml={-6} onClick={() => setVisible(!isVisible)}>
        {isVisible ? 'Hide' : 'Show'} {shown.label}
      </Button>
    </div>
  );
}

function RemovedSecret({ label, undo }: { readonly label: string; readonly undo: () => void }): ReactNode {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap="xs">
        <Text size="sm">Cleared when you save.</Text>
        <Button variant="subtle" size="compact-xs" onClick={undo}>
          Undo
        </Button>
      </Group>
    </div>
  );
}
