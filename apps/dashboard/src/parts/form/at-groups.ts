import { ApiProblem } from '../../api/failure.ts';

/** The failure, with an error of a single item of a list, such as a scope or an account, at the group that shows it. */
export function atGroups(failure: unknown): unknown {
  return failure instanceof ApiProblem
    ? failure.withErrorsAt((at) =>
        at.replace(/^(body\/(?:scopes|channelAccountIds|channels|tags))\/\d+$/, '$1'),
      )
    : failure;
}
