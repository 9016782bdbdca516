package dev.hearth.kernel.internal.process;

import dev.hearth.spi.process.ChildSpec;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work directories of the children of this process, and the removal of ended ones. An entry of the parent directory
 * belongs to a driver, or to an application with a directory for each executor. Guarded by its own lock.
 */
final class WorkDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(WorkDirectories.class);
    /** Prefix of an entry that is being removed; a later call removes the rest if this process ends before. */
    private static final String REMOVED = ".removed-";

    private final Set<Path> used = new HashSet<>();

    /** Creates the work directory of a child that is about to start, and records that the child uses it. */
    synchronized void enter(ChildSpec spec) throws IOException {
        WorkDirectory.create(spec);
        used.add(spec.directory().toAbsolutePath());
    }

    /**
     * Records that no child uses the directory of {@code spec} any more, as the child has ended or could not be
     * started.
     */
    synchronized void leave(ChildSpec spec) {
        used.remove(spec.directory().toAbsolutePath());
    }

    /**
     * Removes the entries of {@code parent} in which no process runs and in which nothing was changed since {@code
     * before}. Returns their names.
     */
    List<String> removeEnded(Path parent, Instant before) throws IOException {
        List<String> removed = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent.toAbsolutePath())) {
            for (Path entry : entries) {
                try {
                    if (retire(entry, before)) {
                        removed.add(entry.getFileName().toString());
                    }
                } catch (IOException failure) {
                    LOG.warn("work directory {}: not removed, tried again later: {}", entry, failure.toString());
                }
            }
        } catch (NoSuchFileException none) {
            LOG.debug("work directory {}: not there, so nothing is removed", parent, none);
        }
        return removed;
    }

    private boolean retire(Path entry, Instant before) throws IOException {
        if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        String name = entry.getFileName().toString();
        if (name.startsWith(REMOVED)) {
            Files.walkFileTree(entry, new Deletion());
            return false;
        }
        Path renamed = entry.resolveSibling(REMOVED + name);
        synchronized (this) { // a child that starts now creates the entry again
            List<Path> directories = marked(entry);
            if (directories.isEmpty() || directories.stream().anyMatch(this::isRunning) || isNewer(entry, before)) {
                return false;
            }
            Files.move(entry, renamed);
        }
        Files.walkFileTree(renamed, new Deletion());
        return true;
    }

    /**
     * Returns the marked work directories of processes in {@code entry}: the entry itself, or directories directly
     * below it.
     */
    private static List<Path> marked(Path entry) throws IOException {
        List<Path> marked = new ArrayList<>();
        if (WorkDirectory.isMarked(entry)) {
            marked.add(entry);
        }
        try (DirectoryStream<Path> inner = Files.newDirectoryStream(entry)) {
            for (Path path : inner) {
                if (WorkDirectory.isMarked(path)) {
                    marked.add(path);
                }
            }
        }
        return marked;
    }

    private boolean isRunning(Path directory) {
        return used.contains(directory) || WorkDirectory.isHeld(directory);
    }

    private static boolean isNewer(Path entry, Instant before) throws IOException {
        NewerSearch search = new NewerSearch(FileTime.from(before));
        Files.walkFileTree(entry, search);
        return search.found;
    }

    /**
     * Search of a directory tree for a file or directory that was changed at {@code time} or later. It ends at the
     * first one.
     */
    private static final class NewerSearch extends SimpleFileVisitor<Path> {
        private final FileTime time;
        private boolean found;

        NewerSearch(FileTime time) {
            this.time = time;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return check(attributes);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return check(attributes);
        }

        private FileVisitResult check(BasicFileAttributes attributes) {
            found |= attributes.lastModifiedTime().compareTo(time) >= 0;
            return found ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
        }
    }

    /** Deletes a tree, children first; does not follow links. */
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
