/**
 * One value per process: Next compiles pages, routes, steps and instrumentation into bundles that do not share module-level
 * variables (design.md, section 9). `make` runs at the first call of whichever bundle comes first.
 */
export function processGlobal<T>(name: string, make: () => T): T {
  const holder = globalThis as Record<symbol, unknown>;
  const key = Symbol.for(`dormouse.${name}`);
  if (!(key in holder)) holder[key] = make();
  return holder[key] as T;
}
