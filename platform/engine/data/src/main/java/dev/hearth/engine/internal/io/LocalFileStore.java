package dev.hearth.engine.internal.io;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.FileEntry;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import dev.hearth.spi.storage.StoreTrait;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Store of the files of this machine, for the scheme {@code file}. Stateless. */
public final class LocalFileStore implements FileStore {
    /** The only instance, which all applications of a process share. */
    public static final LocalFileStore INSTANCE = new LocalFileStore();

    private static final Set<StoreTrait> TRAITS = Set.of(
            StoreTrait.ATOMIC_RENAME, StoreTrait.EXCLUSIVE_CREATE, StoreTrait.SHOWS_WRITES, StoreTrait.PERMISSIONS);

    private LocalFileStore() {}

    /** The path of a local file. */
    public static Path path(FileName file) {
        try {
            return Path.of(file.path());
        } catch (InvalidPathException bad) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "path '" + file.path() + "': " + bad.getReason() + " (expected: a path of this system)", bad);
        }
    }

    @Override
    public Set<StoreTrait> traits() {
        return TRAITS;
    }

    @Override
    public Optional<FileEntry> look(FileName file) throws IOException {
        Path path = path(file);
        try {
            return Optional.of(entry(file, path));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (AccessDeniedException refused) {
            throw refused;
        } catch (FileSystemException failure) {
            if (isBelowFile(path)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private static boolean isBelowFile(Path path) {
        for (Path above = path.getParent(); above != null; above = above.getParent()) {
            if (Files.exists(above)) {
                return !Files.isDirectory(above);
            }
        }
        return false;
    }

    private static FileEntry entry(FileName name, Path path) throws IOException {
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
        FileEntry.Kind kind = found.isDirectory()
                ? FileEntry.Kind.DIRECTORY
                : found.isRegularFile() ? FileEntry.Kind.FILE : FileEntry.Kind.OTHER;
        long changed = found.lastModifiedTime().toMillis();
        return new FileEntry(name, kind, found.size(), changed, 0, Files.isReadable(path));
    }

    @Override
    public Iterator<FileEntry> list(FileName directory) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(directory))) {
            entries.forEach(children::add);
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        return children.stream().map(child -> listed(directory, child)).iterator();
    }

    private static FileEntry listed(FileName directory, Path child) {
        FileName name = directory.child(child.getFileName().toString());
        try {
            return entry(name, child);
        } catch (NoSuchFileException vanished) { // or a link without target
            return new FileEntry(name, FileEntry.Kind.MISSING, 0, 0, 0, false);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public StoreInput read(FileName file, long from) throws IOException {
        Path path = path(file);
        FileInputStream in;
        try {
            in = new FileInputStream(path.toFile());
        } catch (FileNotFoundException failure) { // thrown for files without permission, too
            throw Files.exists(path) ? failure : missing(file, failure);
        }
        try {
            return new Input(in, from > 0 ? in.skip(from) : 0);
        } catch (IOException failure) {
            in.close();
            throw failure;
        }
    }

    private static IOException missing(FileName file, IOException cause) {
        NoSuchFileException missing = new NoSuchFileException(file.path());
        missing.initCause(cause);
        return missing;
    }

    @Override
    public StoreOutput create(FileName file, boolean replace) throws IOException {
        Path path = path(file);
        if (!replace) {
            Files.createFile(path); // refuses a file that exists in one step with its creation
        }
        try {
            return new Output(new FileOutputStream(path.toFile()));
        } catch (FileNotFoundException failure) {
            Path parent = path.getParent();
            throw parent == null || Files.exists(parent) ? failure : missing(file, failure);
        }
    }

    @Override
    public void directory(FileName name, boolean mustBeNew) throws IOException {
        if (mustBeNew) {
            Files.createDirectory(path(name));
        } else {
            Files.createDirectories(path(name));
        }
    }

    @Override
    public boolean rename(FileName from, FileName to, boolean replace) throws IOException {
        Path source = path(from);
        Path target = path(to);
        if (replace) {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
            return true;
        }
        try {
            Files.createLink(target, source); // unlike a move, fails if something has the new name
            Files.delete(source);
            return true;
        } catch (FileAlreadyExistsException there) {
            return false;
        }
    }

    @Override
    public void remove(FileName name, boolean tree) throws IOException {
        Path path = path(name);
        if (tree) {
            removeTree(path);
        } else {
            Files.deleteIfExists(path);
        }
    }

    private static void removeTree(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
                for (Path child : children) {
                    removeTree(child);
                }
            } catch (DirectoryIteratorException failure) {
                throw failure.getCause();
            } catch (NoSuchFileException gone) { // another process removes the same tree
                return;
            }
        }
        Files.deleteIfExists(path);
    }

    @Override
    public void permit(FileName file, Set<PosixFilePermission> permissions) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(path(file), PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(permissions);
        }
    }

    @Override
    public FileName real(FileName directory) throws IOException {
        return FileName.local(path(directory).toRealPath().toString());
    }

    @Override
    public void close() {
        // nothing is open
    }

    /** Input of a local file. It is a plain stream, because an interrupt closes channels. */
    private static final class Input extends StoreInput {
        private final FileInputStream in;
        private long position;

        Input(FileInputStream in, long position) {
            this.in = in;
            this.position = position;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = in.read(bytes, from, length);
            position += Math.max(0, read);
            return read;
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Output to a local file. Flushes the file to disk (fsync) before it closes the file. */
    private static final class Output extends StoreOutput {
        private final FileOutputStream out;
        private boolean dirty; // whether bytes were written after the last fsync
        private boolean ended;

        Output(FileOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            dirty = true;
        }

        @Override
        public void force() throws IOException {
            out.getFD().sync();
            dirty = false;
        }

        @Override
        public void discard() throws IOException {
            ended = true;
            out.close();
        }

        @Override
        public void close() throws IOException {
            if (!ended) {
                ended = true;
                try (out) {
                    if (dirty) {
                        out.getFD().sync();
                    }
                }
            }
        }
    }
}
