import { useEffect } from 'react';
import { addressOfParts, partsInAddress } from './edit-address.ts';
import { isEdit } from './edit-parts.ts';
import { type Make, replaceMake } from './make.ts';

/** Writes an edit into the address, so that it can be reloaded and shared, and follows an address that is entered by hand. */
export function useAddress(make: Make): void {
  useEffect(() => {
    const fragment = isEdit(make) ? addressOfParts(make) : '';
    if (fragment === location.hash.slice(1)) return;
    const { pathname, search } = location;
    history.replaceState(history.state, '', pathname + search + (fragment === '' ? '' : `#${fragment}`));
  }, [make]);
  useEffect(() => {
    const read = () => {
      const parts = partsInAddress(location.hash);
      if (parts !== null) replaceMake(parts);
    };
    // The page's own changes of the hash do not fire this event.
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
}
