package dev.hearth.engine.internal.disk;

import dev.hearth.engine.internal.encryption.FileEncryptionKey;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Temporary files of one application on local disks. Directories are created with the first file, and {@link #close}
 * deletes all files and directories.
 */
public final class LocalTemporaryFiles implements TemporaryFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LocalTemporaryFiles.class);

    private final DiskSettings settings;
    private final LocalDirectories directories;
    private final LocalDirectories outputs; // for map outputs: the same, or directories that outlive this process
    private final OpenFileCache open;
    private final DecompressorPool decompressors = new DecompressorPool();
    private final Optional<FileEncryptionKey> key;
    private final AtomicLong ids;
    private final AtomicLong bytes = new AtomicLong();

    LocalTemporaryFiles(DiskSettings settings, Disk disk, Ticker ticker, long token, int openMax) {
        this(settings, List.of(), disk, ticker, token, openMax);
    }

    private LocalTemporaryFiles(
            DiskSettings settings, List<Path> lent, Disk disk, Ticker ticker, long token, int openMax) {
        this.settings = settings;
        this.directories = new LocalDirectories(settings.directories(), token, disk, ticker);
        this.outputs = lent.isEmpty() ? directories : new LocalDirectories(lent, token, disk, ticker, true);
        this.open = new OpenFileCache(disk, openMax);
        this.ids = new AtomicLong(token);
        this.key = settings.encryption().keyForFiles();
    }

    /**
     * Creates the temporary files of one application. The names of its directories are random, so that no two
     * applications share a directory.
     */
    public static LocalTemporaryFiles of(DiskSettings settings, Ticker ticker) {
        return of(settings, Disk.system(), ticker);
    }

    /** Creates the temporary files of one application on {@code disk}, which may be a test double. */
    public static LocalTemporaryFiles of(DiskSettings settings, Disk disk, Ticker ticker) {
        return of(settings, List.of(), disk, ticker);
    }

    /**
     * As {@link #of(DiskSettings, Disk, Ticker)}, with files for shuffles below the directories {@code lent}. Another
     * process owns these directories, so {@link #close} leaves the files in them.
     */
    public static LocalTemporaryFiles of(DiskSettings settings, List<Path> lent, Disk disk, Ticker ticker) {
        long token = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
        return new LocalTemporaryFiles(settings, lent, disk, ticker, token, OpenFileCache.OPEN_FILES_MAX);
    }

    @Override
    public PartitionedFileWriter create(String subject, int parts) {
        return create(subject, parts, FilePurpose.SPILL);
    }

    @Override
    public PartitionedFileWriter create(String subject, int parts, FilePurpose use) {
        FailoverFile file = new FailoverFile(use == FilePurpose.SHUFFLE ? outputs : directories, subject, bytes);
        return new LocalFileWriter(this, file, ids.getAndIncrement(), settings.compressionFor(use), key, parts);
    }

    @Override
    public ReceivedFile receive(String subject) {
        return new LocalReceivedFile(this, new FailoverFile(directories, subject, bytes));
    }

    /**
     * Opens the finished file at {@code path}, which another process wrote. {@link #bytes} does not count such files.
     */
    public PartitionedFile read(Path path) throws CorruptFileException {
        FileFooter stored = index(path);
        return new LocalPartitionedFile(this, path, stored.id(), stored.index(), 0);
    }

    FileFooter index(Path path) throws CorruptFileException {
        return FileFooter.read(directories.disk(), path);
    }

    boolean isClosed() {
        return directories.closed();
    }

    PartitionedFile finished(FailoverFile file, long id, SegmentIndex index) {
        long length = file.written();
        Path path = file.close();
        if (isClosed()) {
            file.abandon();
            throw ErrorCode.CONTEXT_CLOSED.failure(
                    file.subject() + ": its application has ended (expected: an application that runs)");
        }
        return new LocalPartitionedFile(this, path, id, index, length);
    }

    @Override
    public SegmentSource source(FileSegment part) {
        return open.reader(Path.of(part.file()));
    }

    @Override
    public SegmentInput open(FileSegment part, SegmentSource bytes) {
        return new LocalSegmentInput(bytes, decompressors, key, part);
    }

    @Override
    public Optional<FileEncryptionKey> key() {
        return key;
    }

    /** Number of files that are open for reading now; the {@link OpenFileCache} bounds this number. */
    int open() {
        return open.open();
    }

    void delete(Path path, long length) {
        try {
            directories.disk().delete(path);
        } catch (IOException failure) {
            LOG.warn(
                    "{}: cannot be deleted now; it is deleted with its directory when the application ends",
                    path,
                    failure);
        }
        bytes.addAndGet(-length);
    }

    /** Counts a file of {@code length} bytes no more, which another process has taken over. */
    void left(long length) {
        bytes.addAndGet(-length);
    }

    @Override
    public long bytes() {
        return directories.closed() ? 0 : bytes.get();
    }

    @Override
    public void close() {
        directories.close();
        outputs.close();
    }
}
