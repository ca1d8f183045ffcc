import { spawn } from 'node:child_process';

/** A browser that is still there after this time shows the page. */
const STARTED_MS = 3_000;

/** Whether there is a screen to open a page on, or a program that knows what to do with one. */
export function canOpenBrowser(env: NodeJS.ProcessEnv): boolean {
  if ((env['BROWSER'] ?? '') !== '' || process.platform === 'win32') return true;
  if (process.platform === 'darwin') return (env['SSH_CONNECTION'] ?? '') === '';
  return ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (env[name] ?? '') !== '');
}

/**
 * Opens a page in the browser: with the program that `BROWSER` names, else with the system's own. No shell reads the
 * address, which is the only word a stranger has a say in. False where that failed.
 */
export function openBrowser(page: URL, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [program, ...args] = opener(env);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, page.href], { stdio: 'ignore', detached: true, env });
    const timer = setTimeout(() => resolve(true), STARTED_MS).unref();
    const finish = (opened: boolean): void => {
      clearTimeout(timer);
      resolve(opened);
    };
    child.once('error', () => finish(false));
    child.once('exit', (code) => finish(code === 0));
    child.unref();
  });
}

function opener(env: NodeJS.ProcessEnv): [program: string, ...args: string[]] {
  const { BROWSER = '' } = env;
  if (BROWSER !== '') return [BROWSER];
  switch (process.platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      // `start` is a word of the shell; this is what it comes to.
      return ['rundll32', 'url.dll,FileProtocolHandler'];
    default:
      return ['xdg-open'];
  }
}
