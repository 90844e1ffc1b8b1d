import type { ReactElement } from 'react';
export function JobPlace({ jobId }: { readonly jobId: string }): ReactElement {
  return <h1>{jobId}</h1>;
}
