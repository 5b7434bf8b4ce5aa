import { All, Controller, Get, Header, Inject } from '@nestjs/common';
import type { FormTokenAnswer } from '../contract/form-token.ts';
import { Refusal } from './refusal.ts';
import { FormTokens } from './screening/form-tokens.ts';
import { ProofOfWork } from './screening/proof-of-work.ts';

/** `GET /api/form-token`: asked by a form's script when a visitor first touches it. Nothing is stored, read or counted. */
@Controller('api/form-token')
export class FormTokenController {
  constructor(
    @Inject(FormTokens) private readonly tokens: FormTokens,
    @Inject(ProofOfWork) private readonly proofs: ProofOfWork,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async issue(): Promise<FormTokenAnswer> {
    const [token, challenge] = [await this.tokens.issue(), this.proofs.challenge()];
    return { ...(token !== undefined && { token }), ...(challenge && { challenge }) };
  }

  @All()
  refuse(): never {
    throw Refusal.method('GET, HEAD');
  }
}
