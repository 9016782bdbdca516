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

/**
 * Reads and writes files of records in a directory that all tasks share. A record has 100 bytes; the first 10 are its
 * key.
 */
final class TeraRecords {
    private static final int RECORD_BYTES = 100;
    private static final int KEY_BYTES = 10;

    private TeraRecords() {}

    /**
     * Generates the record of a row. It is deterministic, so that every attempt of a task generates the same records.
     */
    static byte[] record(long row) {
        byte[] record = new byte[RECORD_BYTES];
        new SplittableRandom(row).nextBytes(record);
        return record;
    }

    /** The key as text with one character per byte, so that keys compare like arrays of unsigned bytes. */
    static String key(byte[] record) {
        return new String(record, 0, KEY_BYTES, StandardCharsets.ISO_8859_1);
    }

    static Rdd<byte[]> read(HearthContext context, String directory) {
        return context.binaryRecords(directory, RECORD_BYTES);
    }

    /**
     * Writes one file per partition. A task attempt renames its finished file atomically, so that concurrent attempts
     * leave one complete file.
     */
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
