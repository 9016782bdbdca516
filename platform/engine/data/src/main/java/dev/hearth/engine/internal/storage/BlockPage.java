package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import java.util.Arrays;
import java.util.List;

/**
 * Page of a cached block in memory: {@code records} whole serialised records, as sent to an executor that copies the
 * block. Element {@code index} of the block's batch {@code chunk} begins the next page; if {@code last}, no page
 * follows.
 */
@SuppressWarnings("ArrayRecordComponent") // the array never changes, so sharing it is safe
public record BlockPage(byte[] bytes, int records, int chunk, int index, boolean last) {
    private static final byte[] NOTHING = {};

    /**
     * Creates the page that begins at element {@code index} of batch number {@code chunk} of a block. Serialises
     * elements until the page has about {@code pageBytes} bytes. If the block stores that batch in serialised form
     * already, the page is the whole batch.
     */
    static BlockPage of(List<CachedBatch> batches, int chunk, int index, RecordFormat.Writer writer, int pageBytes) {
        if (chunk >= batches.size()) {
            return new BlockPage(NOTHING, 0, chunk, 0, true);
        }
        boolean isLastBatch = chunk + 1 == batches.size();
        CachedBatch from = batches.get(chunk);
        if (from instanceof CachedBatch.Page page) {
            return new BlockPage(page.bytes(), page.records(), chunk + 1, 0, isLastBatch);
        }
        CachedBatch.Values values = (CachedBatch.Values) from;
        RecordOutput out = writer.output(pageBytes);
        int next = index;
        while (next < values.records() && out.position() < pageBytes) {
            writer.write(values.value(next++), out);
        }
        byte[] bytes = Arrays.copyOf(out.array(), out.position());
        return next < values.records()
                ? new BlockPage(bytes, next - index, chunk, next, false)
                : new BlockPage(bytes, next - index, chunk + 1, 0, isLastBatch);
    }
}
