/* By default a page loads only from this service, connects only to it, and cannot be framed. */

export const DATA_POLICY = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'";

const PAGE = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

const NO_MARKUP = { 'require-trusted-types-for': "'script'", 'trusted-types': "'none'" };

export const GUIDE_POLICY = policyOf(PAGE);

/** Its field for names is a form, so that it works without scripts. */
export const PAGE_POLICY = policyOf({ ...PAGE, ...NO_MARKUP, 'form-action': "'self'" });

export const EMBED_POLICY = policyOf({ ...PAGE, ...NO_MARKUP, 'frame-ancestors': '*' });

/** The IDE compiles WebAssembly and writes styles; its page and its files frame each other. */
export const IDE_POLICY = policyOf({
  'default-src': "'self'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'font-src': "'self' data:",
  'worker-src': "'self' blob:",
  'frame-ancestors': "'self'",
});

export const IDE_FILES_POLICY = "default-src 'self';worker-src 'self' blob:;frame-ancestors 'self'";

export const DESK_POLICY = policyOf({
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': 'data:',
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
});

function policyOf(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
