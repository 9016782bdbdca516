package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Record reader that creates the actual reader when the first record is read, because many shuffles contain no
 * serialised records. Owned by one thread.
 */
public final class LazyRecordReader implements RecordFormat.Reader {
    private final Supplier<RecordFormat> format;
    private RecordFormat.@Nullable Reader created;

    public LazyRecordReader(Supplier<RecordFormat> format) {
        this.format = format;
    }

    /**
     * Returns the actual reader if {@code reader} is lazy, otherwise {@code reader} itself. So a caller that reads many
     * records avoids a delegation for each of them.
     */
    public static RecordFormat.Reader unwrapped(RecordFormat.Reader reader) {
        return reader instanceof LazyRecordReader lazy ? lazy.create() : reader;
    }

    private RecordFormat.Reader create() {
        RecordFormat.Reader known = created;
        if (known == null) {
            known = format.get().reader();
            created = known;
        }
        return known;
    }

    @Override
    public @Nullable Object read(RecordInput in) {
        return create().read(in);
    }

    @Override
    public void skip(RecordInput in) {
        create().skip(in);
    }
}
