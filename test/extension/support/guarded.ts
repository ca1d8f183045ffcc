import type {
  AuthorizationServer,
  startAuthorizationServer,
} from '../../e2e/signIn/authorizationServer.ts';
import type { GuardedServer, startGuardedServer } from '../../e2e/signIn/guardedServer.ts';
import { testFile } from './servers.ts';

/** A server that answers nobody who is not signed in, and the authorization server of a product that we did not write. */
export interface Guarded {
  readonly authorization: AuthorizationServer;
  readonly server: GuardedServer;
  close(): Promise<void>;
}

/** Starts both in this process, from their sources: the packages behind them are not made to be bundled. */
export async function startGuarded(
  clients?: Parameters<typeof startAuthorizationServer>[0],
): Promise<Guarded> {
  const { startAuthorizationServer: startAuthorization } = await load<{
    startAuthorizationServer: typeof startAuthorizationServer;
  }>('authorizationServer.ts');
  const { startGuardedServer: startServer } = await load<{
    startGuardedServer: typeof startGuardedServer;
  }>('guardedServer.ts');
  const authorization = await startAuthorization(clients);
  const server = await startServer(authorization);
  return {
    authorization,
    server,
    close: async () => {
      await server.close();
      await authorization.close();
    },
  };
}

async function load<T>(name: string): Promise<T> {
  const { href } = new URL(`file://${testFile('e2e', 'signIn', name)}`);
  return (await import(href)) as T;
}
