import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { agreeOn, decideShared, sharedSetting } from '../database/shared-settings.ts';

/** The networks in CIDR notation, sorted, separated by commas. Empty: no networks. */
const SETTING = 'webhook_allowed_networks';

/** How long another process may apply the previous rule after a change. */
const CACHE_MS = 1000;

/**
 * The private networks that webhooks may reach. All processes on a database apply the same rule. It is stored
 * in the database and read again while they run.
 */
export class AllowedNetworks {
  readonly #database: Database;
  #read: { readonly atMs: number; readonly networks: Promise<readonly string[]> } | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In CIDR notation. */
  current(): Promise<readonly string[]> {
    if (this.#read === null || performance.now() - this.#read.atMs > CACHE_MS) {
      const networks = sharedSetting(this.#database, SETTING).then(listOf);
      this.#read = { atMs: performance.now(), networks };
      networks.catch(() => {
        this.#read = null;
      });
    }
    return this.#read.networks;
  }

  async change(networks: readonly string[]): Promise<void> {
    await decideShared(this.#database, SETTING, textOf(networks));
    this.#read = null;
  }
}

/**
 * Joins the shared rule. With the embedded database the process's own setting applies. On a server the first
 * configured process decides; one with a different setting logs a warning and applies the shared rule.
 * `configured` undefined: this process has no setting.
 */
export async function joinAllowedNetworks(
  database: Database,
  configured: readonly string[] | undefined,
  logger: Logger,
): Promise<AllowedNetworks> {
  const networks = new AllowedNetworks(database);
  if (database.kind === 'pglite') {
    await networks.change(configured ?? []);
    return networks;
  }
  if (configured === undefined) return networks;
  const own = textOf(configured);
  const agreed = await agreeOn(database, SETTING, own);
  if (agreed !== own) {
    logger.warn(
      { configured: own, applied: agreed },
      `WEBHOOK_ALLOWED_NETWORKS is "${own}" here, but the processes on this database have agreed on "${agreed}", which this one applies too. To change it for all: styledna webhook-networks ${own === '' ? 'none' : own.replaceAll(',', ' ')}`,
    );
  }
  return networks;
}

function listOf(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.split(',');
}

/** The same text for the same networks: `10.1.2.3/8` is `10.0.0.0/8`. */
function textOf(networks: readonly string[]): string {
  const plain = networks.map((network) => {
    const [address, bits] = ipaddr.parseCIDR(network);
    const base =
      address.kind() === 'ipv4'
        ? ipaddr.IPv4.networkAddressFromCIDR(network)
        : ipaddr.IPv6.networkAddressFromCIDR(network);
    return `${base.toString()}/${bits}`;
  });
  return [...new Set(plain)].sort().join(',');
}
