package dev.hearth.engine.internal.disk;

import dev.hearth.spi.shuffle.FileSegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** Finished file below a local directory. Immutable, except that it can be deleted. */
final class LocalPartitionedFile implements PartitionedFile {
    private final LocalTemporaryFiles files;
    private final Path path;
    private final long id;
    private final SegmentIndex index;
    private final long length;
    private final AtomicBoolean deleted = new AtomicBoolean();

    LocalPartitionedFile(LocalTemporaryFiles files, Path path, long id, SegmentIndex index, long length) {
        this.files = files;
        this.path = path;
        this.id = id;
        this.index = index;
        this.length = length;
    }

    @Override
    public int segments() {
        return index.segments();
    }

    @Override
    public long bytes(int part) {
        return index.bytes(part);
    }

    @Override
    public long indexBytes() {
        return index.heldBytes();
    }

    @Override
    public FileSegment segment(int part) {
        return new FileSegment(path.toString(), id, part, index.offset(part), index.bytes(part));
    }

    @Override
    public SegmentInput open(int part) {
        return files.open(segment(part));
    }

    @Override
    public String file() {
        return path.toString();
    }

    @Override
    public void leave() {
        if (deleted.compareAndSet(false, true)) {
            files.left(length);
        }
    }

    @Override
    public void delete() {
        if (deleted.compareAndSet(false, true)) {
            files.delete(path, length);
        }
    }
}
