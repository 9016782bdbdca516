package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Generates, sorts and checks {@code hearth.tera.records} records in heaps of 1 GB. With {@code -Pnightly} 2 GB. */
@Timeout(900)
@EnabledIfSystemProperty(named = "hearth.tera.records", matches = "[0-9]+")
class TeraSortIT {
    private static final int RECORD_BYTES = 100;
    private static final int KEY_BYTES = 10;

    @TempDir
    Path scratch;

    @Test
    void sortsMoreThanItsMemoryHolds() throws Exception {
        Installation installation = Installation.in(scratch);
        String records = System.getProperty("hearth.tera.records");
        Path made = scratch.resolve("made");
        Path sorted = scratch.resolve("sorted");
        String sum = output(installation, "TeraGenerate", made.toString(), records);
        assertTrue(sum.startsWith(records + "\t"), sum);
        assertEquals(sum, output(installation, "TeraSort", made.toString(), sorted.toString()));
        assertEquals(sum, output(installation, "TeraValidate", sorted.toString(), records));
        assertEquals(Long.parseLong(records), inOrder(sorted));
    }

    /** Reads the output files in order, as bytes; returns the number of records. */
    private static long inOrder(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(directory)) {
            files = found.sorted().toList();
        }
        long records = 0;
        byte[] before = new byte[KEY_BYTES];
        for (Path file : files) {
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
                for (byte[] record = in.readNBytes(RECORD_BYTES);
                        record.length > 0;
                        record = in.readNBytes(RECORD_BYTES)) {
                    assertEquals(RECORD_BYTES, record.length);
                    assertTrue(Arrays.compareUnsigned(before, 0, KEY_BYTES, record, 0, KEY_BYTES) <= 0);
                    before = record;
                    records++;
                }
            }
        }
        return records;
    }

    private static String output(Installation installation, String... arguments) throws Exception {
        String[] all = Stream.concat(Stream.of("--driver-memory", "1g"), Stream.of(arguments))
                .toArray(String[]::new);
        try (Launched example = installation.example(all)) {
            assertEquals(0, example.status(), example::errors);
            return example.output();
        }
    }
}
