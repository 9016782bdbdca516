package dev.hearth.engine.internal.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.testkit.storage.MemoryFileStores;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FileHostsTest {
    private static final String FILE = "mem://test/file";

    private final MemoryFileStores memory = new MemoryFileStores(10);
    private final OpenStores stores = TestingStores.with(memory);

    @BeforeEach
    void write() throws IOException {
        memory.write(FILE, new byte[35]);
    }

    private static FileSplit split(long from, long until) {
        return new FileSplit(FILE, from, until);
    }

    @Test
    void ordersTheHostsOfASplitByTheBytesThatTheyStore() {
        memory.hosts(block -> List.of("host-" + block, "all"));
        assertEquals(
                List.of(List.of("all", "host-0"), List.of("all", "host-1", "host-0"), List.of("all", "host-3")),
                FileHosts.of(List.of(List.of(split(0, 10)), List.of(split(9, 20)), List.of(split(30, 35))), stores));
    }

    @Test
    void addsTheSplitsOfAPartitionAndKeepsTheBestHosts() {
        memory.hosts(block -> List.of("a" + block, "localhost"));
        assertEquals(
                List.of(List.of("a0", "a1", "a2")),
                FileHosts.of(List.of(List.of(split(0, 10), split(10, 18), split(20, 27), split(30, 31))), stores));
        assertEquals(
                1,
                memory.operations().stream()
                        .filter(operation -> operation.startsWith("blocks"))
                        .count(),
                "one question for each file");
    }

    @Test
    void hasNoneForLocalFilesForStoresWithoutHostsAndAfterAFailure() {
        assertEquals(List.of(), FileHosts.of(List.of(List.of(new FileSplit("/a", 0, 9))), stores));
        assertEquals(List.of(), FileHosts.of(List.of(List.of(split(0, 9))), stores), "blocks without hosts");
        memory.hosts(block -> List.of("host"));
        memory.refuse(file -> true);
        assertEquals(List.of(), FileHosts.of(List.of(List.of(split(0, 9))), stores));
    }

    @Test
    void cutsFilesWithBlocksAtMostIntoTheirBlocks() {
        List<InputFile> files = InputPaths.find(FILE, new InputAccess(FileSettings.DEFAULTS, stores));
        assertEquals(
                List.of(split(0, 10), split(10, 20), split(20, 30), split(30, 35)),
                FileSplitter.cut(files, 1, FileSettings.DEFAULTS));
        assertEquals(
                List.of(split(0, 7), split(7, 14), split(14, 21), split(21, 28), split(28, 35)),
                FileSplitter.cutRecords(files, 7, FileSettings.DEFAULTS));
    }
}
