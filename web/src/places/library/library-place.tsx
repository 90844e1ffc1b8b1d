import type { ReactElement } from 'react';
export function LibraryPlace(): ReactElement {
  return <h1>Library</h1>;
}
