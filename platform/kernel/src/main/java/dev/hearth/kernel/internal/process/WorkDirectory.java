package dev.hearth.kernel.internal.process;

import dev.hearth.spi.process.ChildSpec;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work directory of one child process, the only place that creates one. The directory and its files are accessible to
 * their owner only, whatever the umask, as applications print data. The child holds a lock on the file {@value #MARKER}
 * while it runs, so that no process removes the directory under it. Thread-safe.
 */
public final class WorkDirectory {
    /** File that marks a work directory and is locked by the process that runs in it. */
    static final String MARKER = ".hearth-process";

    private static final Logger LOG = LoggerFactory.getLogger(WorkDirectory.class);
    private static final String DIRECTORY_RIGHTS = "rwx------";
    /** Rights of directories above the one of another user, who may enter but not list them. */
    private static final String PASSABLE_DIRECTORY_RIGHTS = "rwx--x--x";

    private static final String FILE_RIGHTS = "rw-------";

    private static final Set<OpenOption> GROWING_FILE =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private static final Set<OpenOption> EMPTY_FILE = Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING,
            LinkOption.NOFOLLOW_LINKS);

    /**
     * Open channels of the markers that this process has locked. They are kept here, because a garbage-collected
     * channel would lose its lock.
     */
    private static final Set<FileChannel> HELD = ConcurrentHashMap.newKeySet();

    private WorkDirectory() {}

    /** Creates the work directory of a child, with missing parents, and the marker file in it. */
    static void create(ChildSpec spec) throws IOException {
        create(spec.directory(), spec.user().isPresent() ? PASSABLE_DIRECTORY_RIGHTS : DIRECTORY_RIGHTS);
    }

    /** Creates the work directory of a process of this user, as {@link #create(ChildSpec)}. */
    static void createMarked(Path directory) throws IOException {
        create(directory, DIRECTORY_RIGHTS);
    }

    private static void create(Path directory, String rights) throws IOException {
        Files.createDirectories(directory, rights(directory, rights));
        restrict(directory, rights); // an older one, or one created under a stricter umask
        openFile(directory.resolve(MARKER)).close();
    }

    /** Creates a directory that only the owner may use, in the work directory of a child. */
    static void create(Path directory) throws IOException {
        Files.createDirectories(directory, rights(directory, DIRECTORY_RIGHTS));
    }

    /**
     * Creates an empty file, or empties an existing one, and opens it for writing. Only the owner may access the file.
     */
    static FileChannel openFile(Path file) throws IOException {
        return open(file, EMPTY_FILE);
    }

    /** Opens a file for writing after what it has, or creates it. Only the owner may access the file. */
    static FileChannel openAtEnd(Path file) throws IOException {
        FileChannel channel = open(file, GROWING_FILE);
        try {
            return channel.position(channel.size());
        } catch (IOException failure) {
            channel.close();
            throw failure;
        }
    }

    private static FileChannel open(Path file, Set<OpenOption> options) throws IOException {
        FileChannel channel = FileChannel.open(file, options, rights(file, FILE_RIGHTS));
        try {
            restrict(file, FILE_RIGHTS);
            return channel;
        } catch (IOException failure) {
            channel.close();
            throw failure;
        }
    }

    /** Locks the marker of the directory in which this process runs, until the process ends. */
    public static void holdForLife(Path directory) {
        hold(directory).ifPresent(HELD::add);
    }

    /**
     * Locks the marker of the work directory {@code directory}. Returns the channel with the lock; empty if there is no
     * marker or the file system does not support locks. The process runs in either case.
     */
    static Optional<FileChannel> hold(Path directory) {
        Path marker = directory.resolve(MARKER);
        try {
            FileChannel channel = FileChannel.open(marker, StandardOpenOption.WRITE);
            if (channel.tryLock() != null) {
                return Optional.of(channel);
            }
            channel.close();
        } catch (NoSuchFileException unmarked) {
            LOG.trace("{}: not there", marker, unmarked);
        } catch (IOException | OverlappingFileLockException unlocked) {
            LOG.debug("{}: not locked", marker, unlocked);
        }
        return Optional.empty();
    }

    /**
     * Whether a process holds the lock of the marker in {@code directory}, that is, runs in that directory. Returns
     * true if the lock cannot be tested.
     */
    static boolean isHeld(Path directory) {
        try (FileChannel channel = FileChannel.open(directory.resolve(MARKER), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (NoSuchFileException gone) {
            return false;
        } catch (IOException | OverlappingFileLockException unknown) {
            LOG.debug("{}: its lock cannot be taken", directory, unknown);
            return true;
        }
    }

    static boolean isMarked(Path directory) {
        return Files.isRegularFile(directory.resolve(MARKER), LinkOption.NOFOLLOW_LINKS);
    }

    private static void restrict(Path path, String rights) throws IOException {
        if (hasPermissions(path)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
        }
    }

    private static FileAttribute<?>[] rights(Path path, String rights) {
        return hasPermissions(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))}
                : new FileAttribute<?>[0];
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
