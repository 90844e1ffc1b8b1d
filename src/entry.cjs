/**
 * The entrance of the library. CommonJS in old syntax: `import` and `require` reach these lines on every version of Node, where the modules
 * behind them would end in a syntax error. Exports by name, so that Node finds them without running this.
 */
'use strict';

const MIN_MAJOR = 24;

if (Number.parseInt(process.versions.node, 10) < MIN_MAJOR)
  throw new Error(`styledna needs Node >= ${MIN_MAJOR}; this is Node ${process.versions.node}`);
if (process.versions.pnp !== undefined)
  throw new Error(
    'styledna does not run under Yarn Plug\'n\'Play: set "nodeLinker: node-modules" in .yarnrc.yml and run "yarn install"',
  );

const library = require('./library.js');

exports.Failure = library.Failure;
exports.PRESETS = library.PRESETS;
exports.Studio = library.Studio;
exports.jobConfigSchema = library.jobConfigSchema;
exports.mergeStyles = library.mergeStyles;
exports.styleSchema = library.styleSchema;
