export { type AcceptedGroup, acceptGroup, type NewGroup, type NewRoute } from './accept.ts';
export { dueGroups, nextGroups, overdueGroups, putOffGroup } from './due.ts';
export { findGroup, type GroupRow, type ListedGroupRow } from './look-up.ts';
export { moveGroupOn, type Moved, type MoveTerms } from './move.ts';
export { searchGroups } from './search.ts';
