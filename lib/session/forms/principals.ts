import { type Fields, nonEmpty, objectOr } from './fields.ts';

/** Of an HTTP API in payload format 2.0, and of a function URL. */
export function payload2Principal({ jwt, iam, lambda }: Fields): string | undefined {
  const { cognitoIdentity, userArn } = objectOr(iam);
  return (
    subjectOf(objectOr(jwt).claims) ??
    nonEmpty(objectOr(cognitoIdentity).identityId) ??
    arnOfOne(userArn) ??
    nonEmpty(objectOr(lambda).principalId)
  );
}

/** Of a REST API, an HTTP API in payload format 1.0, and a WebSocket API. */
export function authorizerPrincipal({ authorizer, identity }: Fields): string | undefined {
  const { claims, principalId } = objectOr(authorizer);
  const { cognitoIdentityId, userArn } = objectOr(identity);
  return subjectOf(claims) ?? nonEmpty(principalId) ?? nonEmpty(cognitoIdentityId) ?? arnOfOne(userArn);
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
    arnOfOne(userArn)
  );
}

/**
 * The ARN of a principal of IAM. All users of an identity pool of Cognito have the same one, of which a function URL
 * and VPC Lattice tell nothing else. Source: "Identity pools authentication flow" in the Amazon Cognito Developer Guide.
 */
export function arnOfOne(arn: unknown): string | undefined {
  const given = nonEmpty(arn);
  return given?.endsWith('/CognitoIdentityCredentials') ? undefined : given;
}

/** Of a token: a subject is unique for its issuer only. */
function subjectOf(claims: unknown): string | undefined {
  const { iss, sub } = objectOr(claims);
  return nonEmpty(sub) && JSON.stringify([iss ?? null, sub]);
}
