package dev.hearth.engine.internal.disk;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** A finished file below a local directory. Immutable but for its being there. */
final class LocalSegment implements Segment {
    private final LocalSegmentFiles files;
    private final Path path;
    private final long id;
    private final PartIndex index;
    private final long length;
    private final AtomicBoolean deleted = new AtomicBoolean();

    LocalSegment(LocalSegmentFiles files, Path path, long id, PartIndex index, long length) {
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
    public SegmentPart place(int part) {
        return new SegmentPart(path.toString(), id, part, index.offset(part), index.bytes(part));
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
