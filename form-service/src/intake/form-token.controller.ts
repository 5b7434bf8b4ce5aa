import { All, Controller, Get, Header } from '@nestjs/common';
import type { FormTokenAnswer } from '../contract/form-token.ts';
import { HttpError } from './http-error.ts';
import { FormTokenService } from '../spam/form-token.service.ts';

/**
 * `GET /api/form-token`: a form's script asks for a token when a visitor first touches the form. Nothing is stored or
 * counted.
 */
@Controller('api/form-token')
export class FormTokenController {
  constructor(private readonly tokens: FormTokenService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async issue(): Promise<FormTokenAnswer> {
    const token = await this.tokens.issue();
    return token === undefined ? {} : { token };
  }

  @All()
  refuseMethod(): never {
    throw HttpError.method('GET, HEAD');
  }
}
