package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.process.OutputFiles;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RolledFileTest {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final byte[] LINES =
            "a line of output, which ends here\n".repeat(1_500).getBytes(StandardCharsets.UTF_8);

    private final FakeTicker ticker = new FakeTicker();
    private final List<Runnable> disk = new ArrayList<>();

    @TempDir
    Path directory;

    @Test
    void keepsNoMoreAndNoLargerFilesThanItsBoundsAndRollsAtALineEnd() throws IOException {
        RolledFile file = open(new OutputFiles(1, 2, Optional.empty(), false));
        for (int i = 0; i < 100; i++) {
            file.append(LINES, LINES.length, 0);
            assertTrue(sizeOfAll() <= 3 * MEBIBYTE, "three files of a mebibyte");
        }
        file.append("last\n".getBytes(StandardCharsets.UTF_8), 5, 0);
        file.close();
        assertEquals(List.of("stdout", "stdout.3", "stdout.4"), names());
        assertTrue(Files.readString(directory.resolve("stdout")).endsWith("last\n"));
        assertTrue(Files.readString(directory.resolve("stdout.4")).endsWith("ends here\n"));
        assertTrue(Files.readString(directory.resolve("stdout")).startsWith("a line"));
    }

    @Test
    void appendsToWhatAnEarlierProcessHasWritten() throws IOException {
        OutputFiles bounds = new OutputFiles(1, 2, Optional.empty(), false);
        for (String attempt : List.of("first\n", "second\n")) {
            RolledFile file = open(bounds);
            file.append(attempt.getBytes(StandardCharsets.UTF_8), attempt.length(), 0);
            file.close();
        }
        assertEquals("first\nsecond\n", Files.readString(directory.resolve("stdout")));
        RolledFile third = open(bounds);
        for (int i = 0; i < 25; i++) {
            third.append(LINES, LINES.length, 0);
        }
        third.close();
        assertEquals(List.of("stdout", "stdout.1"), names());
        assertTrue(Files.size(directory.resolve("stdout.1")) <= MEBIBYTE, "with what was there before");
        assertTrue(Files.readString(directory.resolve("stdout.1")).startsWith("first\nsecond\na line"));
    }

    @Test
    void cutsALineThatIsLongerThanAFile() throws IOException {
        RolledFile file = open(new OutputFiles(1, 2, Optional.empty(), false));
        byte[] endless = new byte[64 * 1024];
        for (int i = 0; i < 40; i++) {
            file.append(endless, endless.length, 0);
        }
        file.close();
        assertEquals(List.of("stdout", "stdout.1", "stdout.2"), names());
        assertEquals(40L * endless.length, sizeOfAll());
    }

    @Test
    void rollsAFileThatIsOldWhateverItsSize() throws IOException {
        RolledFile file = open(new OutputFiles(1, 2, Optional.of(Duration.ofHours(1)), false));
        for (int hour = 0; hour < 5; hour++) {
            file.append(LINES, LINES.length, 0);
            ticker.advance(Duration.ofHours(1));
        }
        file.close();
        assertEquals(List.of("stdout", "stdout.3", "stdout.4"), names());
    }

    @Test
    void compressesRolledFilesOnAnotherThread() throws IOException {
        RolledFile file = open(new OutputFiles(1, 2, Optional.empty(), true));
        for (int i = 0; i < 100; i++) {
            file.append(LINES, LINES.length, 0);
            disk.forEach(Runnable::run);
            disk.clear();
        }
        file.close();
        assertEquals(List.of("stdout", "stdout.3.gz", "stdout.4.gz"), names());
        try (InputStream in = new GZIPInputStream(Files.newInputStream(directory.resolve("stdout.4.gz")))) {
            assertTrue(new String(in.readAllBytes(), StandardCharsets.UTF_8).endsWith("ends here\n"));
        }
    }

    @Test
    void belongsToItsOwnerOnly() throws IOException {
        RolledFile file = open(new OutputFiles(1, 2, Optional.empty(), false));
        for (int i = 0; i < 30; i++) {
            file.append(LINES, LINES.length, 0);
        }
        file.close();
        for (String name : names()) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name))),
                    name);
        }
    }

    @Test
    void statesHowMuchIsMissing() throws IOException {
        RolledFile file = open(new OutputFiles(1, 2, Optional.empty(), false));
        file.append("a\n".getBytes(StandardCharsets.UTF_8), 2, 0);
        file.append("b\n".getBytes(StandardCharsets.UTF_8), 2, 12);
        file.append(new byte[0], 0, 3);
        file.close();
        assertEquals("""
                a

                [hearth: 12 bytes of output are missing here: the disk was too slow]
                b

                [hearth: 3 bytes of output are missing here: the disk was too slow]
                """, Files.readString(directory.resolve("stdout")));
    }

    private RolledFile open(OutputFiles bounds) throws IOException {
        return new RolledFile(directory.resolve("stdout"), bounds, ticker, disk::add);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private long sizeOfAll() throws IOException {
        long size = 0;
        for (String name : names()) {
            size += Files.size(directory.resolve(name));
        }
        return size;
    }
}
