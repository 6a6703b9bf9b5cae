const assert = require('node:assert/strict');
const { test } = require('node:test');

const entryPoints = ['', '/capacity', '/constructs', '/local', '/opentelemetry', '/testing'];

for (const entryPoint of entryPoints) {
  test(`require('sagabox${entryPoint}') gives what import gives`, async () => {
    const required = require(`sagabox${entryPoint}`);
    assert.ok(Object.keys(required).length > 0);
    assert.deepEqual({ ...required }, { ...(await import(`sagabox${entryPoint}`)) });
  });
}
