import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useConnection } from '../state/connection.ts';
import { queries, service } from '../state/service.ts';
import { errorTextOfCode } from '../words/error-text.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './service-state.module.css';

const CODES = { away: 'CONNECTION_FAILED', unauthorized: 'UNAUTHORIZED', forbidden: 'FORBIDDEN' } as const;
const ASK_AGAIN_MS = 2000;

/** Reports that the service does not answer, or requires a login; disappears when that has ended. */
export function ServiceState(): ReactElement | null {
  const connection = useConnection();
  useQuery({
    queryKey: ['health', 'while-away'],
    enabled: connection === 'away',
    refetchInterval: ASK_AGAIN_MS,
    queryFn: async ({ signal }) => {
      const health = await service.getHealth({ signal });
      // Requests that failed during the outage are repeated.
      void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
      return health;
    },
  });
  if (connection === 'fine') return null;
  return (
    <div className={styles.bar}>
      <Notice errorText={errorTextOfCode(CODES[connection], null)}>
        {connection !== 'away' && (
          <Button icon="retry" onClick={() => location.reload()}>
            Reload
          </Button>
        )}
      </Notice>
    </div>
  );
}
