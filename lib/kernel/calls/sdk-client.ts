/** Any client of the AWS SDK: our types must not need the packages that are optional. */
export interface SdkClient {
  send(command: object, options?: object): Promise<unknown>;
}
