import { zapUrl, type ZapAddress } from '../../protocol/zap/address.ts';

/** Says why an address could not be reached and what to do about it. */
export function describeConnectError(
  address: ZapAddress,
  error: NodeJS.ErrnoException | undefined,
): string {
  const where = zapUrl(address);
  switch (error?.code) {
    case 'ENOENT':
      return `There is no socket at ${where}. Start the server, or correct the path.`;
    case 'ECONNREFUSED':
      return `Nothing listens at ${where}. Start the server, or correct the address.`;
    case 'EACCES':
    case 'EPERM':
      return `The socket at ${where} may not be opened. Change its permissions, or run as its owner.`;
    case 'ENOTFOUND':
      return `The host of ${where} is not known. Correct the address.`;
    default:
      return `The server at ${where} could not be reached: ${error?.message ?? 'it closed the connection'}.`;
  }
}
