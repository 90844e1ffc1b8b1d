import type { FastifyInstance } from 'fastify';

/** Collects the methods of each path from the routes as they are added. */
export class AllowedMethods {
  readonly #byPattern = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  /** Call before any route is added. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      // A catch-all route, such as a web page's, would make every path known.
      if (url.includes('*')) return;
      const entry = this.#byPattern.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const name of [method].flat()) entry.methods.add(name);
      this.#byPattern.set(url, entry);
    });
  }

  /** The methods of a path without its query; empty when no route matches. */
  of(path: string): string[] {
    const methods = new Set<string>();
    for (const entry of this.#byPattern.values()) {
      if (entry.pattern.test(path)) for (const method of entry.methods) methods.add(method);
    }
    return [...methods].sort();
  }
}

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^$()|[\]\\{}]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${escaped}/?$`);
}
