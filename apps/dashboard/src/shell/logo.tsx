import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './shell.module.css';

/** Logo and name; links to the first page. */
export function Logo(): ReactNode {
  return (
    <Link to="/" className={classes.logo}>
      <img src="/favicon.svg" width={28} height={28} alt="" />
      Notify
    </Link>
  );
}
