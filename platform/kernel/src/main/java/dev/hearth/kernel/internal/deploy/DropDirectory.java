package dev.hearth.kernel.internal.deploy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of deploy/. Only regular files, and links to them, are deployed: opening a FIFO or a device may never
 * return. Links are followed on another thread, as their target may be on a file system that does not answer. Owned by
 * the deployer's loop, except {@link #names}.
 */
final class DropDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DropDirectory.class);
    private static final String SUFFIX = ".jar";
    /** Maximum number of files processed; a directory with more is probably not meant to be deployed. */
    static final int FILES_MAX = 1_000;
    /** Maximum time that a scan waits for the attributes of the file to which a link points. */
    static final Duration LINK_WAIT = Duration.ofSeconds(1);
    /** Maximum number of links that are followed at once; each that does not answer keeps a thread. */
    private static final int LINKS_HANGING_MAX = 8;

    private static final String REGULAR = " (expected: a regular file, or a link to one); passed over";
    private static final String MODE = "unix:mode";
    private static final int KIND_MASK = 0xF000;
    private static final Map<Integer, String> KINDS =
            Map.of(0x1000, "a FIFO", 0x2000, "a device", 0x6000, "a device", 0xC000, "a socket");

    private final Path directory;
    private final Targets targets;
    private final Duration linkWait;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "hearth-deploy-link");
        thread.setDaemon(true);
        return thread;
    });
    private final Map<Path, Future<Listing>> hanging = new LinkedHashMap<>(); // looks at the targets of links
    private boolean warnedOfWriters;
    private boolean warnedOfNumber;

    DropDirectory(Path directory) {
        this(directory, DropDirectory::target, LINK_WAIT);
    }

    DropDirectory(Path directory, Targets targets, Duration linkWait) {
        this.directory = directory;
        this.targets = targets;
        this.linkWait = linkWait;
    }

    /**
     * Reads the attributes of the file to which a link points. The call may hang, if the file system does not answer.
     */
    @FunctionalInterface
    interface Targets {
        BasicFileAttributes attributes(Path link) throws IOException;
    }

    /**
     * Result of one scan of the directory. {@code files} maps the files to deploy to their states. {@code passedOver}
     * maps the remaining entries to the reason why they are not deployed.
     */
    record Listing(SortedMap<String, FileStamp> files, SortedMap<String, String> passedOver) {
        private Listing() {
            this(new TreeMap<>(), new TreeMap<>());
        }
    }

    /**
     * Returns the state of all files of the directory that may be deployed, and the entries that are passed over, with
     * the reasons.
     */
    Listing list() throws IOException {
        Listing listing = new Listing();
        List<Path> entries = entries();
        if (entries.size() > FILES_MAX && !warnedOfNumber) {
            warnedOfNumber = true;
            LOG.warn(
                    "deploy: {} has {} jars (expected: at most {}); the others are passed over",
                    directory,
                    entries.size(),
                    FILES_MAX);
        }
        for (Path entry : entries.subList(0, Math.min(entries.size(), FILES_MAX))) {
            look(entry, listing);
        }
        hanging.keySet().retainAll(entries);
        warnOfWriters();
        return listing;
    }

    /** Names of the entries that would be deployed if they are bundles. Any thread may call. */
    List<String> names() throws IOException {
        return entries().stream().map(DropDirectory::name).toList();
    }

    /**
     * Whether the name of {@code file} is that of a jar to deploy: it has the suffix of jars and does not begin with a
     * dot.
     */
    static boolean isDropped(Path file) {
        return name(file).endsWith(SUFFIX) && !name(file).startsWith(".");
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private List<Path> entries() throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, DropDirectory::isDropped)) {
            files.forEach(entries::add);
        }
        entries.sort(null);
        return entries;
    }

    private void look(Path entry, Listing listing) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.isSymbolicLink()) {
                follow(entry, listing);
            } else {
                add(entry, attributes, listing);
            }
        } catch (NoSuchFileException gone) {
            LOG.debug("deploy: {} was removed during the scan", entry);
        } catch (IOException e) {
            listing.passedOver.put(name(entry), "cannot be read: " + e + REGULAR);
        }
    }

    private void follow(Path link, Listing listing) {
        Future<Listing> look = hanging.remove(link);
        if (look == null && hanging.size() >= LINKS_HANGING_MAX) {
            listing.passedOver.put(name(link), "a link, and " + LINKS_HANGING_MAX + " others do not answer" + REGULAR);
            return;
        }
        boolean again = look != null;
        look = again ? look : threads.submit(() -> lookAtTarget(link));
        try {
            Listing found = look.get(again ? 0 : linkWait.toNanos(), TimeUnit.NANOSECONDS);
            listing.files.putAll(found.files);
            listing.passedOver.putAll(found.passedOver);
        } catch (TimeoutException e) {
            hanging.put(link, look);
            listing.passedOver.put(
                    name(link), "a link to a file on a file system that does not answer" + REGULAR + " until it does");
        } catch (ExecutionException e) {
            listing.passedOver.put(name(link), "cannot be read: " + e.getCause() + REGULAR);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Listing lookAtTarget(Path link) {
        Listing found = new Listing();
        try {
            add(link, targets.attributes(link), found);
        } catch (NoSuchFileException e) {
            found.passedOver.put(name(link), "a link to a file that does not exist" + REGULAR);
        } catch (IOException e) {
            found.passedOver.put(name(link), "cannot be read: " + e + REGULAR);
        }
        return found;
    }

    private static void add(Path entry, BasicFileAttributes attributes, Listing listing) throws IOException {
        if (attributes.isRegularFile()) {
            listing.files.put(name(entry), FileStamp.of(attributes));
        } else {
            listing.passedOver.put(name(entry), kind(entry, attributes) + REGULAR);
        }
    }

    private static String kind(Path entry, BasicFileAttributes attributes) throws IOException {
        if (attributes.isDirectory()) {
            return "a directory";
        }
        try {
            int mode = (Integer) Files.getAttribute(entry, MODE);
            return KINDS.getOrDefault(mode & KIND_MASK, "a special file");
        } catch (UnsupportedOperationException | IllegalArgumentException unknown) {
            return "a special file";
        }
    }

    /**
     * Warns, once, if every user of the machine may put files into the directory. A bundle in such a file would run
     * with the rights of this process.
     */
    private void warnOfWriters() throws IOException {
        if (!warnedOfWriters
                && directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
            if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                warnedOfWriters = true;
                LOG.warn(
                        "deploy: {}: every user of this machine may write to it, and so run code as the user of this"
                                + " process (expected: writable for its owner only); chmod o-w",
                        directory);
            }
        }
    }

    private static BasicFileAttributes target(Path link) throws IOException {
        return Files.readAttributes(link, BasicFileAttributes.class);
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
