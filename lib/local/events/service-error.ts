/** A refusal as an AWS service answers it. */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.status = status;
  }
}

export function validationError(message: string): ServiceError {
  return new ServiceError('ValidationException', message);
}

export function notFound(message: string, status = 400): ServiceError {
  return new ServiceError('ResourceNotFoundException', message, status);
}
