import { Button, Checkbox, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useId } from 'react';
import { type Area, areas, isSameScopes, presets, type ScopeChoice } from './token-areas.ts';
import type { TokenValues } from './token-values.ts';
import classes from './tokens.module.css';

/** Asks for the scopes of a token: reading and writing by area, and usual selections. */
export function ScopeInputs({ form }: { readonly form: UseFormReturnType<TokenValues> }): ReactNode {
  return (
    <Checkbox.Group
      label="Scopes"
      description="What the token may do. Everything else gets 403."
      {...form.getInputProps('scopes')}
    >
      <Group gap={6} my={8} role="group" aria-label="Usual selections">
        {presets.map(({ label, scopes }) => {
          const isChosen = isSameScopes(form.values.scopes, scopes);
          return (
            <Button
              key={label}
              size="compact-sm"
              variant={isChosen ? 'light' : 'default'}
              aria-pressed={isChosen}
              onClick={() => form.setFieldValue('scopes', isChosen ? [] : [...scopes])}
            >
              {label}
            </Button>
          );
        })}
      </Group>
      <div className={classes.areas}>
        {areas.map((area) => (
          <AreaInputs key={area.name} area={area} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

/** An area: what it is, reading in one column, the rest in another. */
function AreaInputs({ area: { name, about, read, write } }: { readonly area: Area }): ReactNode {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={classes.area}>
      <div className={classes.about}>
        <Text size="sm" fw={550} id={id}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      </div>
      <OneScope choice={read} area={name} />
      <div className={classes.write}>
        {write.map((choice) => (
          <OneScope key={choice.scope} choice={choice} area={name} />
        ))}
      </div>
    </div>
  );
}

function OneScope({
  choice: { scope, label },
  area,
}: {
  readonly choice: ScopeChoice;
  readonly area: string;
}): ReactNode {
  return <Checkbox value={scope} label={label} title={scope} aria-label={`${label}: ${area}`} />;
}
