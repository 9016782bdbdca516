package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Rdd;
import dev.hearth.api.task.TaskContext;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;

/** Records of 100 bytes, of which the first 10 are the key, and the files they lie in: a directory that all tasks reach. */
final class TeraRecords {
    private static final int RECORD_BYTES = 100;
    private static final int KEY_BYTES = 10;

    private TeraRecords() {}

    /** The record of a row: the same wherever and whenever it is made. */
    static byte[] record(long row) {
        byte[] record = new byte[RECORD_BYTES];
        new SplittableRandom(row).nextBytes(record);
        return record;
    }

    /** With a character per byte, so that it compares as the bytes do, without signs. */
    static String key(byte[] record) {
        return new String(record, 0, KEY_BYTES, StandardCharsets.ISO_8859_1);
    }

    static Rdd<byte[]> read(HearthContext context, String directory) {
        return context.binaryRecords(directory, RECORD_BYTES);
    }

    /** Writes a file for each partition, whole or not at all, whichever attempt at its task comes last. */
    static TeraSum write(Rdd<byte[]> records, String directory) throws IOException {
        Files.createDirectory(Path.of(directory));
        return records.mapPartitionsWithIndex((partition, them) ->
                        List.of(write(partition, them, directory)).iterator())
                .reduce(TeraSum::plus);
    }

    private static TeraSum write(int partition, Iterator<byte[]> records, String directory) throws IOException {
        TeraSum sum = TeraSum.NONE;
        Path draft = Path.of(directory, "_attempt-" + TaskContext.current().taskId());
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(draft), 1 << 16)) {
            while (records.hasNext()) {
                byte[] record = records.next();
                out.write(record);
                sum = sum.plus(TeraSum.of(record));
            }
        }
        Path part = Path.of(directory, String.format("part-%05d", partition));
        Files.move(draft, part, StandardCopyOption.ATOMIC_MOVE);
        return sum;
    }
}
