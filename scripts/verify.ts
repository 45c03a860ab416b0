import { verifyCommand } from '../src/verify/command-line.ts';

process.exitCode = await verifyCommand(process.argv.slice(2));
