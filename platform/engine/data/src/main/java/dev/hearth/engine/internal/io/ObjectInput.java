package dev.hearth.engine.internal.io;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.memory.BufferReservation;
import dev.hearth.engine.internal.serializer.CorruptRecordException;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.serializer.RecordInput;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Iterator over the elements of an object file, from the batches that begin in one split. Each batch is verified by its
 * checksum before its first element is read. Owned by one thread; closes its file at the end.
 */
public final class ObjectInput implements Iterator<@Nullable Object>, FileElements {
    private static final byte[] NOTHING = {};

    private final FileSplit part;
    private final long[] offsets; // offsets of the batches of this split, and at last the end of the last batch
    private final RecordFormat.Reader reader;
    private final SplitInput in;
    private final RecordInput records = new RecordInput();
    private final CRC32C check = new CRC32C();
    private final BufferReservation memory;
    private byte[] bytes = NOTHING;
    private int batch;
    // number of unread records of the current batch
    private int left;
    // set when a read failed, because it is then unknown where the next record begins
    private @Nullable RuntimeException failure;

    public ObjectInput(FileSplit part, RecordFormat format, InputAccess access, BufferReservation memory) {
        this.memory = memory;
        this.part = part;
        ObjectFileFooter table = ObjectFileFooter.read(new InputFile(part.path(), length(part, access)), access);
        this.offsets = table == null ? new long[] {0} : table.offsets(part);
        this.reader = format.reader(table == null ? List.of() : table.names());
        this.in = table == null ? SplitInput.none(part) : open(access);
    }

    private static long length(FileSplit part, InputAccess access) {
        try {
            return access.length(FileName.parse(part.path()));
        } catch (IOException failure) {
            throw ErrorCode.DISK_FAILED.failure(
                    "file " + part.path() + ": cannot be inspected, " + failure.getMessage()
                            + " (expected: a readable file); check its disk or its storage",
                    failure);
        }
    }

    private SplitInput open(InputAccess access) {
        FileSplit wanted = new FileSplit(part.path(), offsets[0], offsets[offsets.length - 1]);
        return new SplitInput(wanted, offsets[0], FileCodec.NONE, ObjectFileFormat.CONTENT, access);
    }

    @Override
    public boolean hasNext() {
        if (failure != null) {
            throw failure;
        }
        while (left == 0 && batch < offsets.length - 1) {
            try {
                nextBatch();
            } catch (IOException damage) {
                batch = offsets.length - 1;
                in.damaged(damage);
            }
        }
        if (left == 0) {
            close();
        }
        return left > 0;
    }

    private void nextBatch() throws IOException {
        long size = offsets[batch + 1] - offsets[batch];
        batch++;
        if (size < ObjectFileFormat.BATCH_HEAD_BYTES || size > Integer.MAX_VALUE - 8) {
            throw new IOException("a batch of " + size + " bytes");
        }
        int length = (int) size;
        boolean tooLarge = bytes.length > BufferReservation.QUIET_BYTES && length <= BufferReservation.QUIET_BYTES;
        if (bytes.length < length || tooLarge) { // allocate a larger buffer, or a smaller one after a very large batch
            bytes = NOTHING;
            memory.end();
            memory.begin(length);
            bytes = new byte[length];
            memory.end();
        }
        for (int filled = 0; filled < length; ) {
            int read = in.read(bytes, filled, length - filled);
            if (read < 0) { // the file ended early, which is possible only if missing data is ignored
                batch = offsets.length - 1;
                return;
            }
            filled += read;
        }
        records.on(bytes, 0, length);
        int stated = records.readInt();
        int count = records.readInt();
        check.reset();
        check.update(bytes, 0, ObjectFileFormat.CHECKED_HEAD_BYTES);
        check.update(bytes, ObjectFileFormat.BATCH_HEAD_BYTES, length - ObjectFileFormat.BATCH_HEAD_BYTES);
        if (records.readInt() != (int) check.getValue()
                || stated != length - ObjectFileFormat.BATCH_HEAD_BYTES
                || count < 1) {
            throw new IOException("the checksum of the batch at byte " + offsets[batch - 1] + " does not match");
        }
        left = count;
    }

    @Override
    public @Nullable Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException("objects of " + part.path());
        }
        left--;
        try {
            return reader.read(records);
        } catch (CorruptRecordException damage) {
            // an error even if corrupt files are ignored: the checksum matched, so skipping the record would hide a
            // defect
            throw failed(ErrorCode.FILE_DAMAGED.failure(
                    Failures.expecting(
                            "file " + part.path() + ": a record of the batch at byte " + offsets[batch - 1]
                                    + " cannot be read, " + damage.getMessage(),
                            ObjectFileFormat.CONTENT),
                    damage));
        } catch (RuntimeException refused) { // user code threw this while it read the record
            throw failed(refused);
        }
    }

    private RuntimeException failed(RuntimeException why) {
        failure = why;
        close();
        return why;
    }

    @Override
    public long bytesRead() {
        return in.bytesRead();
    }

    @Override
    public void close() {
        in.close();
        memory.close();
    }
}
