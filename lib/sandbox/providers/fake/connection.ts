import { Duplex } from "node:stream";

/** Two ends of a connection: what is written to one is read from the other. */
export function connectionPair(): [Duplex, Duplex] {
  const end = (other: () => Duplex): Duplex =>
    new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, callback) {
        other().push(chunk);
        callback();
      },
      final(callback) {
        other().push(null);
        callback();
      },
      destroy(error, callback) {
        if (!other().destroyed) other().destroy();
        callback(error);
      },
    });
  const ours: Duplex = end(() => theirs);
  const theirs: Duplex = end(() => ours);
  return [ours, theirs];
}
