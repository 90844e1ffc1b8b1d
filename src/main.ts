// Started by our launcher, which stands in for this process: without it nobody could end this one any more.
if (process.connected) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}

const { main } = await import('./cli/run-command.ts');
process.exitCode = await main(process.argv.slice(2), process.env);
