package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Completion in a zsh at a pseudo terminal. Without zsh it is skipped, or fails if the system property {@code
 * hearth.zsh.required} is true, as with {@code -Pnightly}.
 *
 * <p>Keys are typed only while the line editor of zsh reads them: its hook says when it begins, and one edited line
 * serves all cases. Between lines zsh switches the terminal to another mode, and Ctrl-C discards pending input and ends
 * completions that still run, so that keys typed then are lost.
 */
@Timeout(60)
class ZshCompletionIT {
    private static final String REQUIRED = "hearth.zsh.required";
    private static final String PROMPT = "zsh> ";
    private static final String READS_KEYS = "zle reads keys";
    private static final String DISCARD_LINE = "\025"; // Ctrl-U
    private static final String SETTINGS = """
            zle-line-init() { zle -M '%s' }
            zle -N zle-line-init
            bindkey -e # whatever EDITOR says
            bindkey '^U' kill-whole-line
            fpath=($INSTALLATION/completion $fpath)
            path=($INSTALLATION/{bin,sbin} $path)
            autoload -Uz compinit
            compinit -D -u
            PS1='%s'
            """;

    @TempDir
    Path scratch;

    @Test
    void completesAndQuotesWordsAsBashOffersThem() throws Exception {
        boolean installed = Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "zsh")));
        assertTrue(
                installed || !Boolean.getBoolean(REQUIRED),
                "zsh: not installed (expected: zsh on the path, as " + REQUIRED + " is true)");
        assumeTrue(installed, "zsh is not installed");
        Path home = Installation.in(scratch).home();
        Files.createDirectory(scratch.resolve("settings"));
        Files.writeString(scratch.resolve(".zshrc"), SETTINGS.formatted(READS_KEYS, PROMPT));
        Map<String, String> environment = Map.of(
                "HOME", scratch.toString(),
                "ZDOTDIR", scratch.toString(),
                "LC_ALL", "C.UTF-8",
                "INSTALLATION", home.toString());
        try (PseudoTerminal zsh =
                PseudoTerminal.start(40, 200, scratch, environment, List.of("zsh", "--no-global-rcs", "-i"))) {
            zsh.awaitScreen(READS_KEYS);
            zsh.awaitCursorAfter(PROMPT);
            assertCompletes(zsh, "hearth mas", "hearth master ");
            assertCompletes(zsh, "hearth master --po", "hearth master --port ");
            assertCompletes(zsh, "submit --deploy-mode cli", "submit --deploy-mode client ");
            assertCompletes(zsh, "submit --master local-", "submit --master local-cluster\\[2,1,1024\\] ");
            assertCompletes(zsh, "submit --master hearth://127.0.0.1:70", "submit --master hearth://127.0.0.1:7077 ");
            assertCompletes(zsh, "submit --conf hearth.executor.core", "submit --conf hearth.executor.cores=");
            assertCompletes(zsh, "submit --properties-file sett", "submit --properties-file settings/");
            assertCompletes(zsh, "start-worker.sh --memo", "start-worker.sh --memory ");
            assertCompletes(zsh, "run-example Pa", "run-example PageRank ");
            zsh.type("exit 4\r");
            assertEquals(4, zsh.status());
        }
    }

    private static void assertCompletes(PseudoTerminal zsh, String begun, String completed) throws Exception {
        zsh.type(begun + "\t");
        zsh.awaitCursorAfter(PROMPT + completed);
        zsh.type(DISCARD_LINE);
        zsh.awaitCursorAfter(PROMPT);
    }
}
