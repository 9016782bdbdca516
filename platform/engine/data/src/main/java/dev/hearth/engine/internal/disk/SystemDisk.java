package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Disk operations on the file systems of this machine. Does not use {@code FileChannel}, because the interrupt of a
 * thread would close it. Stateless.
 */
final class SystemDisk implements Disk {
    /**
     * Upper bound on the bytes that one system call reads or writes. For more bytes, the JVM would allocate a native
     * buffer at each call.
     */
    static final int CALL_BYTES = 64 * 1024;

    @Override
    public OutputStream create(Path file) throws IOException {
        OwnerOnlyFiles.createFile(file);
        // Not a FileOutputStream, because it truncates the file: ext4 then flushes a truncated file to disk when it is
        // closed.
        return new SmallCallsOutput(new RandomAccessFile(file.toFile(), "rw"));
    }

    @Override
    public DiskInput open(Path file) throws IOException {
        return new OpenFile(new RandomAccessFile(file.toFile(), "r"));
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    private static final class SmallCallsOutput extends OutputStream {
        private final RandomAccessFile file;

        SmallCallsOutput(RandomAccessFile file) {
            this.file = file;
        }

        @Override
        public void write(int one) throws IOException {
            file.write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            for (int done = 0; done < length; done += CALL_BYTES) {
                file.write(bytes, from + done, Math.min(CALL_BYTES, length - done));
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private record OpenFile(RandomAccessFile file) implements DiskInput {
        @Override
        public int read(long position, byte[] into, int at, int length) throws IOException {
            file.seek(position);
            return file.read(into, at, Math.min(CALL_BYTES, length));
        }

        @Override
        public long size() throws IOException {
            return file.length();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
