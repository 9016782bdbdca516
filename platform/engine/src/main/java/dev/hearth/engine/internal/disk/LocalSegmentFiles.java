package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.seal.FileKey;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One application's files on the local disks. Nothing is on disk before the first is written, nor after {@link #close}. */
public final class LocalSegmentFiles implements SegmentFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LocalSegmentFiles.class);

    private final DiskSettings settings;
    private final LocalDirectories directories;
    private final OpenFiles open;
    private final Decompressors decompressors = new Decompressors();
    private final Optional<FileKey> key;
    private final AtomicLong ids;
    private final AtomicLong bytes = new AtomicLong();

    LocalSegmentFiles(DiskSettings settings, Disk disk, Ticker ticker, long token, int openMax) {
        this.settings = settings;
        this.directories = new LocalDirectories(settings.directories(), token, disk, ticker);
        this.open = new OpenFiles(disk, openMax);
        this.ids = new AtomicLong(token);
        this.key = settings.encryption().keyForFiles();
    }

    /** Files for one application, told apart from all others by chance. */
    public static LocalSegmentFiles of(DiskSettings settings, Ticker ticker) {
        return of(settings, Disk.system(), ticker);
    }

    /** As the other, on a disk that may be a double. */
    public static LocalSegmentFiles of(DiskSettings settings, Disk disk, Ticker ticker) {
        long token = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        return new LocalSegmentFiles(settings, disk, ticker, token, OpenFiles.OPEN_FILES_MAX);
    }

    @Override
    public SegmentWriter create(String subject, int parts) {
        return create(subject, parts, SegmentUse.SPILL);
    }

    @Override
    public SegmentWriter create(String subject, int parts, SegmentUse use) {
        MovingFile file = new MovingFile(directories, subject, bytes);
        return new LocalWriter(this, file, ids.getAndIncrement(), settings.compressionFor(use), key, parts);
    }

    @Override
    public ReceivedFile receive(String subject) {
        return new LocalReceived(this, new MovingFile(directories, subject, bytes));
    }

    /** A finished file of ours by what stands in it alone; whoever wrote it counts its bytes. */
    public Segment read(Path path) throws DamagedSegment {
        StoredIndex stored = index(path);
        return new LocalSegment(this, path, stored.id(), stored.index(), 0);
    }

    StoredIndex index(Path path) throws DamagedSegment {
        return StoredIndex.read(directories.disk(), path);
    }

    boolean isClosed() {
        return directories.closed();
    }

    Segment finished(MovingFile file, long id, PartIndex index) {
        long length = file.written();
        Path path = file.close();
        if (isClosed()) {
            file.abandon();
            throw ErrorCode.CONTEXT_CLOSED.failure(
                    file.subject() + ": its application has ended (expected: files for running applications alone)");
        }
        return new LocalSegment(this, path, id, index, length);
    }

    @Override
    public PartSource source(SegmentPart part) {
        return open.reader(Path.of(part.file()));
    }

    @Override
    public SegmentInput open(SegmentPart part, PartSource bytes) {
        return new LocalInput(bytes, decompressors, key, part);
    }

    @Override
    public Optional<FileKey> key() {
        return key;
    }

    /** The files that are open to be read. */
    int open() {
        return open.open();
    }

    void delete(Path path, long length) {
        try {
            directories.disk().delete(path);
        } catch (IOException failure) {
            LOG.warn("{}: cannot be removed now; it goes with its directory when the application ends", path, failure);
        }
        bytes.addAndGet(-length);
    }

    @Override
    public long bytes() {
        return directories.closed() ? 0 : bytes.get();
    }

    @Override
    public void close() {
        directories.close();
    }
}
