package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes the elements of one partition to an object file, which is a part file of a job's output. Owned by one thread.
 */
public final class ObjectOutput {
    private final TaskOutputFile part;
    private final RecordFormat format;
    private final RecordFormat.Writer writer;
    private final RecordOutput batch =
            new RecordOutput(ObjectFileFormat.BATCH_BYTES + ObjectFileFormat.BATCH_BYTES / 4);
    private final List<Long> offsets = new ArrayList<>();
    private final CRC32C check = new CRC32C();
    private int records;

    public ObjectOutput(TaskOutputFile part, RecordFormat format) {
        this.part = part;
        this.format = format;
        this.writer = format.writer();
        batch.writeLong(ObjectFileFormat.BEGIN);
        part.write(batch.array(), 0, batch.position());
        begin();
    }

    private void begin() {
        batch.moveTo(0);
        batch.require(ObjectFileFormat.BATCH_HEAD_BYTES);
        batch.moveTo(ObjectFileFormat.BATCH_HEAD_BYTES);
        records = 0;
    }

    public void write(@Nullable Object element) {
        writer.write(element, batch);
        records++;
        if (batch.position() >= ObjectFileFormat.BATCH_BYTES) {
            writeBatch();
        }
    }

    private void writeBatch() {
        int end = batch.position();
        batch.moveTo(0);
        batch.writeInt(end - ObjectFileFormat.BATCH_HEAD_BYTES);
        batch.writeInt(records);
        check.reset();
        check.update(batch.array(), 0, ObjectFileFormat.CHECKED_HEAD_BYTES);
        check.update(batch.array(), ObjectFileFormat.BATCH_HEAD_BYTES, end - ObjectFileFormat.BATCH_HEAD_BYTES);
        batch.writeInt((int) check.getValue());
        offsets.add(part.written());
        part.write(batch.array(), 0, end);
        begin();
    }

    /** Writes the last batch, and the table and the trailer that end an object file. */
    public void finish() {
        if (records > 0) {
            writeBatch();
        }
        RecordOutput table = new RecordOutput(1024);
        List<String> names = format.names();
        table.writeSize(names.size());
        for (String name : names) {
            byte[] bytes = name.getBytes(UTF_8);
            table.writeSize(bytes.length);
            table.write(bytes, 0, bytes.length);
        }
        table.writeInt(offsets.size());
        for (long offset : offsets) {
            table.writeLong(offset);
        }
        int bytes = table.position();
        check.reset();
        check.update(table.array(), 0, bytes);
        table.writeLong(part.written());
        table.writeInt(bytes);
        table.writeInt((int) check.getValue());
        table.writeLong(ObjectFileFormat.END);
        part.write(table.array(), 0, table.position());
    }
}
