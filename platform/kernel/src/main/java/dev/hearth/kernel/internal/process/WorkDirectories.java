package dev.hearth.kernel.internal.process;

import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.RetainedWork;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Prefix of the working directory of one attempt. */
    private static final String ATTEMPT = "attempt-";
    /** Directory of the files of another user who runs a child. */
    private static final String USER_FILES = "files";
    /** Part of a file system that ended work directories may take by default, as a divisor. */
    private static final long SHARE_OF_DISK = 10;

    /** Number of attempts whose working directories are kept, with the present one. */
    private static final int ATTEMPTS_KEPT = 3;

    private final Map<Path, Integer> used = new HashMap<>(); // numbers of children; iterated in no order that matters

    /**
     * Records that a child that is about to start uses its work directory, and creates that. If this fails, {@link #leave}
     * must follow. No lock is held while the disk is used.
     */
    void enter(ChildSpec spec) throws IOException {
        synchronized (this) {
            used.merge(spec.directory().toAbsolutePath(), 1, Integer::sum);
        }
        WorkDirectory.create(spec);
    }

    /**
     * Records that a child no longer uses the directory of {@code spec}, as it has ended or could not be started. The next
     * attempt of that child may use it already.
     */
    synchronized void leave(ChildSpec spec) {
        used.computeIfPresent(spec.directory().toAbsolutePath(), (path, count) -> count == 1 ? null : count - 1);
    }

    /**
     * Creates the working directory of a child. It belongs to {@code user}, if one runs the child; the directory above it
     * never does, as the user could put a link there before this process creates something.
     */
    Path working(ChildSpec spec, Optional<UserSwitch> user) throws IOException {
        if (spec.attempt() > 0) {
            Path own = spec.directory().resolve(ATTEMPT + spec.attempt());
            if (user.isPresent()) {
                return user.get().create(own);
            }
            WorkDirectory.createMarked(own); // the process locks the marker
            return own;
        }
        return user.isPresent() ? user.get().create(spec.directory().resolve(USER_FILES)) : spec.directory();
    }

    /**
     * Removes the working directories of earlier attempts of a child, but for the last ones. A directory is moved first to
     * where no other user can change it.
     */
    void removeAttempts(ChildSpec spec) {
        Path removed = spec.directory().resolve(REMOVED + "attempts");
        try (DirectoryStream<Path> attempts = Files.newDirectoryStream(spec.directory(), ATTEMPT + "*")) {
            for (Path attempt : attempts) {
                if (number(attempt) <= spec.attempt() - ATTEMPTS_KEPT
                        && Files.isDirectory(attempt, LinkOption.NOFOLLOW_LINKS)) {
                    WorkDirectory.create(removed);
                    Files.move(attempt, removed.resolve(attempt.getFileName()));
                }
            }
            if (Files.isDirectory(removed, LinkOption.NOFOLLOW_LINKS)) {
                TreeDeletion.of(removed);
            }
        } catch (IOException failure) {
            LOG.warn("work directory {}: earlier attempts are not removed: {}", spec.directory(), failure.toString());
        }
    }

    /** Number in the name of the working directory of an attempt; the largest one if the name has another form. */
    private static long number(Path attempt) {
        String digits = attempt.getFileName().toString().substring(ATTEMPT.length());
        return digits.matches("\\d{1,9}") ? Long.parseLong(digits) : Long.MAX_VALUE;
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

    /**
     * Removes the entries of {@code parent} in which no process runs and which are not to be {@code retained}. Returns their
     * names.
     */
    List<String> removeEnded(Path parent, RetainedWork retained) throws IOException {
        List<String> removed = new ArrayList<>(removeEnded(parent, retained.since()));
        if (Files.isDirectory(parent)) {
            long bytesMax = retained.bytesMax().isPresent()
                    ? retained.bytesMax().getAsLong()
                    : Files.getFileStore(parent).getTotalSpace() / SHARE_OF_DISK;
            long bytes = 0;
            for (TreeSurvey entry : ended(parent)) {
                bytes += entry.bytes();
                if (bytes > bytesMax && retire(entry.root(), retained.settled())) {
                    removed.add(entry.root().getFileName().toString());
                }
            }
        }
        return removed;
    }

    /** Entries in which no process runs, the last changed one first. */
    private List<TreeSurvey> ended(Path parent) throws IOException {
        List<TreeSurvey> ended = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent.toAbsolutePath())) {
            for (Path entry : entries) {
                if (!entry.getFileName().toString().startsWith(".")
                        && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
                        && hasEnded(entry)) {
                    ended.add(TreeSurvey.of(entry));
                }
            }
        }
        ended.sort(Comparator.comparing(TreeSurvey::changed).reversed());
        return ended;
    }

    private boolean hasEnded(Path entry) throws IOException {
        List<Path> directories = marked(entry);
        if (directories.isEmpty() || directories.stream().anyMatch(WorkDirectory::isHeld)) {
            return false;
        }
        synchronized (this) {
            return !isUsed(entry);
        }
    }

    private boolean retire(Path entry, Instant before) throws IOException {
        if (!Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        String name = entry.getFileName().toString();
        if (name.startsWith(REMOVED)) {
            TreeDeletion.of(entry);
            return false;
        }
        Path renamed = entry.resolveSibling(REMOVED + name);
        List<Path> directories = marked(entry);
        if (directories.isEmpty() || directories.stream().anyMatch(WorkDirectory::isHeld) || isNewer(entry, before)) {
            return false;
        }
        synchronized (this) { // a child that starts now creates the entry again
            if (isUsed(entry)) {
                return false;
            }
            Files.move(entry, renamed);
        }
        TreeDeletion.of(renamed);
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

    /** Whether a child of this process uses {@code entry}, or is about to create a directory in it. */
    private boolean isUsed(Path entry) {
        return used.keySet().stream().anyMatch(directory -> directory.startsWith(entry));
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
}
