package dev.hearth.engine.internal.shuffle;

import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A reader of records that is made when the first bytes come, for many a shuffle has none. Owned by one thread. */
public final class LazyRecordReader implements RecordFormat.Reader {
    private final Supplier<RecordFormat> format;
    private RecordFormat.@Nullable Reader made;

    public LazyRecordReader(Supplier<RecordFormat> format) {
        this.format = format;
    }

    /** The reader itself, for those who read many records. */
    public static RecordFormat.Reader made(RecordFormat.Reader reader) {
        return reader instanceof LazyRecordReader late ? late.make() : reader;
    }

    private RecordFormat.Reader make() {
        RecordFormat.Reader known = made;
        if (known == null) {
            known = format.get().reader();
            made = known;
        }
        return known;
    }

    @Override
    public @Nullable Object read(RecordInput in) {
        return make().read(in);
    }

    @Override
    public void skip(RecordInput in) {
        make().skip(in);
    }
}
