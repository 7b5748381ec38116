export { dueGroups, nextGroups, overdueGroups, putOffGroup } from './due.ts';
export { moveGroupOn, type Moved, type MoveTerms } from './move.ts';
