package dev.hearth.engine.internal.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HashPartitioner;
import dev.hearth.api.HearthException;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.shuffle.MapOutputDirectory;
import dev.hearth.spi.shuffle.MapOutputIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hands map outputs over to a directory that outlives their executor, in which one index per map task counts. */
class MapOutputAdopterTest {
    private static final int SHUFFLE = 3;
    private static final int MAP = 7;
    private static final int REDUCERS = 4;
    private static final int RECORDS = 40;
    private static final long MEMORY_BYTES = 64 << 20;

    @TempDir
    private Path scratch;

    private TestingShuffleServices services;
    private ShuffleStore store;
    private MapOutputDirectory directory;
    private MapOutputAdopter adopter;

    @BeforeEach
    void open() {
        services = new Served(scratch.resolve("local"));
        store = new ShuffleStore(services);
        directory = new MapOutputDirectory(scratch.resolve("worker"));
        adopter = new MapOutputAdopter(directory, new ExecutorId("1"));
    }

    @AfterEach
    void close() {
        services.close();
    }

    private static final class Served extends TestingShuffleServices {
        Served(Path files) {
            super(MEMORY_BYTES, files);
        }

        @Override
        public boolean isServed() {
            return true;
        }
    }

    private MapOutput output(int records) throws Exception {
        try (ShuffleWriter writer = new ShuffleWriter(
                store, services.task(), SHUFFLE, MAP, REDUCERS, Optional.of(new HashPartitioner(REDUCERS)))) {
            for (int key = 0; key < records; key++) {
                writer.pair(key, (long) key);
            }
            return writer.finish();
        }
    }

    private MapOutputIndex index() throws IOException {
        return MapOutputIndex.decode(Files.readAllBytes(directory.index(SHUFFLE, MAP)));
    }

    private List<Path> indexFiles() throws IOException {
        try (Stream<Path> all = Files.list(directory.indexes(SHUFFLE))) {
            return all.toList();
        }
    }

    @Test
    void describesEverySegment() throws Exception {
        MapOutput output = output(RECORDS);
        adopter.draft(output, 0).publish();
        MapOutputIndex index = index();
        assertEquals(RECORDS, IntStream.of(index.records()).sum());
        Path file = Path.of(index.file().orElseThrow());
        assertEquals(Files.size(file), index.fileBytes());
        for (int reducer = 0; reducer < REDUCERS; reducer++) {
            FileSegment segment = index.segment(reducer).orElseThrow();
            assertTrue(segment.bytes() > 0 && segment.offset() + segment.bytes() <= index.fileBytes());
        }
        assertEquals(List.of(directory.index(SHUFFLE, MAP)), indexFiles(), "no draft is left");
    }

    @Test
    void leavesTheFileWhenItsExecutorEnds() throws Exception {
        MapOutput output = output(RECORDS);
        adopter.draft(output, 0).publish();
        assertEquals(0, services.files().bytes(), "the file counts no more");
        output.delete();
        assertTrue(Files.exists(Path.of(index().file().orElseThrow())));
    }

    @Test
    void describesAnOutputWithoutRecords() throws Exception {
        adopter.draft(output(0), 0).publish();
        assertEquals(Optional.empty(), index().segment(0));
        assertArrayEquals(new int[REDUCERS], index().records());
    }

    @Test
    void showsNothingBeforeItsTaskHasSucceeded() throws Exception {
        MapOutputAdopter.Draft draft = adopter.draft(output(RECORDS), 0);
        assertFalse(Files.exists(directory.index(SHUFFLE, MAP)));
        draft.discard();
        assertEquals(List.of(), indexFiles());
        assertEquals(List.of(), services.segments());
    }

    @Test
    void keepsTheFirstOfTwoAttempts() throws Exception {
        adopter.draft(output(RECORDS), 0).publish();
        MapOutputIndex first = index();
        MapOutputAdopter other = new MapOutputAdopter(directory, new ExecutorId("2"));
        other.draft(output(RECORDS), 0).publish();
        assertEquals(first.fileId(), index().fileId());
        assertEquals(1, services.segments().size(), "the file of the other attempt is deleted");
        assertEquals(1, indexFiles().size());
    }

    @Test
    void replacesTheOutputOfAnEarlierRun() throws Exception {
        adopter.draft(output(RECORDS), 5).publish();
        Path former = Path.of(index().file().orElseThrow());
        adopter.draft(output(RECORDS), 6).publish();
        assertEquals(6, index().run());
        assertFalse(Files.exists(former));
        adopter.draft(output(RECORDS), 5).publish();
        assertEquals(6, index().run(), "a late attempt of the earlier run");
        assertEquals(1, services.segments().size());
    }

    @Test
    void replacesAnOutputWhoseFileIsGoneOrCutShort() throws Exception {
        adopter.draft(output(RECORDS), 0).publish();
        MapOutputIndex lost = index();
        Files.delete(Path.of(lost.file().orElseThrow()));
        adopter.draft(output(RECORDS), 0).publish();
        MapOutputIndex next = index();
        assertTrue(next.fileId() != lost.fileId());
        Files.writeString(Path.of(next.file().orElseThrow()), "cut");
        adopter.draft(output(RECORDS), 0).publish();
        assertTrue(index().fileId() != next.fileId());
    }

    @Test
    void replacesAnIndexThatIsDamaged() throws Exception {
        Files.createDirectories(directory.indexes(SHUFFLE));
        Files.writeString(directory.index(SHUFFLE, MAP), "damaged");
        adopter.draft(output(RECORDS), 0).publish();
        assertEquals(RECORDS, IntStream.of(index().records()).sum());
    }

    @Test
    void saysWhyAnIndexCannotBeWritten() throws Exception {
        Files.createDirectories(directory.indexes().getParent());
        Files.writeString(directory.indexes(), "in the way");
        MapOutput output = output(RECORDS);
        HearthException failure = assertThrows(HearthException.class, () -> adopter.draft(output, 0));
        assertEquals("DISK_FAILED", failure.code());
        output.delete();
    }

    @Test
    void deletesWhatItCannotHandOver() throws Exception {
        MapOutputAdopter.Draft draft = adopter.draft(output(RECORDS), 0);
        for (Path file : indexFiles()) {
            Files.delete(file);
        }
        Files.delete(directory.indexes(SHUFFLE));
        draft.publish();
        assertEquals(List.of(), services.segments());
    }
}
