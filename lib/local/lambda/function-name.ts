/** The function's name in what an API takes for it: a name, or an ARN, also of an alias or a version. */
export function functionNameOf(nameOrArn: string): string {
  return /^(?:.*:function:)?([^:]*)/.exec(nameOrArn)?.[1] ?? '';
}
