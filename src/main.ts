// Started by our launcher, which forwards signals to this process. It ends with the launcher.
if (process.connected) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

const { main } = await import('./cli/run-command.ts');
process.exitCode = await main(process.argv.slice(2), process.env);
