package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.spi.id.SubmissionId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Matches the ids of submissions against patterns. */
class SubmissionPatternTest {
    @ParameterizedTest(name = "{0} matches {1}: {2}")
    @CsvSource({
        "driver-1, driver-1, true",
        "driver-1, driver-10, false",
        "driver-*, driver-10, true",
        "driver-*, driver-, true",
        "driver-*, dribble-1, false",
        "*-1, driver-1-1, true",
        "*-1, driver-1-2, false",
        "ns:pi-*-driver, ns:pi-1-2-driver, true",
        "ns:pi-*-driver, other:pi-1-driver, false",
        "d?iver-?, driver-1, true",
        "d?iver-?, driver-12, false",
        "*, anything, true",
        "a*b*c, a-b-b-c, true",
        "a*b*c, a-c-b, false"
    })
    void matchesAnyCharactersAtAStar(String pattern, String id, boolean matches) {
        assertEquals(matches, new SubmissionPattern(pattern).matches(new SubmissionId(id)));
    }

    @Test
    void standsForOneSubmissionWithoutWildcards() {
        assertEquals(Optional.of(new SubmissionId("driver-1")), new SubmissionPattern("driver-1").single());
        assertEquals(Optional.empty(), new SubmissionPattern("driver-*").single());
        assertEquals(Optional.empty(), new SubmissionPattern("driver-?").single());
    }

    @Test
    void takesNamesOfPodsWithTheirNamespace() {
        String pod = "n".repeat(63) + ":" + "p".repeat(253);
        assertEquals(pod, new SubmissionPattern(pod).single().orElseThrow().value());
        assertThrows(IllegalArgumentException.class, () -> new SubmissionPattern("p".repeat(321)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "../x", "a/b", "[ab]"})
    void refusesWhatCanMatchNoId(String text) {
        assertThrows(IllegalArgumentException.class, () -> new SubmissionPattern(text));
    }
}
