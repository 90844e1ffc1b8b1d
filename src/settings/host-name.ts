/** A host as `Host` headers and settings write it (RFC 9110, section 7.2), in one spelling. */
export interface HostName {
  /** Lower case, without a dot at its end; IPv6 in brackets, IPv4 in four numbers, other alphabets in Punycode. */
  readonly name: string;
  /** Null: none was written. */
  readonly port: string | null;
}

/** Anything that could end a host in a URL is refused first: the URL parser reads `a@localhost` as localhost. */
const HOST = /^(\[[0-9a-f:.]+\]|[^\s/?#@\\%:[\]]+)(?::(\d{0,5}))?$/i;

/** Null if the text is no host name or address. */
export function hostNameOf(text: string): HostName | null {
  const [, host, port] = HOST.exec(isBareIpv6(text) ? `[${text}]` : text) ?? [];
  if (host === undefined) return null;
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
  return name === '' ? null : { name, port: port === undefined || port === '' ? null : port };
}

function isBareIpv6(text: string): boolean {
  return /^[0-9a-f:.]+$/i.test(text) && text.split(':').length > 2;
}
