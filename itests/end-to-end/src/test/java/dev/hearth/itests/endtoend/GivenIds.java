package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ids of drivers in the order in which masters have given them. */
final class GivenIds {
    private static final Pattern PARTS = Pattern.compile("driver-(\\d{14})-(\\d{4,})");

    private GivenIds() {}

    /** Requires that no id was given twice, that their numbers grow, and that their times never go back. */
    static void requireInOrder(List<String> ids) {
        assertEquals(ids.size(), new HashSet<>(ids).size(), () -> "given twice: " + ids);
        String stamp = "";
        long number = -1;
        for (String id : ids) {
            Matcher parts = PARTS.matcher(id);
            assertTrue(parts.matches(), id);
            assertTrue(parts.group(1).compareTo(stamp) >= 0, () -> "times go back: " + ids);
            assertTrue(Long.parseLong(parts.group(2)) > number, () -> "numbers do not grow: " + ids);
            stamp = parts.group(1);
            number = Long.parseLong(parts.group(2));
        }
    }
}
