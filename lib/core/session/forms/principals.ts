import { type Fields, nonEmpty, objectOr } from './fields.ts';

/** Of an HTTP API in payload format 2.0, and of a function URL. */
export function payload2Principal({ jwt, iam, lambda }: Fields): string | undefined {
  const { cognitoIdentity, userArn } = objectOr(iam);
  return (
    subjectOf(objectOr(jwt).claims) ??
    nonEmpty(objectOr(cognitoIdentity).identityId) ??
    nonEmpty(userArn) ??
    nonEmpty(objectOr(lambda).principalId)
  );
}

/** Of a REST API, an HTTP API in payload format 1.0, and a WebSocket API. */
export function authorizerPrincipal({ authorizer, identity }: Fields): string | undefined {
  const { claims, principalId } = objectOr(authorizer);
  const { cognitoIdentityId, userArn } = objectOr(identity);
  return subjectOf(claims) ?? nonEmpty(principalId) ?? nonEmpty(cognitoIdentityId) ?? nonEmpty(userArn);
}

/** Of a GraphQL API. Source: "AWS AppSync resolver mapping template context reference" (identity). */
export function appSyncPrincipal({
  sub,
  issuer,
  claims,
  cognitoIdentityId,
  userArn,
}: Fields): string | undefined {
  return (
    subjectOf({ iss: issuer ?? objectOr(claims).iss, sub: sub ?? objectOr(claims).sub }) ??
    nonEmpty(cognitoIdentityId) ??
    nonEmpty(userArn)
  );
}

/** Of a token: a subject is unique for its issuer only. */
function subjectOf(claims: unknown): string | undefined {
  const { iss, sub } = objectOr(claims);
  return nonEmpty(sub) && JSON.stringify([iss ?? null, sub]);
}
