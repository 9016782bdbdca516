package dev.hearth.engine.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.FileSegment;
import dev.hearth.spi.shuffle.MapOutputDirectory;
import dev.hearth.spi.shuffle.MapOutputIndex;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsAnswer;
import dev.hearth.spi.shuffle.SegmentProtocol.SegmentsQuestion;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments that an executor locates by the index files of its host's shuffle service. */
class HostOutputsTest {
    private static final ExecutorId SERVICE = ShuffleServiceOrders.holderOf("worker");
    private static final int SHUFFLE = 2;
    private static final int FEW = 256;

    @TempDir
    private Path scratch;

    private HostOutputs outputs() {
        return new HostOutputs(SERVICE, new MapOutputDirectory(scratch));
    }

    private void write(int map, byte[] bytes) throws IOException {
        Path index = new MapOutputDirectory(scratch).index(SHUFFLE, map);
        Files.createDirectories(index.getParent());
        Files.write(index, bytes);
    }

    @Test
    void locatesSegmentsAndSaysWhatIsMissing() throws IOException {
        MapOutputIndex index =
                new MapOutputIndex(Optional.of("/file"), 9, 40, 0, new long[] {0, 10, 10}, new int[] {3, 0});
        write(1, index.encoded());
        write(2, new byte[] {1, 2, 3});
        SegmentsAnswer answer = outputs().answer(new SegmentsQuestion(SHUFFLE, 0, List.of(0, 1, 2)));
        assertEquals(List.of(new SegmentLocation(1, 3, new FileSegment("/file", 9, 0, 0, 10))), answer.parts());
        assertEquals(List.of(0, 2), answer.missing());
        assertTrue(answer.why().contains("NoSuchFile"), answer.why());
        SegmentsAnswer other = outputs().answer(new SegmentsQuestion(SHUFFLE, 1, List.of(1)));
        assertEquals(List.of(), other.parts());
        assertEquals(List.of(), other.missing());
    }

    @Test
    void leavesOtherHoldersAndLongQuestionsToTheService() {
        List<Integer> few = IntStream.range(0, FEW).boxed().toList();
        List<Integer> many = IntStream.range(0, FEW + 1).boxed().toList();
        assertTrue(outputs().answers(SERVICE, new SegmentsQuestion(SHUFFLE, 0, few)));
        assertFalse(outputs().answers(SERVICE, new SegmentsQuestion(SHUFFLE, 0, many)));
        assertFalse(outputs().answers(new ExecutorId("1"), new SegmentsQuestion(SHUFFLE, 0, few)));
    }
}
