import type { ReactElement } from 'react';
import type { Comparison } from '../../../../src/client/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { isUnderWay } from '../../state/server-data.ts';

export interface Compare {
  /** Null: it is shown already, or there will be none. */
  readonly comparison: Comparison | null;
  readonly isReady: boolean;
  readonly show: () => void;
}

/** Switches from the output alone to before and after, while and after the comparison is made. */
export function CompareButton({ compare }: { readonly compare: Compare }): ReactElement | null {
  const { comparison, isReady, show } = compare;
  if (comparison === null || (!isReady && !isUnderWay(comparison.status))) return null;
  return (
    <Button icon="look" disabled={!isReady} onClick={show}>
      {isReady ? 'Show before and after' : `Before and after: ${words(comparison)}`}
    </Button>
  );
}

function words({ status, progress_percent: percent }: Comparison): string {
  return status === 'queued' ? 'waiting' : `${Math.floor(percent)} %`;
}
