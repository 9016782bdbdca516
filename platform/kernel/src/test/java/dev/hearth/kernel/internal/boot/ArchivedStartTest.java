package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The list of starts for which bin/hearth writes an archive of classes. */
class ArchivedStartTest {
    @Test
    void isOfOneRoleOrOfAll() {
        List<ArchivedStart> starts = ArchivedStart.parse("hearth,submit:yarn");
        assertEquals(
                List.of(
                        new ArchivedStart(Optional.empty(), "hearth"),
                        new ArchivedStart(Optional.of("submit"), "yarn")),
                starts);
        assertTrue(starts.get(0).isOf("executor"));
        assertTrue(starts.get(1).isOf("submit"));
        assertFalse(starts.get(1).isOf("driver"));
    }

    @Test
    void isNoneWithoutAnArchive() {
        assertEquals(List.of(), ArchivedStart.parse(""));
    }
}
