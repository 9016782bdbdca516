package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.disk.PartitionedFile;
import dev.hearth.engine.internal.disk.PartitionedFileWriter;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import java.util.List;

/**
 * Writes the file of a block, one frame for each page. Owned by one thread; ended by {@link #finish} or
 * {@link #abandon}.
 */
final class BlockFileWriter {
    private final PartitionedFileWriter file;
    private final RecordFormat.Writer writer;
    private final int pageBytes;

    BlockFileWriter(TemporaryFiles files, BlockId block, RecordFormat.Writer writer, int pageBytes) {
        this.file = files.create(block.toString(), 1);
        this.writer = writer;
        this.pageBytes = pageBytes;
        file.begin(0);
    }

    /** Writes a whole block, whose elements are in {@code batches}, to a new file and returns the file. */
    static PartitionedFile write(
            TemporaryFiles files, BlockId block, RecordFormat.Writer writer, int pageBytes, List<CachedBatch> batches) {
        BlockFileWriter file = new BlockFileWriter(files, block, writer, pageBytes);
        try {
            batches.forEach(file::write);
            return file.finish();
        } catch (RuntimeException | Error failure) {
            file.abandon();
            throw failure;
        }
    }

    void write(CachedBatch batch) {
        if (batch instanceof CachedBatch.Page page) {
            file.write(page.bytes(), 0, page.bytes().length);
        } else if (batch instanceof CachedBatch.Values values) {
            RecordOutput out = writer.output(pageBytes);
            for (int i = 0; i < values.records(); i++) {
                writer.write(values.value(i), out);
                if (out.position() >= pageBytes) {
                    write(out);
                }
            }
            write(out);
        }
    }

    /**
     * Appends the bytes of {@code page} to the block's file as one frame, and clears the page. An empty page is
     * skipped.
     */
    void write(RecordOutput page) {
        if (page.position() > 0) {
            file.write(page.array(), 0, page.position());
            page.moveTo(0);
        }
    }

    PartitionedFile finish() {
        return file.finish();
    }

    void abandon() {
        file.abandon();
    }
}
