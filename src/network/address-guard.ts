import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Ranges of ipaddr.js that are never called, independent of the configuration. */
const FORBIDDEN_RANGES = new Set(['unspecified', 'linkLocal', 'multicast', 'broadcast', 'reserved']);

/** Addresses of cloud metadata services outside link-local: AWS over IPv6, Alibaba, Azure's host, Oracle. */
const METADATA = ['fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'].map((text) =>
  ipaddr.parse(text).toNormalizedString(),
);

/** Whether a host name or address is this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isLocalName(name)) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}

/** RFC 6761, section 6.3: these names are the loopback address. */
function isLocalName(name: string): boolean {
  const bare = name.replace(/\.$/, '');
  return bare === 'localhost' || bare.endsWith('.localhost');
}

/**
 * Whether a connection to this address is allowed: a public one, or one within `networks` (CIDR notation). The service's own address
 * does not matter, since it may be behind a proxy on this machine. Throws for text that is not an address.
 */
export function isAddressAllowed(text: string, networks: readonly string[]): boolean {
  const address = unwrapped(ipaddr.parse(text));
  if (isForbidden(address)) return false;
  return address.range() === 'unicast' || networks.some((network) => isWithin(address, network));
}

/** Whether an address is forbidden independent of the configuration. */
function isForbidden(address: Address): boolean {
  return FORBIDDEN_RANGES.has(address.range()) || METADATA.includes(address.toNormalizedString());
}

/**
 * The IPv4 address embedded in an IPv6 address, or the address unchanged. A connection to such an IPv6
 * address reaches the IPv4 address through a translator or a tunnel.
 */
function unwrapped(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  const bytes = address.toByteArray();
  const embedded = (start: number) => ipaddr.fromByteArray(bytes.slice(start, start + 4));
  switch (address.range() as string) {
    // RFC 4291 section 2.5.5.2 and RFC 6052 section 2.1 (NAT64): the last four bytes.
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return embedded(12);
    // RFC 3056 section 2 (6to4): after the two bytes of the prefix.
    case '6to4':
      return embedded(2);
  }
  // RFC 4291 section 2.5.5.1, "IPv4-compatible", deprecated but still routed by some stacks; not :: and ::1.
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0) && (bytes[12] > 0 || bytes[13] > 0);
  return isCompatible ? embedded(12) : address;
}

function isWithin(address: Address, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match([base, bits] as never);
}

/**
 * Vets a URL by its text. Numeric hosts in unusual notations (octal, hexadecimal, one number) are normalized by the URL parser (WHATWG
 * URL, "IPv4 parser"). Names are vetted again after their resolution. Throws the error that `forbidden` returns.
 */
export function vetTarget(
  text: string,
  networks: readonly string[],
  forbidden: (reason: string) => Error,
): URL {
  const url = URL.parse(text);
  if (url === null) throw forbidden('It is not a URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw forbidden('It must be http or https.');
  if (url.username !== '' || url.password !== '')
    throw forbidden('It must not carry a user name or password.');
  if (url.port === '0') throw forbidden('Its port is 0, which no server can listen on.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const literal = isLocalName(host) ? '127.0.0.1' : host;
  if (ipaddr.isValid(literal) && !isAddressAllowed(literal, networks)) {
    throw forbidden(
      isForbidden(unwrapped(ipaddr.parse(literal)))
        ? `The address ${host} is link-local, unspecified, multicast or that of a metadata service; the service never calls these.`
        : `The address ${host} is loopback or private, and WEBHOOK_ALLOWED_NETWORKS does not contain its network. Use a public address, or ask the operator of this service to add the network.`,
    );
  }
  return url;
}
