package dev.hearth.engine.internal.disk;

import dev.hearth.spi.shuffle.FileSegment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * View of one segment, possibly of a larger file, as a file that has only this segment. The first call of {@link
 * #delete} runs {@code deletion}, later calls do nothing. Otherwise immutable.
 */
public final class SingleSegmentFile implements PartitionedFile {
    private final TemporaryFiles files;
    private final FileSegment place;
    private final Runnable deletion;
    private final AtomicBoolean deleted = new AtomicBoolean();

    public SingleSegmentFile(TemporaryFiles files, FileSegment place, Runnable deletion) {
        this.files = files;
        this.place = place;
        this.deletion = deletion;
    }

    @Override
    public int segments() {
        return 1;
    }

    @Override
    public long bytes(int part) {
        return place.bytes();
    }

    @Override
    public FileSegment segment(int part) {
        return place;
    }

    @Override
    public SegmentInput open(int part) {
        return files.open(place);
    }

    @Override
    public String file() {
        return place.file();
    }

    @Override
    public void delete() {
        if (deleted.compareAndSet(false, true)) {
            deletion.run();
        }
    }
}
