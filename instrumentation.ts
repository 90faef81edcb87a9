/** Runs once before the server takes requests. Nothing is composed at build time, nor in other runtimes than Node. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { boot } = await import("./lib/boot");
  await boot();
}
