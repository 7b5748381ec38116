export type { Ages } from './ages.ts';
export { type Inspection, inspect } from './inspect.ts';
export { look, type Looked } from './look.ts';
export type { SpotCheckName } from './spot-checks.ts';
