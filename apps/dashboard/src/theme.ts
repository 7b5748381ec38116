import {
  Alert,
  Badge,
  Button,
  Card,
  createTheme,
  type CSSVariablesResolver,
  Loader,
  type MantineColorsTuple,
  Menu,
  Modal,
  Notification,
  PasswordInput,
  Table,
  TextInput,
  Tooltip,
} from '@mantine/core';

/** The one accent: an ink blue. */
const ink: MantineColorsTuple = [
  '#f0f2fd',
  '#dfe3fa',
  '#bfc8f5',
  '#9ba9ef',
  '#7f90e9',
  '#6779e0',
  '#5266d6',
  '#4453c4',
  '#36439f',
  '#2a357d',
];

/** Cooler than Mantine's dark colours, so that surfaces look like one material. */
const dark: MantineColorsTuple = [
  '#dfe3ea',
  '#bcc3ce',
  '#9aa3b2',
  '#6d7686',
  '#3d4451',
  '#2e343f',
  '#232831',
  '#1a1e25',
  '#13161c',
  '#0e1015',
];

/**
 * The look of the dashboard. Text colours have a contrast of at least 4.5:1 on every surface, in both schemes (WCAG
 * 2.2, 1.4.3).
 */
export const theme = createTheme({
  colors: { ink, dark },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: false,
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Mantine's colour for titles is made for icons: text in it is too pale.
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 550 } }),
    Button: Button.extend({ defaultProps: { fw: 550 } }),
    Card: Card.extend({
      defaultProps: {
        withBorder: true,
        padding: 'lg',
        radius: 'lg',
        bg: 'var(--surface)',
        bd: '1px solid var(--line)',
      },
    }),
    Loader: Loader.extend({ defaultProps: { size: 'sm' } }),
    // Mantine would first focus an element that may not be part of a menu (WAI-ARIA 1.2, 5.2.5).
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({
      defaultProps: { centered: true, radius: 'lg', closeButtonProps: { 'aria-label': 'Close' } },
      // A name in the title may have 200 characters without a space.
      styles: {
        title: { minWidth: 0, fontSize: '1.0625rem', fontWeight: 650, overflowWrap: 'anywhere' },
        close: { flex: 'none' },
        // What has the focus is not hidden below the title or the buttons (WCAG 2.2, 2.4.11).
        content: { scrollPaddingBlock: '64px 76px' },
      },
    }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { overflowWrap: 'anywhere' }, description: { overflowWrap: 'anywhere' } },
    }),
    PasswordInput: PasswordInput.extend({
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show or hide what is typed' } },
    }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } }),
    TextInput: TextInput.extend({ defaultProps: { spellCheck: false } }),
    Tooltip: Tooltip.extend({
      defaultProps: { withArrow: true, openDelay: 200, events: { hover: true, focus: true, touch: true } },
    }),
  },
});

/** Light text on a tint of its colour, for buttons and badges in the dark scheme. */
const tints = Object.fromEntries(
  [
    ['ink', '127, 144, 233', '#b3befa'],
    ['gray', '154, 163, 178', '#bcc3ce'],
    ['red', '255, 107, 107', '#ffa8a8'],
    ['orange', '255, 146, 43', '#ffc078'],
    ['yellow', '252, 196, 25', '#ffe066'],
    ['teal', '32, 201, 151', '#63e6be'],
    ['green', '81, 207, 102', '#8ce99a'],
    ['blue', '77, 171, 247', '#a5d8ff'],
  ].flatMap(([name, tint, text]) => [
    [`--mantine-color-${name}-light`, `rgba(${tint}, 0.15)`],
    [`--mantine-color-${name}-light-hover`, `rgba(${tint}, 0.24)`],
    [`--mantine-color-${name}-light-color`, text],
  ]),
) as Readonly<Record<string, string>>;

/** Replaces Mantine's colours with too little contrast, and adds the surfaces that the style sheets use. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1c2130',
    '--mantine-color-dimmed': '#586072',
    '--mantine-color-placeholder': '#6b7385',
    '--mantine-color-error': '#c22525',
    '--mantine-color-default-border': '#d5dae3',
    '--surface': '#ffffff',
    '--ground': '#f5f6f9',
    '--sunken': '#eef0f4',
    '--line': '#e1e5ec',
    '--accent': '#4453c4',
    '--accent-soft': '#eaedfb',
    // Mantine's colours have a contrast of 4.3:1 or less on their own tints.
    '--mantine-color-teal-light-color': '#06664a',
    '--mantine-color-orange-light-color': '#9c3a05',
    '--mantine-color-yellow-light-color': '#7d5100',
  },
  dark: {
    ...tints,
    '--mantine-color-text': '#e3e7ee',
    '--mantine-color-dimmed': '#9aa3b2',
    '--mantine-color-placeholder': '#8b94a4',
    '--mantine-color-error': '#ff8b8b',
    '--mantine-color-default-border': '#3d4451',
    '--surface': '#1a1e25',
    '--ground': '#13161c',
    '--sunken': '#101318',
    '--line': '#2e343f',
    '--accent': '#9ba9ef',
    '--accent-soft': '#262d4c',
  },
});
