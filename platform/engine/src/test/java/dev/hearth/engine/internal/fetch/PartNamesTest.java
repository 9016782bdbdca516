package dev.hearth.engine.internal.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.disk.SegmentPart;
import dev.hearth.engine.internal.protocol.BlockProtocol.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How streams of parts are called. */
class PartNamesTest {
    private static final int CHARS_MAX = 1_000; // of a stream's name, less what stands before it

    private static Part part(int map) {
        return new Part(map, 1, new SegmentPart("/file", map, 0, 0, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aNameSaysWhichPartsAndIsNeverTooLong(long seed) {
        Random random = new Random(seed);
        int steps = 1 << random.nextInt(24);
        List<Part> parts = new ArrayList<>();
        int map = random.nextInt(steps);
        while (parts.isEmpty() || PartNames.takesMore(parts, map)) {
            parts.add(part(map));
            map += 1 + random.nextInt(steps);
        }
        String name = PartNames.name(Integer.MAX_VALUE / 10, Integer.MAX_VALUE / 10, parts);
        assertTrue(name.length() <= CHARS_MAX, name);
        PartNames.Wanted wanted = PartNames.read(name).orElseThrow();
        assertEquals(parts.stream().map(Part::map).toList(), wanted.maps());
        assertEquals(Integer.MAX_VALUE / 10, wanted.shuffle());
        assertEquals(Integer.MAX_VALUE / 10, wanted.reader());
    }

    @Test
    void manyNeighboursHaveRoomInOneName() {
        List<Part> parts = new ArrayList<>();
        for (int map = 100_000; PartNames.takesMore(parts, map); map += 2) {
            parts.add(part(map));
        }
        assertTrue(parts.size() > 256, () -> parts.size() + " parts");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1", "1/2", "1/2/", "1/2/-", "1/2/a-", "1/2/A", "x/2/3", "1/2/3/4", "1/2/zzzzzz-zzzzzz"})
    void whatIsNoNameAsksForNothing(String name) {
        assertEquals(Optional.empty(), PartNames.read(name));
    }

    @Test
    void otherFilesHaveOtherTags() {
        SegmentPart one = new SegmentPart("/one", 5, 0, 0, 10);
        SegmentPart again = new SegmentPart("/one", 6, 0, 0, 10);
        SegmentPart longer = new SegmentPart("/one", 5, 0, 0, 11);
        assertEquals(PartNames.tag(List.of(one)), PartNames.tag(List.of(one)));
        assertNotEquals(PartNames.tag(List.of(one)), PartNames.tag(List.of(again)));
        assertNotEquals(PartNames.tag(List.of(one)), PartNames.tag(List.of(longer)));
        assertNotEquals(PartNames.tag(List.of(one, again)), PartNames.tag(List.of(again, one)));
    }
}
