package dev.hearth.spi.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of streams of segments. */
class SegmentStreamNamesTest {
    private static final int CHARS_MAX = 1_000; // of a stream name, without its prefix

    private static SegmentLocation part(int map) {
        return new SegmentLocation(map, 1, new FileSegment("/file", map, 0, 0, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aNameListsItsSegmentsWithinTheLimit(long seed) {
        Random random = new Random(seed);
        int steps = 1 << random.nextInt(24);
        List<SegmentLocation> parts = new ArrayList<>();
        int map = random.nextInt(steps);
        while (parts.isEmpty() || SegmentStreamNames.takesMore(parts, map)) {
            parts.add(part(map));
            map += 1 + random.nextInt(steps);
        }
        String name = SegmentStreamNames.name(Integer.MAX_VALUE / 10, Integer.MAX_VALUE / 10, parts);
        assertTrue(name.length() <= CHARS_MAX, name);
        SegmentStreamNames.Wanted wanted = SegmentStreamNames.read(name).orElseThrow();
        assertEquals(parts.stream().map(SegmentLocation::map).toList(), wanted.maps());
        assertEquals(Integer.MAX_VALUE / 10, wanted.shuffle());
        assertEquals(Integer.MAX_VALUE / 10, wanted.reducer());
    }

    @Test
    void manyAdjacentMapTasksFitInOneName() {
        List<SegmentLocation> parts = new ArrayList<>();
        for (int map = 100_000; SegmentStreamNames.takesMore(parts, map); map += 2) {
            parts.add(part(map));
        }
        assertTrue(parts.size() > 256, () -> parts.size() + " parts");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1", "1/2", "1/2/", "1/2/-", "1/2/a-", "1/2/A", "x/2/3", "1/2/3/4", "1/2/zzzzzz-zzzzzz"})
    void invalidNamesAreIgnored(String name) {
        assertEquals(Optional.empty(), SegmentStreamNames.read(name));
    }

    @Test
    void differentFilesHaveDifferentTags() {
        FileSegment one = new FileSegment("/one", 5, 0, 0, 10);
        FileSegment again = new FileSegment("/one", 6, 0, 0, 10);
        FileSegment longer = new FileSegment("/one", 5, 0, 0, 11);
        assertEquals(SegmentStreamNames.tag(List.of(one)), SegmentStreamNames.tag(List.of(one)));
        assertNotEquals(SegmentStreamNames.tag(List.of(one)), SegmentStreamNames.tag(List.of(again)));
        assertNotEquals(SegmentStreamNames.tag(List.of(one)), SegmentStreamNames.tag(List.of(longer)));
        assertNotEquals(SegmentStreamNames.tag(List.of(one, again)), SegmentStreamNames.tag(List.of(again, one)));
    }
}
