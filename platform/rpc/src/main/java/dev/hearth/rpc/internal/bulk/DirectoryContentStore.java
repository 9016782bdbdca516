package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store of uploaded files in a directory, by hash. Complete content is a file {@code sha256/ab/<hash>}; a partial
 * upload is {@code incoming/<hash>-<n>.part}, where n numbers concurrent writers. Partial uploads of crashed writers
 * can be resumed; the oldest are evicted when space is needed. Guarded by its own lock; a file lock excludes other
 * processes.
 */
final class DirectoryContentStore implements ContentStore {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryContentStore.class);
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern PART = Pattern.compile("[0-9a-f]{64}-\\d+\\.part");
    private static final int FANOUT_CHARS = 2;
    private static final int WRITERS_PER_CONTENT_MAX = 64;

    private final Path directory;
    private final Path incoming;
    private final long bytesMax;
    private final FileChannel lockFile;
    private final DirectorySync sync;
    private final Map<Path, Long> leftovers = new LinkedHashMap<>(); // partial uploads without a writer, oldest first
    private final Set<PartialContent> active = new LinkedHashSet<>();
    private long wholeBytes;
    private boolean closed;

    private DirectoryContentStore(Path directory, long bytesMax, FileChannel lockFile, DirectorySync sync) {
        this.directory = directory;
        this.incoming = directory.resolve("incoming");
        this.bytesMax = bytesMax;
        this.lockFile = lockFile;
        this.sync = sync;
    }

    static DirectoryContentStore open(Path directory, long bytesMax) throws IOException {
        return open(directory.toAbsolutePath(), bytesMax, DirectorySync.ofSystem());
    }

    static DirectoryContentStore open(Path directory, long bytesMax, DirectorySync sync) throws IOException {
        List<Path> changed = new ArrayList<>(List.of(directory)); // directories whose entries change and must be synced
        for (Path made = directory; made.getParent() != null && !Files.exists(made); made = made.getParent()) {
            changed.add(made.getParent());
        }
        BulkFilePermissions.createDirectories(directory);
        FileChannel lockFile = BulkFilePermissions.openFile(
                directory.resolve("lock"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        boolean opened = false;
        try {
            lock(directory, lockFile);
            DirectoryContentStore store = new DirectoryContentStore(directory, bytesMax, lockFile, sync);
            store.scan();
            for (Path one : changed) {
                sync.sync(one);
            }
            opened = true;
            return store;
        } finally {
            if (!opened) {
                lockFile.close();
            }
        }
    }

    @Override
    public Optional<Path> find(ContentId content) {
        return Optional.of(pathOf(content)).filter(Files::isRegularFile);
    }

    @Override
    public List<HeldContent> contents() throws IOException {
        Map<HeldContent, FileTime> ages = new LinkedHashMap<>();
        try (Stream<Path> files = Files.walk(directory.resolve("sha256"), FANOUT_CHARS)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (HASH.matcher(name).matches() && Files.isRegularFile(file)) {
                    ages.put(new HeldContent(new ContentId(name), Files.size(file)), Files.getLastModifiedTime(file));
                }
            }
        }
        return ages.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public ContentId add(Path file) throws IOException {
        ContentId content = ContentId.of(file);
        try (Incoming part = receive(content, Files.size(file));
                FileChannel source = FileChannel.open(file, StandardOpenOption.READ)) {
            source.position(part.bytesHere());
            ByteBuffer buffer = ByteBuffer.allocateDirect(BulkLimits.READ_BYTES);
            while (source.read(buffer.clear()) >= 0) {
                part.write(buffer.flip());
            }
            part.finish();
        }
        return content;
    }

    @Override
    public Incoming receive(ContentId content, long size) throws IOException {
        PartialContent part;
        long before;
        synchronized (this) {
            requireOpen();
            if (find(content).isPresent()) {
                return new StoredContent(size);
            }
            Path file = partFile(content);
            before = leftovers.getOrDefault(file, 0L);
            makeRoom(content, size, before, file);
            leftovers.remove(file);
            part = new PartialContent(this, content, file, size);
            active.add(part);
        }
        boolean opened = false;
        try {
            part.open(before);
            opened = true;
            return part;
        } finally {
            if (!opened) {
                part.close();
            }
        }
    }

    @Override
    public synchronized long bytesLeft(ContentId content) {
        return leftovers.getOrDefault(partFile(content), 0L);
    }

    @Override
    public synchronized void remove(ContentId content) throws IOException {
        Optional<Path> found = find(content);
        if (found.isPresent()) {
            long size = Files.size(found.get());
            Files.delete(found.get());
            wholeBytes -= size;
        }
    }

    @Override
    public synchronized void removePartial(Instant before) throws IOException {
        requireOpen();
        for (Path file : List.copyOf(leftovers.keySet())) {
            if (!Files.exists(file)
                    || Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
                Files.deleteIfExists(file);
                leftovers.remove(file);
            }
        }
    }

    @Override
    public synchronized long bytesHeld() {
        return wholeBytes
                + leftovers.values().stream().mapToLong(Long::longValue).sum()
                + active.stream().mapToLong(PartialContent::bytesHere).sum();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (PartialContent part : active) {
            try {
                part.abandon();
            } catch (IOException failure) {
                LOG.warn("Store {}: a part cannot be closed", directory, failure);
            }
        }
        active.clear();
        try {
            lockFile.close();
        } catch (IOException failure) {
            LOG.warn("Store {}: its lock cannot be released", directory, failure);
        }
    }

    /**
     * Publishes a complete and verified part file as content. If another writer has published the same content, deletes
     * the part file instead.
     */
    synchronized void complete(PartialContent part) throws IOException {
        requireOpen();
        Path published = pathOf(part.content());
        if (Files.isRegularFile(published)) {
            Files.deleteIfExists(part.file());
        } else {
            BulkFilePermissions.createDirectories(published.getParent());
            Files.move(part.file(), published, StandardCopyOption.ATOMIC_MOVE);
            wholeBytes += part.size();
        }
        active.remove(part);
    }

    /**
     * Syncs to disk the directories that contain the published content, so that it survives a power failure. This is
     * slow, so it takes no lock.
     */
    void syncPublished(PartialContent part) throws IOException {
        Path fan = pathOf(part.content()).getParent();
        sync.sync(fan);
        sync.sync(fan.getParent());
    }

    /**
     * Ends the use of a part file by the writer that has closed it. A file with {@code bytes} bytes is kept, so that
     * the upload can resume; an empty file is deleted.
     */
    synchronized void release(PartialContent part, long bytes) {
        if (!active.remove(part)) {
            return; // do nothing: the store was closed, so the file may belong to another process by now
        }
        if (bytes > 0) {
            leftovers.put(part.file(), bytes);
            return;
        }
        try {
            Files.deleteIfExists(part.file());
        } catch (IOException failure) {
            LOG.warn("Store {}: an empty part cannot be removed", directory, failure);
        }
    }

    private void makeRoom(ContentId content, long size, long before, Path own) throws IOException {
        long charged =
                wholeBytes + active.stream().mapToLong(PartialContent::size).sum();
        long others = leftovers.values().stream().mapToLong(Long::longValue).sum() - before;
        long same = active.stream()
                .filter(part -> part.content().equals(content))
                .mapToLong(PartialContent::size)
                .sum();
        if (size > bytesMax - charged
                // enough space without the other uploads of this content: its sender may have reconnected, for example
                && size <= bytesMax - (charged - same)) {
            throw ErrorCode.TOO_MANY_ASKS.failure("content " + content + ": " + size
                    + " bytes that are already being uploaded (expected: free space for them twice, or one sender at a"
                    + " time); try again when the other upload has ended");
        }
        if (size > bytesMax - charged) {
            throw ErrorCode.STORE_FULL.failure("content " + content + ": " + size + " bytes, and " + charged + " of "
                    + bytesMax
                    + " are taken (expected: free space for it); remove unused content, or give the store "
                    + directory.getFileName() + " more space");
        }
        List<Path> oldest = new ArrayList<>(leftovers.keySet());
        for (Path file : oldest) {
            if (others <= bytesMax - charged - size) {
                return;
            }
            if (!file.equals(own)) {
                Files.deleteIfExists(file);
                others -= leftovers.remove(file);
            }
        }
    }

    /**
     * Returns the first of the possible part files for {@code content} that no writer is using. Throws if writers use
     * all of them.
     */
    private Path partFile(ContentId content) {
        Set<Path> taken = new LinkedHashSet<>();
        active.forEach(part -> taken.add(part.file()));
        for (int n = 0; n < WRITERS_PER_CONTENT_MAX; n++) {
            Path file = incoming.resolve(content + "-" + n + ".part");
            if (!taken.contains(file)) {
                return file;
            }
        }
        throw ErrorCode.STORE_FULL.failure("content " + content + ": " + WRITERS_PER_CONTENT_MAX
                + " senders upload this content already (expected: at most that many at once, with this one); try"
                + " again when one of these uploads has ended");
    }

    private Path pathOf(ContentId content) {
        return directory
                .resolve("sha256")
                .resolve(content.sha256().substring(0, FANOUT_CHARS))
                .resolve(content.sha256());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("store " + directory + ": closed (expected: an open one)");
        }
    }

    private void scan() throws IOException {
        BulkFilePermissions.createDirectories(incoming);
        Path whole = directory.resolve("sha256");
        BulkFilePermissions.createDirectories(whole);
        try (Stream<Path> files = Files.walk(whole, FANOUT_CHARS)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                if (HASH.matcher(file.getFileName().toString()).matches()) {
                    wholeBytes += Files.size(file);
                }
            }
        }
        List<Path> parts = new ArrayList<>();
        try (Stream<Path> files = Files.list(incoming)) {
            files.filter(file -> PART.matcher(file.getFileName().toString()).matches())
                    .forEach(parts::add);
        }
        Map<Path, FileTime> ages = new LinkedHashMap<>();
        for (Path file : parts) {
            ages.put(file, Files.getLastModifiedTime(file));
        }
        parts.sort(Comparator.comparing(ages::get));
        for (Path file : parts) {
            leftovers.put(file, Files.size(file));
        }
    }

    private static void lock(Path directory, FileChannel lockFile) throws IOException {
        try {
            FileLock lock = lockFile.tryLock();
            if (lock != null) {
                return; // the file lock is released when its channel is closed
            }
        } catch (OverlappingFileLockException here) {
            LOG.debug("Store {}: open in this process", directory, here);
        }
        throw ErrorCode.DISK_FAILED.failure("store " + directory
                + ": open already, in this process or another one (expected: one process per store);"
                + " choose another directory");
    }

    /** Upload of content that is already in the store, so that no bytes are written. */
    private record StoredContent(long bytesHere) implements Incoming {
        @Override
        public void write(ByteBuffer bytes) {
            throw new IllegalStateException(
                    "content that is here already: " + bytes.remaining() + " bytes more (expected: none)");
        }

        @Override
        public void finish() {
            // nothing to do: the content was verified when it was stored
        }

        @Override
        public void close() {
            // holds no resources
        }
    }
}
