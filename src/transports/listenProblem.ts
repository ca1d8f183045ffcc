/** Why nobody can listen at an address of the network, and what to do; `advice` is about a port that is taken. */
export function listenProblem(
  where: string,
  { code, message }: NodeJS.ErrnoException,
  advice: string,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Something listens at ${where} already. ${advice}`;
    case 'EACCES':
      return `Cannot listen at ${where}: you may not. ${advice}`;
    case 'EADDRNOTAVAIL':
      return `Cannot listen at ${where}: it is no address of this machine.`;
    case 'ENOTFOUND':
      return `Cannot listen at ${where}: the name is unknown.`;
    default:
      return `Cannot listen at ${where}: ${code ?? message}.`;
  }
}
