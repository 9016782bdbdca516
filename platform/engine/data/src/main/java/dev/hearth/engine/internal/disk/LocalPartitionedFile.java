package dev.hearth.engine.internal.disk;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** A finished file below a local directory. Immutable but for its being there. */
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
    public int parts() {
        return index.parts();
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
    public FileSegment place(int part) {
        return new FileSegment(path.toString(), id, part, index.offset(part), index.bytes(part));
    }

    @Override
    public SegmentInput open(int part) {
        return files.open(place(part));
    }

    @Override
    public String file() {
        return path.toString();
    }

    @Override
    public void delete() {
        if (deleted.compareAndSet(false, true)) {
            files.delete(path, length);
        }
    }
}
