package dev.hearth.yarn.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.yarn.internal.line.ContainerFile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes and reads lists of files. */
class StagedFilesTest {
    private static ContainerFile file(String link) {
        return new ContainerFile(
                link,
                "hdfs://nn:8020/user/al%20ice/" + link,
                12,
                1_700_000_000_000L,
                ContainerFile.Kind.ARCHIVE,
                ContainerFile.Visibility.PUBLIC);
    }

    @Test
    void readsWhatItHasWritten() {
        StagedFiles files = new StagedFiles(List.of(file("hearth"), file("frozen/a.jar"), file("my data")));
        assertEquals(files, StagedFiles.parse(files.text()));
        assertEquals(new StagedFiles(List.of()), StagedFiles.parse(""));
        assertEquals(List.of("frozen"), files.contents());
    }

    @Test
    void knowsWhetherTheConfigurationIsThere() {
        assertTrue(new StagedFiles(List.of(file("hearth"), file(StagedFiles.CONFIGURATION))).hasConfiguration());
        assertFalse(new StagedFiles(List.of(file("hearth"))).hasConfiguration());
    }

    @Test
    void refusesMalformedLinesAndANameThatOccursTwice() {
        assertThrows(HearthException.class, () -> StagedFiles.parse("ARCHIVE\tPUBLIC\tmany\t1\thearth\thdfs:/x"));
        assertThrows(HearthException.class, () -> StagedFiles.parse("ARCHIVE\tPUBLIC"));
        assertThrows(HearthException.class, () -> new StagedFiles(List.of(file("a"), file("a"))));
    }
}
