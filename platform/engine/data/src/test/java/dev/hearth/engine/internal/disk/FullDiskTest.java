package dev.hearth.engine.internal.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.compress.CompressionCodec;
import dev.hearth.engine.internal.compress.CompressionSettings;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.machine.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A full file system, on machines that let a test mount one. */
@EnabledOnOs(OS.LINUX)
class FullDiskTest {
    private static final int DISK_BYTES = 4 << 20;

    @TempDir
    Path directory;

    private SmallDisk disk;
    private Path small;
    private Path large;

    @BeforeEach
    void mount() throws Exception {
        disk = SmallDisk.in(directory, DISK_BYTES);
        small = disk.directory();
        large = Files.createDirectory(directory.resolve("large"));
    }

    @AfterEach
    void unmount() throws Exception {
        if (disk != null) { // mounting is not possible here
            disk.close();
        }
    }

    private LocalTemporaryFiles files(Path... places) {
        return LocalTemporaryFiles.of(
                new DiskSettings(List.of(places), new CompressionSettings(CompressionCodec.LZ4, true, true)),
                new FakeTicker());
    }

    private static List<List<byte[]>> noise(int megabytes) {
        Random random = new Random(1);
        List<byte[]> frames = new ArrayList<>();
        for (int n = 0; n < megabytes; n++) {
            frames.add(TemporaryFileFixture.frame(random, 1 << 20, 256));
        }
        return List.of(frames);
    }

    @Test
    void aSpillContinuesInADirectoryWithRoom() throws Exception {
        List<List<byte[]>> parts = noise(6);
        try (LocalTemporaryFiles files = files(small, large)) {
            PartitionedFile segment = TemporaryFileFixture.write(files.create("spill", 1), parts);
            assertTrue(segment.file().startsWith(large.toString()), segment.file());
            assertTrue(TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)));
            assertEquals(List.of(), TemporaryFileFixture.segments(small), "its room is given back");
            assertTrue(Files.getFileStore(small).getUsableSpace() > DISK_BYTES - (1 << 16), "but for directories");
        }
        assertEquals(List.of(), TemporaryFileFixture.below(small));
        assertEquals(List.of(), TemporaryFileFixture.below(large));
    }

    @Test
    void failsWithoutAnotherDirectoryAndRecoversWithRoom() throws Exception {
        try (LocalTemporaryFiles files = files(small)) {
            HearthException full = assertThrows(
                    HearthException.class, () -> TemporaryFileFixture.write(files.create("spill", 1), noise(6)));
            assertEquals("DISK_FAILED", full.code());
            assertTrue(full.getMessage().contains(small + ": No space left on device"), full.getMessage());
            assertEquals(List.of(), TemporaryFileFixture.segments(small));
            List<List<byte[]>> parts = noise(3);
            PartitionedFile segment = TemporaryFileFixture.write(files.create("spill", 1), parts);
            assertTrue(TemporaryFileFixture.same(parts, TemporaryFileFixture.read(segment)));
        }
        assertEquals(List.of(), TemporaryFileFixture.below(small));
    }
}
