package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Checks that the code on docs/http.md is that of a compiled and tested class. */
class HttpPageTest {
    private static final String EXAMPLE = "platform/rpc/src/test/java/dev/hearth/rpc/internal/http/ExampleHandler.java";

    @Test
    void showsTheExampleAsItIs() {
        String code = Repository.text(Repository.ROOT.resolve(EXAMPLE)).strip();
        assertTrue(
                Document.read("docs/http.md").contains("```java\n" + code + "\n```\n"),
                "docs/http.md: does not show " + EXAMPLE
                        + " as it is (expected: a block with its text); copy it there");
    }
}
