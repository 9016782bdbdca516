package dev.hearth.engine.internal.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileSplitterTest {
    private static final FileSettings SETTINGS = FileSettings.DEFAULTS;
    private static final FileSettings WITH_EMPTY = new FileSettings(false, false, false, false, 100, 10);
    private static final long BLOCK = FileSplitter.BLOCK_BYTES;

    private static List<Long> lengths(List<FileSplit> parts) {
        return parts.stream().map(FileSplit::length).toList();
    }

    @Test
    void cutsIntoTheRequestedNumberOfSplits() {
        List<FileSplit> parts = FileSplitter.cut(List.of(new InputFile("a", 100), new InputFile("b", 50)), 3, SETTINGS);
        assertEquals(List.of(new FileSplit("a", 0, 50), new FileSplit("a", 50, 100), new FileSplit("b", 0, 50)), parts);
    }

    @Test
    void addsASmallRemainderToTheLastSplit() {
        assertEquals(List.of(52L, 53L), lengths(FileSplitter.cut(List.of(new InputFile("a", 105)), 2, SETTINGS)));
        assertEquals(List.of(1L, 1L, 1L), lengths(FileSplitter.cut(List.of(new InputFile("a", 3)), 5, SETTINGS)));
    }

    @Test
    void cutsARemainderOfMoreThanATenthOfASplit() {
        long tenth = BLOCK / 10;
        assertEquals(
                List.of(BLOCK, BLOCK + tenth),
                lengths(FileSplitter.cut(List.of(new InputFile("a", 2 * BLOCK + tenth)), 1, SETTINGS)));
        assertEquals(
                List.of(BLOCK, BLOCK, tenth + 1),
                lengths(FileSplitter.cut(List.of(new InputFile("a", 2 * BLOCK + tenth + 1)), 1, SETTINGS)));
    }

    @Test
    void limitsSplitsToTheBlockSize() {
        List<FileSplit> parts = FileSplitter.cut(List.of(new InputFile("a", 3 * BLOCK + BLOCK / 20)), 1, SETTINGS);
        assertEquals(List.of(BLOCK, BLOCK, BLOCK + BLOCK / 20), lengths(parts));
        assertEquals(2 * BLOCK, parts.get(2).from());
    }

    @Test
    void doesNotCutCompressedFiles() {
        for (String name : List.of("a.gz", "a.zst", "a.lz4", "a.bz2", "a.deflate")) {
            assertEquals(
                    List.of(new FileSplit(name, 0, 5 * BLOCK)),
                    FileSplitter.cut(List.of(new InputFile(name, 5 * BLOCK)), 9, SETTINGS));
        }
    }

    @Test
    void skipsEmptyFilesUnlessConfigured() {
        List<InputFile> files = List.of(new InputFile("a", 0), new InputFile("b", 7));
        assertEquals(List.of(new FileSplit("b", 0, 7)), FileSplitter.cut(files, 1, SETTINGS));
        assertEquals(
                List.of(new FileSplit("a", 0, 0), new FileSplit("b", 0, 7)), FileSplitter.cut(files, 1, WITH_EMPTY));
    }

    @Test
    void cutsBetweenRecords() {
        List<FileSplit> parts =
                FileSplitter.cutRecords(List.of(new InputFile("a", 3 * (BLOCK / 1000 + 1) * 1000)), 1000, SETTINGS);
        for (FileSplit part : parts) {
            assertEquals(0, part.from() % 1000);
            assertEquals(0, part.length() % 1000);
        }
        HearthException refused = assertThrows(
                HearthException.class,
                () -> FileSplitter.cutRecords(List.of(new InputFile("a", 1001)), 1000, SETTINGS));
        assertEquals(
                "file a: 1001 bytes (expected: a multiple of the record length, 1000 bytes)", refused.getMessage());
        assertThrows(HearthException.class, () -> FileSplitter.cutRecords(List.of(), 0, SETTINGS));
    }

    @Test
    void groupsSmallWholeFiles() {
        InputFile empty = new InputFile("e", 0);
        InputFile small = new InputFile("s", 30);
        InputFile large = new InputFile("l", 500);
        assertEquals(
                List.of(List.of(empty, small, large), List.of(small)),
                FileSplitter.wholeTexts(List.of(empty, small, large, small), 2));
        assertEquals(List.of(List.of(empty)), FileSplitter.wholeTexts(List.of(empty), 2));
        assertEquals(List.of(), FileSplitter.wholeTexts(List.of(), 2));
        assertEquals(
                List.of(List.of(small, small, small, small), List.of(large), List.of(small)),
                FileSplitter.wholeBytes(List.of(small, small, small, small, large, small), 1, WITH_EMPTY));
        assertEquals(
                List.of(List.of(small), List.of(small)), FileSplitter.wholeBytes(List.of(small, small), 4, WITH_EMPTY));
    }
}
