package dev.hearth.engine.internal.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.testkit.storage.TestingFiles;
import dev.hearth.testkit.storage.TestingPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass(name = "{0}")
@EnumSource
class InputPathsTest extends FilesFixture {
    private static final FileSettings SETTINGS = FileSettings.DEFAULTS;
    private static final FileSettings RECURSIVE = new FileSettings(false, false, true, true, 1, 1);
    private static final FileSettings IGNORING = new FileSettings(true, false, true, false, 1, 1);

    @BeforeEach
    void write() throws IOException {
        for (String name : List.of(
                "flat/b.txt",
                "flat/a.txt",
                "flat/c.log",
                "flat/_SUCCESS",
                "flat/.crc",
                "deep/x/1.txt",
                "deep/y/2.txt",
                "deep/_temporary/3.txt",
                "odd/sp ace,{[1]}.txt",
                "odd/100%.txt",
                "odd/x-y.txt",
                "odd/x^y.txt")) {
            TestingPath file = home.resolve(name);
            TestingFiles.createDirectories(file.getParent());
            TestingFiles.writeString(file, name);
        }
    }

    private List<String> find(String paths, FileSettings settings) {
        return InputPaths.find(paths, access(settings), home.name()).stream()
                .map(file -> Path.of(home.relativize(file.path())).normalize().toString())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "flat/a.txt | flat/a.txt",
                "flat | flat/a.txt;flat/b.txt;flat/c.log",
                "flat/ | flat/a.txt;flat/b.txt;flat/c.log",
                "flat/_SUCCESS | flat/_SUCCESS",
                "flat/*.txt | flat/a.txt;flat/b.txt",
                "flat/?.txt | flat/a.txt;flat/b.txt",
                "flat/[a-b].* | flat/a.txt;flat/b.txt",
                "flat/[^a-b].* | flat/c.log",
                "flat/[!a].txt | flat/b.txt",
                "flat/{c.log,a.txt} | flat/a.txt;flat/c.log",
                "{flat/c*,deep/{y,x}} | deep/x/1.txt;deep/y/2.txt;flat/c.log",
                "flat/{a,a*}.txt | flat/a.txt",
                "flat/b.txt,flat/a.txt,flat/b.txt | flat/b.txt;flat/a.txt;flat/b.txt",
                "deep/*/*.txt | deep/x/1.txt;deep/y/2.txt",
                "deep/[x-z] | deep/x/1.txt;deep/y/2.txt",
                "deep/_*/* | deep/_temporary/3.txt",
                "flat/../flat/a.txt | flat/a.txt",
                "odd/*[1]* | odd/100%.txt;odd/sp ace,{[1]}.txt",
                "odd/*\\[1\\]* | odd/sp ace,{[1]}.txt",
                "odd/x[-^]y.txt | odd/x-y.txt;odd/x^y.txt",
                "odd/sp ace\\,\\{\\[1\\]\\}.txt | odd/sp ace,{[1]}.txt"
            })
    void findsTheFilesOfAPath(String paths, String expected) {
        assertEquals(List.of(expected.split(";")), find(paths, SETTINGS));
    }

    @Test
    void readsUris() throws IOException {
        String path = home.name().path();
        List<String> bases = home.isLocal()
                ? List.of("file:" + path, "file://" + path, "FILE://localhost" + path)
                : List.of("mem://test" + path, "MEM://test" + path);
        for (String uri : bases) {
            assertEquals(List.of("flat/a.txt", "flat/b.txt"), find(uri + "/flat/*.txt", SETTINGS));
        }
        String base = bases.get(0);
        String encoded = "/odd/sp%20ace%2C%7B%5B1%5D%7D.txt";
        assertEquals(List.of("odd/sp ace,{[1]}.txt"), find(base + encoded, SETTINGS));
        assertEquals(List.of("odd/100%.txt"), find(base + "/odd/100%.txt", SETTINGS));
        TestingFiles.writeString(home.resolve("odd/gr\u00FCn.txt"), "x");
        assertEquals(List.of("odd/gr\u00FCn.txt"), find(base + "/odd/gr%C3%BCn.txt", SETTINGS));
    }

    @Test
    void takesAPatternLiterallyIfNothingMatches() throws IOException {
        TestingFiles.writeString(home.resolve("run[7].txt"), "x");
        assertEquals(List.of("run[7].txt"), find("run[7].txt", SETTINGS));
    }

    @Test
    void includesSubdirectoriesOnlyIfConfigured() {
        assertEquals(List.of("deep/x/1.txt", "deep/y/2.txt"), find("deep", RECURSIVE));
        refused("BAD_ARGUMENT", "contains the directory x (expected: files alone)", "deep");
    }

    @Test
    void refusesCyclicLinks() throws IOException {
        if (!home.isLocal()) {
            return; // only local files have links
        }
        Files.createSymbolicLink(temporary.resolve("deep/x/up"), temporary.resolve("deep"));
        HearthException refused = assertThrows(HearthException.class, () -> find("deep", RECURSIVE));
        assertTrue(refused.getMessage().contains("a link leads back to"), refused.getMessage());
    }

    @Test
    void reportsMissingPathsUnlessIgnored() throws IOException {
        refused("PATH_MISSING", "input path 'none.txt': no such file or directory", "none.txt");
        refused("PATH_MISSING", "input path 'flat/*.csv': matches no file", "flat/a.txt,flat/*.csv");
        refused("PATH_MISSING", "input path 'flat/a.txt/b': no such", "flat/a.txt/b");
        assertEquals(List.of("flat/a.txt"), find("none/*,flat/a.txt", IGNORING));
        if (home.isLocal()) {
            Files.createSymbolicLink(temporary.resolve("flat/broken"), temporary.resolve("nowhere"));
            refused("PATH_MISSING", "flat/broken", "flat");
            assertEquals(3, find("flat", IGNORING).size());
        }
    }

    @Test
    void refusesInvalidPaths() {
        refused("BAD_ARGUMENT", "an empty entry", "flat,,deep");
        refused("BAD_ARGUMENT", "an empty entry", "");
        refused("BAD_ARGUMENT", "a bracket is not closed (expected: '}' later on)", "flat/{a,b");
        refused("BAD_ARGUMENT", "a bracket is not closed (expected: ']' later on)", "flat/[ab");
        refused("BAD_ARGUMENT", "the range b-a", "flat/[b-a]");
        refused("NO_PROVIDER", "file store for scheme 'hdfs': not installed", "hdfs://host/x");
        refused("BAD_ARGUMENT", "no path on this host", "file://host/x");
        refused("BAD_ARGUMENT", "neither a file nor a directory", "file:/dev/null");
        refused("BAD_ARGUMENT", "alternatives", "{a,b,c,d,e,f,g,h,i,j}".repeat(6));
        refused("BAD_ARGUMENT", "path of this system", "a\u0000b");
    }

    private void refused(String code, String text, String paths) {
        HearthException refused = assertThrows(HearthException.class, () -> find(paths, SETTINGS));
        assertEquals(code, refused.code(), refused.getMessage());
        assertTrue(refused.getMessage().contains(text), refused.getMessage());
    }
}
