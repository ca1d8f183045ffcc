/** What the extension writes for people to read later; the editor's log channel fits. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
