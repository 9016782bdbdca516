package dev.hearth.engine.internal.storage;

import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import java.util.Arrays;
import java.util.List;

/**
 * Some whole records of a block in memory, as bytes; what follows begins at that place: a chunk and an element of it. {@code last}
 * when nothing does.
 */
@SuppressWarnings("ArrayRecordComponent") // never changed by anybody
public record BlockPage(byte[] bytes, int records, int chunk, int index, boolean last) {
    private static final byte[] NOTHING = {};

    /** About {@code pageBytes} from a place on; a chunk that is bytes already comes as it is. */
    static BlockPage of(List<CachedBatch> chunks, int chunk, int index, RecordFormat.Writer writer, int pageBytes) {
        if (chunk >= chunks.size()) {
            return new BlockPage(NOTHING, 0, chunk, 0, true);
        }
        boolean behindIsNone = chunk + 1 == chunks.size();
        CachedBatch from = chunks.get(chunk);
        if (from instanceof CachedBatch.Page page) {
            return new BlockPage(page.bytes(), page.records(), chunk + 1, 0, behindIsNone);
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
                : new BlockPage(bytes, next - index, chunk + 1, 0, behindIsNone);
    }
}
