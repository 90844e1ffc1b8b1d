import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isAddressAllowed } from './address-guard.ts';

export interface Address {
  readonly address: string;
  readonly family: number;
}

export type ResolveName = (hostname: string) => Promise<readonly Address[]>;

export const resolveByDns: ResolveName = (hostname) => lookup(hostname, { all: true });

/**
 * Resolves the host of a vetted URL once; all its addresses must be allowed. Throws the error that `forbidden` returns, the signal's
 * reason, and the errors of the resolver.
 */
export async function vettedAddresses(
  url: URL,
  networks: readonly string[],
  signal: AbortSignal,
  { resolveName = resolveByDns, forbidden }: { resolveName?: ResolveName; forbidden: () => Error },
): Promise<readonly Address[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return [{ address: host, family: ipaddr.parse(host).kind() === 'ipv4' ? 4 : 6 }];
  const addresses = await abortable(resolveName(host), signal);
  if (addresses.length === 0) throw new Error('the name has no address');
  if (!addresses.every(({ address }) => isAddressAllowed(address, networks))) throw forbidden();
  return addresses;
}

/** Connects to a vetted address only: a name that changes in between (DNS rebinding) has no effect. */
export function pinnedTo(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0].address, addresses[0].family);
  };
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}
