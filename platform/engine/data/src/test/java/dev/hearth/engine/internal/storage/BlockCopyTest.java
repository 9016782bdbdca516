package dev.hearth.engine.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Pair;
import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.disk.ReceivedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of blocks between processes: as pages or as files. */
class BlockCopyTest {
    private static final BlockId BLOCK = new BlockId(4, 2);
    private static final long MEBIBYTE = 1 << 20;

    @TempDir
    Path directory;

    /** Numbers, then pairs, then mutable values: several types of columns, followed by serialised pages. */
    private static Object[] elements() {
        List<@Nullable Object> all = new ArrayList<>();
        IntStream.range(0, 5000).forEach(all::add);
        IntStream.range(0, 5000).forEach(i -> all.add(new Pair<>("key " + i, (long) i)));
        all.add(null);
        IntStream.range(0, 500).forEach(i -> all.add(new ArrayList<>(List.of(i, "changes"))));
        return all.toArray();
    }

    private static int send(TestingBlockStore from, BlockWriter into) {
        BlockInfo view = from.blocks.view(BLOCK).orElseThrow();
        int pages = 0;
        BlockPage page = new BlockPage(new byte[0], 0, 0, 0, false);
        while (!page.last()) {
            page = from.blocks
                    .page(BLOCK, view.version(), page.chunk(), page.index())
                    .orElseThrow();
            pages++;
            if (page.records() > 0) {
                into.addPage(page.bytes(), page.records());
            }
        }
        into.finish();
        assertEquals(view.records(), into.records());
        return pages;
    }

    private TestingBlockStore blocks(String name, long bytes) {
        return new TestingBlockStore(bytes, directory.resolve(name));
    }

    @ParameterizedTest
    @EnumSource(
            value = StorageLevel.class,
            names = {"MEMORY_ONLY_2", "MEMORY_ONLY_SER_2", "MEMORY_AND_DISK_2"})
    void travelInPagesAndAreCachedSerialised(StorageLevel level) {
        try (TestingBlockStore from = blocks("from", 2 * MEBIBYTE);
                TestingBlockStore to = blocks("to", 16 * MEBIBYTE)) {
            from.keep(BLOCK, level, elements());
            BlockWriter copy = to.blocks.receive(BLOCK, level);
            assertTrue(send(from, copy) > 2);
            assertTrue(copy.publish());
            assertEquals(Arrays.asList(elements()), to.read(BLOCK).orElseThrow());
            assertTrue(to.isInMemory(BLOCK));
        }
    }

    @Test
    void continueOnDiskWithoutMemory() {
        try (TestingBlockStore from = blocks("from", 16 * MEBIBYTE);
                TestingBlockStore to = blocks("to", 1 << 15)) {
            from.keep(BLOCK, StorageLevel.MEMORY_AND_DISK_2, elements());
            BlockWriter copy = to.blocks.receive(BLOCK, StorageLevel.MEMORY_AND_DISK_2);
            send(from, copy);
            assertTrue(copy.publish());
            assertFalse(to.isInMemory(BLOCK));
            assertEquals(Arrays.asList(elements()), to.read(BLOCK).orElseThrow());
        }
    }

    @Test
    void areAbandonedWithoutMemoryAndDisk() {
        try (TestingBlockStore from = blocks("from", 16 * MEBIBYTE);
                TestingBlockStore to = blocks("to", 1 << 15)) {
            from.keep(BLOCK, StorageLevel.MEMORY_ONLY_2, elements());
            BlockWriter copy = to.blocks.receive(BLOCK, StorageLevel.MEMORY_ONLY_2);
            send(from, copy);
            assertTrue(copy.isClosed() && !copy.isWhole());
            assertFalse(copy.publish());
            assertEquals(Optional.empty(), to.read(BLOCK));
            assertEquals(0, to.blocks.memoryBytes());
        }
    }

    @Test
    void aPageLargerThanTheMemoryIsNotTaken() {
        try (TestingBlockStore to = blocks("to", MEBIBYTE)) {
            BlockWriter copy = to.blocks.receive(BLOCK, StorageLevel.MEMORY_ONLY_SER);
            copy.addPage(new byte[4 * (int) MEBIBYTE], 1);
            assertTrue(copy.isClosed() && !copy.isWhole());
            copy.discard();
        }
    }

    @Test
    void pagesBelongToOneVersion() {
        try (TestingBlockStore from = blocks("from", 16 * MEBIBYTE)) {
            from.keep(BLOCK, StorageLevel.MEMORY_AND_DISK, elements());
            BlockInfo before = from.blocks.view(BLOCK).orElseThrow();
            assertEquals(Optional.empty(), before.fileSegment());
            assertTrue(from.blocks.evict(MEBIBYTE) > 0);
            assertEquals(Optional.empty(), from.blocks.page(BLOCK, before.version(), 0, 0));
            BlockInfo after = from.blocks.view(BLOCK).orElseThrow();
            assertTrue(after.fileSegment().isPresent());
            assertNotEquals(before.version(), after.version());
            assertEquals(Optional.empty(), from.blocks.page(BLOCK, after.version(), 0, 0), "it comes as a file");
            from.blocks.remove(BLOCK.dataset());
            assertEquals(Optional.empty(), from.blocks.view(BLOCK));
            from.keep(BLOCK, StorageLevel.MEMORY_AND_DISK, elements());
            assertEquals(Optional.empty(), from.blocks.page(BLOCK, before.version(), 0, 0), "computed again");
        }
    }

    @Test
    void copiedFilesAreReadable() throws Exception {
        try (TestingBlockStore from = blocks("from", 16 * MEBIBYTE);
                TestingBlockStore to = blocks("to", 16 * MEBIBYTE)) {
            from.keep(BLOCK, StorageLevel.DISK_ONLY_2, elements());
            BlockInfo view = from.blocks.view(BLOCK).orElseThrow();
            byte[] bytes =
                    Files.readAllBytes(Path.of(view.fileSegment().orElseThrow().file()));
            byte[] part =
                    Arrays.copyOf(bytes, (int) view.fileSegment().orElseThrow().bytes());
            ReceivedFile file = to.files.receive("a test");
            file.write(part, part.length);
            BlockWriter copy = to.blocks.receive(BLOCK, StorageLevel.DISK_ONLY_2);
            copy.finishWith(file.part(view.fileSegment().orElseThrow()), view.records());
            from.blocks.remove(BLOCK.dataset());
            assertTrue(copy.publish());
            assertEquals(Arrays.asList(elements()), to.read(BLOCK).orElseThrow());
            to.blocks.remove(BLOCK.dataset());
            assertEquals(0, to.files.bytes());
        }
    }

    @Test
    void unpublishedCopiesAreReleasedAfterReading() {
        try (TestingBlockStore from = blocks("from", 16 * MEBIBYTE);
                TestingBlockStore to = blocks("to", 16 * MEBIBYTE)) {
            from.keep(BLOCK, StorageLevel.MEMORY_ONLY, elements());
            long free = to.memory.storageUsed();
            BlockWriter copy = to.blocks.receive(BLOCK, StorageLevel.MEMORY_AND_DISK_SER);
            send(from, copy);
            List<@Nullable Object> read = new ArrayList<>();
            try (BlockIterator lent = to.blocks.lend(copy, () -> {})) {
                copy.discard(); // as the waiting reader does
                lent.forEachRemaining(read::add);
            }
            assertEquals(Arrays.asList(elements()), read);
            assertFalse(to.isKept(BLOCK));
            assertEquals(free, to.memory.storageUsed());
        }
    }
}
