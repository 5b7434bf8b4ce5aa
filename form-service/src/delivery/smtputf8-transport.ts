import type { Transport, TransportOptions } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';

/** The server cannot carry addresses that are not ASCII. Nothing was sent. */
export class NoSmtpUtf8Error extends Error {
  override readonly name = 'NoSmtpUtf8Error';
}

/** The private parts of nodemailer's connection that are used here. */
interface ConnectionInside {
  readonly _supportedExtensions: readonly string[];
  _sendCommand(command: string): void;
}

/**
 * A transport for the rare message whose `Reply-To` is not ASCII. The sender must declare such a message (RFC 6531,
 * 3.4); nodemailer's pool does so for addresses in the envelope only. Each message has a connection of its own.
 */
export function smtpUtf8Transport(options: SMTPConnection.Options): Transport<unknown, TransportOptions> {
  return {
    name: 'SMTP with SMTPUTF8',
    version: '1',
    send(mail, done) {
      const connection = new SMTPConnection(options);
      const finish = (error: Error | null) => {
        connection.removeAllListeners('error').on('error', () => undefined);
        if (error) connection.close();
        else connection.quit();
        done(error, undefined);
      };
      const send = (error?: Error | null) => {
        if (error) return finish(error);
        if (!declaresSmtpUtf8(connection)) return finish(new NoSmtpUtf8Error());
        connection.send(
          mail.message.getEnvelope() as SMTPConnection.Envelope,
          mail.message.createReadStream(),
          (failure) => finish(failure ?? null),
        );
      };
      connection.once('error', finish);
      connection.connect(() => {
        const { user = '', pass = '' } = (options.auth ?? {}) as SMTPConnection.Credentials;
        if (user) connection.login({ user, pass }, send);
        else send();
      });
    },
  };
}

/** Makes the connection declare SMTPUTF8 for the next message. @returns false where the server does not offer it */
function declaresSmtpUtf8(connection: SMTPConnection): boolean {
  const { _supportedExtensions: extensions, _sendCommand: send } = connection as unknown as ConnectionInside;
  const declare = (command: string) => (command.startsWith('MAIL FROM:') ? `${command} SMTPUTF8` : command);
  Object.assign(connection, { _sendCommand: (command: string) => send.call(connection, declare(command)) });
  return extensions.includes('SMTPUTF8');
}
