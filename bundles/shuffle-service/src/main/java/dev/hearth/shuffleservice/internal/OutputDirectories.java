package dev.hearth.shuffleservice.internal;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shuffle.MapOutputDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories of one application, one below each local directory, with a lock each. Services of several workers on one
 * host may share them. A directory without any lock is left over from a service that was killed. Owned by {@link
 * RunningShuffleService}.
 */
final class OutputDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(OutputDirectories.class);
    private static final String PARENT = "hearth-shuffle";
    private static final String LOCK = "lock";
    private static final String REMOVED = "removed-";

    private final List<MapOutputDirectory> directories = new ArrayList<>();
    private final List<RandomAccessFile> locks = new ArrayList<>();

    private OutputDirectories() {}

    /** Opens the directories named {@code name} below {@code bases}; some may be there, with the outputs in them. */
    static OutputDirectories open(List<Path> bases, String name) {
        OutputDirectories opened = new OutputDirectories();
        List<String> refusals = new ArrayList<>();
        for (Path base : bases) {
            try {
                opened.add(own(base).resolve(name));
            } catch (IOException failure) {
                refusals.add(base + ": " + failure);
            }
        }
        if (opened.directories.isEmpty()) {
            throw ErrorCode.DISK_FAILED.failure("shuffle service: " + String.join("; ", refusals)
                    + " (expected: a local directory with free space); name other directories in hearth.local.dir");
        }
        refusals.forEach(refusal -> LOG.warn("shuffle service: no map outputs in {}", refusal));
        return opened;
    }

    private void add(Path root) throws IOException {
        MapOutputDirectory directory = new MapOutputDirectory(root);
        createOwn(root);
        createOwn(directory.files());
        RandomAccessFile lock = new RandomAccessFile(root.resolve(LOCK).toFile(), "rw");
        boolean locked = false;
        try {
            locked = lock.getChannel().tryLock(0, Long.MAX_VALUE, true) != null;
        } catch (OverlappingFileLockException here) {
            LOG.debug("{}: another service of this process has it too", root, here);
            locked = true;
        } finally {
            if (!locked) {
                lock.close();
            }
        }
        if (!locked) {
            throw new IOException("is being removed by another process");
        }
        locks.add(lock);
        directories.add(directory);
    }

    /** The directory for all services below {@code base}; fails if it is not of this user alone. */
    private static Path own(Path base) throws IOException {
        Path parent = base.resolve(PARENT);
        Files.createDirectories(base);
        createOwn(parent);
        Path probe = Files.createTempFile(parent, "owner-", "");
        try {
            boolean isOurs = Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(parent, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(probe));
            if (!isOurs) {
                throw new IOException(parent + " belongs to another user");
            }
        } finally {
            Files.delete(probe);
        }
        return parent;
    }

    private static void createOwn(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Set<String> views = directory.getFileSystem().supportedFileAttributeViews();
            FileAttribute<?>[] mode = views.contains("posix")
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                    }
                    : new FileAttribute<?>[0];
            Files.createDirectory(directory, mode);
        }
    }

    /** The directories below which those of applications are, one in each of {@code bases}. */
    static List<Path> parents(List<Path> bases) {
        return bases.stream().map(base -> base.resolve(PARENT)).toList();
    }

    List<Path> roots() {
        return directories.stream().map(MapOutputDirectory::root).toList();
    }

    /** The directory with the index files. */
    MapOutputDirectory first() {
        return directories.get(0);
    }

    /** Gives the locks back; the files stay. */
    void release() {
        locks.forEach(OutputDirectories::close);
        locks.clear();
    }

    /**
     * Moves the directories away, unless another service uses them. Returns the deletion of all files in them, which may take
     * long; others may use the names of the directories meanwhile.
     */
    Runnable retire() {
        release();
        List<Path> retired = directories.stream()
                .flatMap(directory -> moveAway(directory.root()).stream())
                .toList();
        return () -> retired.forEach(OutputDirectories::delete);
    }

    /** Removes the directories below {@code bases} that no service uses, except those named {@code used}. */
    static void sweep(List<Path> bases, Set<String> used) {
        for (Path base : bases) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(base.resolve(PARENT))) {
                for (Path entry : entries) {
                    if (!used.contains(entry.getFileName().toString())
                            && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                        moveAway(entry).ifPresent(OutputDirectories::delete);
                    }
                }
            } catch (NoSuchFileException none) {
                LOG.trace("{}: no leftovers", base, none);
            } catch (IOException failure) {
                LOG.warn("{}: leftovers of shuffle services cannot be listed: {}", base, failure.toString());
            }
        }
    }

    /** Renames the directory {@code root}, and returns what is to be deleted; empty if a service uses it. */
    private static Optional<Path> moveAway(Path root) {
        Path gone = root.resolveSibling(REMOVED + root.getFileName());
        try (RandomAccessFile lock = new RandomAccessFile(root.resolve(LOCK).toFile(), "rw")) {
            FileLock alone = lock.getChannel().tryLock();
            if (alone == null) {
                LOG.debug("{}: another shuffle service uses it", root);
                return Optional.empty();
            }
            Files.move(root, gone); // at once, so that no executor finds half of it
        } catch (OverlappingFileLockException here) {
            LOG.debug("{}: another service of this process uses it", root, here);
            return Optional.empty();
        } catch (IOException failure) {
            LOG.debug("{}: has no lock", root, failure);
            gone = root;
        }
        return Optional.of(gone);
    }

    private static void delete(Path directory) {
        try {
            Files.walkFileTree(directory, new Deletion());
        } catch (NoSuchFileException gone) {
            LOG.trace("{}: is gone", directory, gone);
        } catch (IOException failure) {
            LOG.warn("{}: cannot be removed now, the next shuffle service does it: {}", directory, failure.toString());
        }
    }

    private static void close(RandomAccessFile lock) {
        try {
            lock.close();
        } catch (IOException failure) {
            LOG.debug("a lock cannot be closed in order", failure);
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
