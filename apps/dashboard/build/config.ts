/*
 * Vite and React take what they build for from the environment, where a test run or somebody's shell may have put
 * something else. Imported before either.
 */
process.env.NODE_ENV = 'production';
