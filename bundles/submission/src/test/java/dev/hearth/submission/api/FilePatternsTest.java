package dev.hearth.submission.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilePatternsTest {
    @TempDir
    private Path base;

    @BeforeEach
    void makeFiles() throws IOException {
        for (String name :
                List.of("b.jar", "a.jar", ".hidden.jar", "[x].txt", "sub/c.jar", "sub2/c.jar", "sub2/d.txt")) {
            Path file = base.resolve(name);
            Files.createDirectories(file.getParent());
            Files.createFile(file);
        }
        Files.createSymbolicLink(base.resolve("link.jar"), base.resolve("none"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*.jar         | a.jar b.jar link.jar",
                "?.jar         | a.jar b.jar",
                "[ab].jar      | a.jar b.jar",
                "{b,z}.jar     | b.jar",
                ".*.jar        | .hidden.jar",
                "sub*/c.jar    | sub/c.jar sub2/c.jar",
                "*/*           | sub/c.jar sub2/c.jar sub2/d.txt",
                "*.jar/x       | ''",
                "none*         | ''",
                "a.jar         | a.jar",
                "none.jar      | none.jar",
                "[x].txt       | [x].txt",
            })
    void findsFilesInTheOrderOfTheirNames(String pattern, String expected) {
        List<String> found = FilePatterns.files("test", base.resolve(pattern)).stream()
                .map(file -> base.relativize(file).toString())
                .toList();
        assertEquals(expected, String.join(" ", found));
    }

    @Test
    void refusesAMalformedPattern() {
        HearthException refused =
                assertThrows(HearthException.class, () -> FilePatterns.files("jar 'x'", base.resolve("{a*.jar")));
        assertEquals("BAD_ARGUMENT", refused.code());
        assertTrue(String.valueOf(refused.getMessage()).startsWith("jar 'x': "), refused::getMessage);
    }
}
