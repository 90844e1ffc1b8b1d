import type { ReactElement } from 'react';
import { Link } from 'wouter';

export function NoSuchPlace(): ReactElement {
  return (
    <>
      <h1>There is nothing here</h1>
      <p>
        The link may be incomplete. <Link href="/">Make something</Link>, or look into the{' '}
        <Link href="/library">library</Link>.
      </p>
    </>
  );
}
