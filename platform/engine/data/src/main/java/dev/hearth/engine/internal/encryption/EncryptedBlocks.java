package dev.hearth.engine.internal.encryption;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.Bytes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;

/**
 * Format of encrypted data: a sequence of encrypted blocks, each preceded by its length. A block has at most
 * {@link #BLOCK_BYTES} of plain data. Used for data that is written as a whole and has no frames, such as large
 * serialised values. A writer or reader is owned by one thread.
 */
public final class EncryptedBlocks {
    private static final int BLOCK_BYTES = 256 * 1024;
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private EncryptedBlocks() {}

    /**
     * Encrypts bytes as {@link EncryptedBlocks}. Each call of {@link #write} begins a new block, so a block may be
     * shorter than the maximum.
     */
    public static final class Writer {
        private final FileCipher seal;
        private final byte[] place = new byte[Long.BYTES]; // the number of the block, which is authenticated with it
        private final byte[] block = new byte[Integer.BYTES + BLOCK_BYTES + FileCipher.ADDED_BYTES];
        private long number;

        public Writer(FileEncryptionKey key) {
            this.seal = new FileCipher(key);
        }

        /** Receives the encrypted blocks of a {@link Writer} one after another, for example to write them to a file. */
        public interface Sink {
            void write(byte[] bytes, int length);
        }

        public void write(byte[] bytes, int length, Sink sink) {
            for (int done = 0; done < length; ) {
                int size = Math.min(BLOCK_BYTES, length - done);
                System.arraycopy(bytes, done, block, Integer.BYTES + FileCipher.LEAD_BYTES, size);
                LONGS.set(place, 0, number++);
                int sealed = seal.seal(place, block, Integer.BYTES, size);
                INTS.set(block, 0, sealed);
                sink.write(block, Integer.BYTES + sealed);
                done += size;
            }
        }
    }

    /**
     * Returns a stream of the decrypted bytes of {@code sealed}. Closing the returned stream also closes {@code
     * sealed}.
     */
    public static InputStream opened(FileEncryptionKey key, InputStream sealed) {
        return new DecryptingInputStream(key, sealed);
    }

    /**
     * Decrypts all bytes of {@code sealed} at once. If they are corrupt, throws an error that names the data as {@code
     * subject}.
     */
    public static Bytes opened(FileEncryptionKey key, Bytes sealed, String subject) {
        try (InputStream clear = opened(key, sealed.stream())) {
            return Bytes.owning(clear.readAllBytes());
        } catch (IOException changed) {
            throw ErrorCode.FILE_DAMAGED.failure(
                    Failures.expecting(subject + ": " + changed.getMessage(), "the bytes that were written")
                            + "; check the disks of the machine that wrote the data",
                    changed);
        }
    }

    private static final class DecryptingInputStream extends InputStream {
        private final InputStream from;
        private final FileCipher seal;
        private final byte[] place = new byte[Long.BYTES];
        private final byte[] sealed = new byte[BLOCK_BYTES + FileCipher.ADDED_BYTES];
        private final byte[] clear = new byte[BLOCK_BYTES];
        private final byte[] one = new byte[1];
        private int position;
        private int limit;
        private long number;

        DecryptingInputStream(FileEncryptionKey key, InputStream from) {
            this.from = from;
            this.seal = new FileCipher(key);
        }

        @Override
        public int read() throws IOException {
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (position == limit && !next()) {
                return -1;
            }
            int count = Math.min(length, limit - position);
            System.arraycopy(clear, position, into, at, count);
            position += count;
            return count;
        }

        private boolean next() throws IOException {
            int header = from.readNBytes(sealed, 0, Integer.BYTES);
            if (header == 0) {
                return false;
            }
            int length = header < Integer.BYTES ? 0 : (int) INTS.get(sealed, 0);
            if (length <= FileCipher.ADDED_BYTES
                    || length > sealed.length
                    || from.readNBytes(sealed, 0, length) < length) {
                throw new EOFException("block " + number + ": truncated (expected: all its bytes)");
            }
            LONGS.set(place, 0, number);
            try {
                seal.open(place, sealed, 0, length, clear);
            } catch (GeneralSecurityException changed) {
                throw new IOException("block " + number + ": authentication failed, it was changed or moved", changed);
            }
            number++;
            position = 0;
            limit = length - FileCipher.ADDED_BYTES;
            return true;
        }

        @Override
        public void close() throws IOException {
            from.close();
        }
    }
}
