/**
 * What a watchdog runs. It reads `+pid` and `-pid` lines; when they end, its owner is gone, and so shall be the process
 * groups it still knows: after a grace in which they may see the end of their stdin they are asked, then forced.
 *
 * Nothing but process ids ever reaches these scripts, and that through stdin. A line cut short is not obeyed.
 */

/** For /bin/sh, which costs a megabyte where another Node would cost fifty. */
export const SHELL_WATCHDOG = `
groups=' '
while read -r line; do
  pid=\${line#?}
  case $line in
    +*) groups="$groups$pid " ;;
    -*) case $groups in *" $pid "*) groups="\${groups%% $pid *} \${groups#* $pid }" ;; esac ;;
  esac
done
[ "$groups" = ' ' ] && exit
for signal in TERM KILL; do
  sleep 2
  for pid in $groups; do kill -s $signal -- "-$pid"; done
done
`;

/** For Windows, and wherever there is no /bin/sh. */
export const NODE_WATCHDOG = `
const pids = new Set();
let rest = '';
process.stdin.setEncoding('latin1');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (line[0] === '+') pids.add(pid);
    else pids.delete(pid);
  }
});
process.stdin.on('error', () => {});
process.stdin.on('close', async () => {
  if (pids.size === 0) return;
  const { spawnSync } = require('node:child_process');
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    for (const pid of pids) {
      if (process.platform === 'win32') {
        const args = ['/pid', String(pid), '/T', ...(signal === 'SIGKILL' ? ['/F'] : [])];
        const root = process.env.SystemRoot || 'C:\\\\Windows';
        spawnSync(root + '\\\\System32\\\\taskkill.exe', args, { windowsHide: true });
        continue;
      }
      try {
        process.kill(-pid, signal);
      } catch {}
    }
  }
});
`;
