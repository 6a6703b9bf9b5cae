/** An endpoint that is set, such as a local one, is meant for every queue; otherwise each URL tells its own. */
export function queueUrlsTellEndpoint(): boolean {
  const { AWS_ENDPOINT_URL_SQS, AWS_ENDPOINT_URL } = process.env;
  return !AWS_ENDPOINT_URL_SQS && !AWS_ENDPOINT_URL;
}
