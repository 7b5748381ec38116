import type { Template } from '@notify/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { type CameFrom, useCameFrom } from '../../../parts/back-link.tsx';
import rows from '../../../parts/list/rows.module.css';
import { TemplateStatusBadge } from '../../../parts/status-badge.tsx';
import { VirtualRows } from '../../../parts/list/virtual-rows.tsx';
import { titleOf } from './filter.ts';
import { categoryName } from './template-facts.tsx';
import { templatePath } from './template-path.ts';
import classes from './templates.module.css';

const columns = [
  ['name', 'Name'],
  ['language', 'Language'],
  ['category', 'Category'],
  ['status', 'Status'],
] as const;

/** Templates, one a row. A row links to the template's page. */
export function TemplateList({ templates }: { readonly templates: readonly Template[] }): ReactNode {
  const cameFrom = useCameFrom();
  return (
    <div role="table" aria-label="Templates" aria-rowcount={templates.length + 1} className={rows.list}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={`${rows.row} ${rows.header} ${classes.row}`}>
          {columns.map(([name, label]) => (
            <span key={name} role="columnheader" className={classes[name]}>
              {label}
            </span>
          ))}
        </div>
      </div>
      <VirtualRows items={templates} idOf={({ name, language }) => `${name} ${language}`} heightPx={47}>
        {(template, index) => <Row template={template} index={index} cameFrom={cameFrom} />}
      </VirtualRows>
    </div>
  );
}

function Row({
  template,
  index,
  cameFrom,
}: {
  readonly template: Template;
  readonly index: number;
  readonly cameFrom: CameFrom;
}): ReactNode {
  const { id = '' } = useParams();
  const { name, label, language, category, status, reason } = template;
  return (
    <div role="row" aria-rowindex={index} className={`${rows.row} ${classes.row}`}>
      <span role="cell" className={classes.name}>
        <Link to={templatePath(id, template)} state={cameFrom} className={rows.cover}>
          {titleOf(template)}
        </Link>
        {label !== null && <span className={classes.code}>{name}</span>}
        {reason !== null && <span className={classes.reason}>{reason}</span>}
      </span>
      <span role="cell" className={classes.language}>
        {language}
      </span>
      <span role="cell" className={classes.category}>
        {categoryName(category)}
      </span>
      <span role="cell" className={classes.status}>
        <TemplateStatusBadge status={status} />
      </span>
    </div>
  );
}
