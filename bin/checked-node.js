// Plain JavaScript that old versions of Node can read as well, since its task is to tell them off.
const NEEDED = '24.9';
const WITH_NODE_IN_THE_LOCK_FILE = ['linux-x64', 'linux-arm64'];
const MISSING = /Cannot find (?:package|module) '([^']+)'/;

/**
 * Has `load` load a program, or says in one sentence why it cannot run here: on an old Node, or without the packages.
 * `oldest` is the oldest Node of a package, which brings none.
 */
export function onRightNode(load, oldest) {
  const version = process.versions.node;
  const needed = oldest === undefined ? NEEDED : oldest;
  if (isOlder(version, needed)) {
    refuse(`Hourcast runs on Node ${needed} or newer, and this is Node ${version}. ${cure(oldest)}`);
    return;
  }
  load().catch((error) => {
    const missing = missingPackage(error);
    if (missing === null) throw error;
    const install = oldest === undefined ? 'npm ci' : 'npm install';
    refuse(`The package ${missing} is not installed: run \`${install}\` in the folder of package.json first.`);
  });
}

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

function isOlder(version, needed) {
  const [[major, minor], [leastMajor, leastMinor = 0]] = [version, needed].map((one) => one.split('.').map(Number));
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

function cure(oldest) {
  if (oldest !== undefined)
    return `Install Node ${NEEDED} or newer from https://nodejs.org, then run the command again.`;
  return WITH_NODE_IN_THE_LOCK_FILE.includes(`${process.platform}-${process.arch}`)
    ? '`npm ci`, without --omit=optional, installs the right one beside the other packages; `npm start` and `npm run` then use it.'
    : `Install Node ${NEEDED} or newer from https://nodejs.org, then run \`npm ci\` and the command again.`;
}

/** The package that `error` says is not there; a file of ours that is not there is a fault, and not for the user to mend. */
function missingPackage({ code, message }) {
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return null;
  const named = MISSING.exec(message);
  if (named === null) return null;
  const [, ...inPackages] = named[1].split(/node_modules[\\/]/);
  const name = inPackages.length > 0 ? inPackages.pop() : named[1];
  if (/^\.|^\/|^[a-z]:\\/i.test(name)) return null;
  return name
    .split(/[\\/]/)
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
