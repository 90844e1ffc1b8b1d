import { type Dispatch, type SetStateAction, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import type { SoundSide } from '../../player/compared-sound.ts';
import type { View } from '../../player/stage.ts';
import type { CurrentTransport, Transport } from './transport.ts';
import { type Before, useBefore } from './use-before.ts';

/** State and settings of before and after. */
export interface Comparison {
  readonly before: Before;
  /** Requested, and shown as soon as it can be. */
  readonly isComparing: boolean;
  readonly compare: Dispatch<SetStateAction<boolean>>;
  readonly isShown: boolean;
  /** Called when there is a picture of both. */
  readonly setCompared: (transport: Transport) => void;
  /** Called when this browser cannot play them. */
  readonly fail: () => void;
  readonly view: View;
  readonly show: (view: View) => void;
  /** Between before and after: 0..1 from the left. */
  readonly line: number;
  readonly moveLine: Dispatch<SetStateAction<number>>;
  readonly sound: SoundSide;
  readonly hear: (side: SoundSide) => void;
}

const UNPLAYABLE: Before = {
  kind: 'absent',
  reason: 'No before and after: this browser cannot play both videos.',
};

/** Before and after, from the request on. `transport` plays them once they are shown, and `alone` otherwise. */
export function useComparison(job: JobDetail, alone: Transport, transport: CurrentTransport): Comparison {
  const [isWanted, compare] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [compared, setCompared] = useState<Transport | null>(null);
  const [view, show] = useState<View>('slider');
  const [line, moveLine] = useState(0.5);
  const [sound, hear] = useState<SoundSide>('after');
  const found = useBefore(job, isWanted);
  const before = hasFailed ? UNPLAYABLE : found;
  const isComparing = isWanted && before.kind !== 'absent';
  useEffect(() => {
    if (!isComparing) setCompared(null);
  }, [isComparing]);
  const current = isComparing ? compared : null;
  // Layout effects run before the player of before and after is closed: whether it plays is still known.
  useLayoutEffect(() => transport.use(current ?? alone), [transport, current, alone]);
  const fail = useCallback(() => setFailed(true), []);
  return {
    ...{ before, isComparing, compare, isShown: current !== null, setCompared, fail },
    ...{ view, show, line, moveLine, sound, hear },
  };
}
