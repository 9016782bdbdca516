package dev.hearth.engine.internal.serializer;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writer and reader of one application's records, for tests. */
final class RecordRoundTrip {
    final ApplicationRecordFormat records;
    final RecordFormat.Writer writer;
    final RecordFormat.Reader reader;
    private final RecordOutput out = new RecordOutput(16);

    RecordRoundTrip(ClassLoader application) {
        this(application, new ClassIdTable());
    }

    /** A process of an application with several processes. */
    RecordRoundTrip(ClassIds numbers) {
        this(RecordRoundTrip.class.getClassLoader(), numbers);
    }

    private RecordRoundTrip(ClassLoader application, ClassIds numbers) {
        records = new ApplicationRecordFormat(new UserObjectSerializer(application), numbers);
        writer = records.writer();
        reader = records.reader();
    }

    RecordRoundTrip() {
        this(RecordRoundTrip.class.getClassLoader());
    }

    byte[] write(@Nullable Object record) {
        out.moveTo(0);
        writer.write(record, out);
        return Arrays.copyOf(out.array(), out.position());
    }

    @Nullable
    Object read(byte[] bytes) {
        return read(reader, bytes);
    }

    static @Nullable Object read(RecordFormat.Reader reader, byte[] bytes) {
        RecordInput in = new RecordInput().on(bytes, 0, bytes.length);
        Object record = reader.read(in);
        if (in.hasMore()) {
            throw new AssertionError((bytes.length - in.position()) + " bytes left over of " + bytes.length);
        }
        return record;
    }

    @Nullable
    Object copy(@Nullable Object record) {
        return read(write(record));
    }
}
