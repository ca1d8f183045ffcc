import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These run inside the editor's extension host, with mocha.
    exclude: ['test/extension/**', 'node_modules/**'],
    // One less is the default, and half of two: most tests wait for other processes.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A shared machine can starve a process beyond any patience; what fails twice there is broken.
    retry: process.env.CI ? 1 : 0,
  },
});
