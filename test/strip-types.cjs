const { createHash } = require('node:crypto');
const { stripTypeScriptTypes } = require('node:module');

/** Jest's transform: Node's own type stripping, so that tests run the very code that `npm start` runs. */
module.exports = {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
  getCacheKey: (source, path) =>
    createHash('sha256').update(path).update('\0').update(source).update(process.version).digest('hex'),
};
