package dev.hearth.standalone.internal.log;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Directory of a real file system. Only its owner may read it, because submissions may contain secrets. */
final class DirectoryDisk implements FactDisk {
    private static final String LOCK = "lock";

    private final Path directory;
    private final boolean posix;

    /** Creates the directory unless it exists. */
    DirectoryDisk(Path directory) throws IOException {
        this.directory = directory;
        this.posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory, permissions("rwx------"));
        }
    }

    private FileAttribute<?>[] permissions(String text) {
        return posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))}
                : new FileAttribute<?>[0];
    }

    @Override
    public String place() {
        return directory.toString();
    }

    @Override
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public InputStream read(String name) throws IOException {
        return Files.newInputStream(directory.resolve(name));
    }

    @Override
    public Appender create(String name) throws IOException {
        return new Growing(channel(
                name, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
    }

    @Override
    public Appender open(String name, long size) throws IOException {
        Growing file = new Growing(channel(name, StandardOpenOption.WRITE));
        file.truncate(size);
        return file;
    }

    private FileChannel channel(String name, OpenOption... options) throws IOException {
        Set<OpenOption> all = new LinkedHashSet<>(Arrays.asList(options));
        return FileChannel.open(directory.resolve(name), all, permissions("rw-------"));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public void force() throws IOException {
        try (FileChannel self = FileChannel.open(directory, StandardOpenOption.READ)) {
            self.force(true);
        }
    }

    @Override
    public Optional<Closeable> lock(String owner) throws IOException {
        FileChannel file = channel(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            FileLock held = file.tryLock();
            locked = held != null;
        } catch (OverlappingFileLockException ofThisProcess) {
            locked = false;
        } finally {
            if (!locked) {
                file.close();
            }
        }
        if (!locked) {
            return Optional.empty();
        }
        file.truncate(0);
        file.write(ByteBuffer.wrap(owner.getBytes(StandardCharsets.UTF_8)));
        return Optional.of(file);
    }

    @Override
    public String owner() throws IOException {
        return Files.readString(directory.resolve(LOCK));
    }

    private static final class Growing implements Appender {
        private final FileChannel file;

        Growing(FileChannel file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        }

        @Override
        public void force() throws IOException {
            file.force(false);
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
            file.position(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
