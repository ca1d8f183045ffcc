// Stands in for the native logger of the browser build, which is installed without a compiler.
// Without it every log file, and with it every log output channel of an extension, stays empty.
'use strict';
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = 0;
    this.plain = false;
    mkdirSync(dirname(file), { recursive: true });
  }

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    const line = this.plain ? message : `${time} [${names[level]}] ${message}\n`;
    try {
      appendFileSync(this.file, line);
    } catch {
      // The log folder is removed while the editor shuts down; its last lines are not needed.
    }
  }

  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.plain = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = async (name, file) => new Logger('rotating', name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger('rotating_async', name, file);
