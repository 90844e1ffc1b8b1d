/** The text that Prometheus reads, and queries of its metrics. */

/** Name of each series to the labels of each of its samples. */
export type Samples = ReadonlyMap<string, readonly Readonly<Record<string, string>>[]>;

export function readSamples(text: string): Samples {
  const samples = new Map<string, Record<string, string>[]>();
  for (const [, name, labels = ''] of text.matchAll(/^([a-z0-9_]+)(?:\{(.*)\})? \S+$/gm)) {
    samples.set(name!, [...(samples.get(name!) ?? []), labelsOf(labels)]);
  }
  return samples;
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]));
}

/** What Prometheus adds to every sample. */
const ADDED = ['instance', 'job'];

/** Names of a query that the samples lack: metrics, their labels, values of labels, labels it groups by. */
export function unknownIn(query: string, samples: Samples): string[] {
  const metrics = [...query.matchAll(/\b((?:styledna|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)];
  const known = metrics.flatMap(([, name]) => samples.get(name!) ?? []);
  const groups = [...query.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, names]) =>
    names!.split(',').map((name) => name.trim()),
  );
  const has = (rows: Samples extends ReadonlyMap<string, infer R> ? R : never, name: string) =>
    ADDED.includes(name) || rows.some((labels) => name in labels);
  return [
    ...metrics.flatMap(([, name, selector = '']) => {
      const rows = samples.get(name!);
      if (rows === undefined) return [name!];
      const named = [...selector.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)];
      return named
        .filter(([, label, sign, value]) =>
          sign === '=' ? !rows.some((labels) => labels[label!] === value) : !has(rows, label!),
        )
        .map(([selected]) => `${name}{${selected}}`);
    }),
    ...groups.filter((name) => !has(known, name)).map((name) => `by (${name}) in ${query}`),
  ];
}
