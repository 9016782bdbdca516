package dev.hearth.engine.internal.record;

import dev.hearth.engine.internal.serial.UserObjects;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Both hands of one application's records, for tests. */
final class RecordHand {
    final ApplicationRecords records;
    final RecordFormat.Writer writer;
    final RecordFormat.Reader reader;
    private final RecordOutput out = new RecordOutput(16);

    RecordHand(ClassLoader application) {
        this(application, new NumberedClasses());
    }

    /** One of several processes. */
    RecordHand(ClassNumbers numbers) {
        this(RecordHand.class.getClassLoader(), numbers);
    }

    private RecordHand(ClassLoader application, ClassNumbers numbers) {
        records = new ApplicationRecords(new UserObjects(application), numbers);
        writer = records.writer();
        reader = records.reader();
    }

    RecordHand() {
        this(RecordHand.class.getClassLoader());
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
