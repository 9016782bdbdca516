package dev.hearth.spi.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathEntriesTest {
    @TempDir
    Path directory;

    @Test
    void splitsAndTakesLocalSchemesOff() {
        assertEquals(
                List.of("/a.jar", "/b.jar", "c", "/d/*", "/e"),
                ClassPathEntries.split("local:/a.jar:local:///b.jar: c ::file:/d/*:/e"));
        assertEquals(List.of(), ClassPathEntries.split(" "));
        assertEquals(
                List.of("hdfs://host:9/a.jar", "/b.jar", "https://host/c.jar", "lib", "/d.jar"),
                ClassPathEntries.split("hdfs://host:9/a.jar:/b.jar: https://host/c.jar:lib:/d.jar"));
        assertTrue(ClassPathEntries.isAddress("hdfs://host/a.jar"));
        assertFalse(ClassPathEntries.isAddress("local:/a.jar"));
        assertFalse(ClassPathEntries.isAddress("file:///a.jar"));
    }

    @Test
    void findsWhatIsHereAndWarnsOfTheRest() throws Exception {
        Path first = Files.writeString(directory.resolve("a.jar"), "");
        Path second = Files.writeString(directory.resolve("b.jar"), "");
        Files.writeString(directory.resolve("c.txt"), "");
        List<String> warnings = new ArrayList<>();
        assertEquals(
                List.of(directory, first, second),
                ClassPathEntries.existing(
                        "local:" + directory + ":" + directory + "/*:/nowhere/x.jar:/nowhere/*", warnings::add));
        assertEquals(2, warnings.size());
        assertEquals(
                "class path entry /nowhere/x.jar: missing (expected: a jar or directory on this machine)",
                warnings.get(0));
        assertTrue(warnings.get(1).startsWith("class path entry /nowhere/*: "), warnings::toString);
    }
}
