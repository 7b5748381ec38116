import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { CheckIcon, MoonIcon, SunIcon, SystemIcon } from '../parts/icons.tsx';

const schemes = [
  { value: 'auto', label: 'System', Icon: SystemIcon },
  { value: 'light', label: 'Light', Icon: SunIcon },
  { value: 'dark', label: 'Dark', Icon: MoonIcon },
] as const satisfies readonly { value: MantineColorScheme; label: string; Icon: unknown }[];

/** Chooses light, dark, or the system's setting. The choice is stored in this browser. */
export function ColorSchemeToggle(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { Icon } = schemes.find(({ value }) => value === colorScheme) ?? schemes[0];
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Theme">
          <Icon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, Icon: Own }) => (
          <Menu.Item
            key={value}
            leftSection={<Own />}
            rightSection={value === colorScheme ? <CheckIcon /> : null}
            aria-current={value === colorScheme}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
