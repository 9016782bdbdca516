package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the code on docs/extending.md is that of the external plug-in, file by file, which the tests build and
 * run.
 */
class ExtendingPageTest {
    private static final String PAGE = "docs/extending.md";
    private static final String PROJECT = "itests/external-plugin";
    private static final List<String> ELSEWHERE = List.of("README.md", "pom.xml", "package-info.java");

    @Test
    void showsEveryFileOfTheExternalPluginAsItIs() throws IOException {
        String page = Document.read(PAGE);
        Path project = Repository.ROOT.resolve(PROJECT);
        List<Path> files;
        try (Stream<Path> all = Files.walk(project)) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> !ELSEWHERE.contains(file.getFileName().toString()))
                    .filter(file -> !project.relativize(file).toString().contains("target/"))
                    .toList();
        }
        assertTrue(files.size() >= 7, () -> "files of the external plug-in: " + files);
        List<String> problems = files.stream()
                .filter(file -> !isShown(page, project.relativize(file).toString(), Repository.text(file)))
                .map(file -> PAGE + ": does not show " + Repository.name(file)
                        + " as it is (expected: its path, then a block with its text); copy it there")
                .toList();
        Findings.expectNone(problems);
    }

    private static boolean isShown(String page, String path, String text) {
        int begin = page.indexOf("`" + path + "`\n```");
        return begin >= 0
                && page.indexOf("\n" + text.strip() + "\n```", begin) >= 0
                && page.substring(begin, page.indexOf(text.strip(), begin))
                                .lines()
                                .count()
                        <= 2;
    }
}
