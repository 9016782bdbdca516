package dev.hearth.engine.internal.disk;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine's own file systems, by streams rather than channels: those are closed when a thread is interrupted. Stateless. */
final class SystemDisk implements Disk {
    /** What is handed to the system at once: more than this it would copy to memory it takes for each call. */
    private static final int CALL_BYTES = 64 * 1024;

    @Override
    public OutputStream create(Path file) throws IOException {
        OwnerOnly.createFile(file);
        return new SlicedOutput(new FileOutputStream(file.toFile()));
    }

    @Override
    public DiskInput open(Path file) throws IOException {
        return new OpenFile(new RandomAccessFile(file.toFile(), "r"));
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    private static final class SlicedOutput extends OutputStream {
        private final FileOutputStream file;

        SlicedOutput(FileOutputStream file) {
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
