package dev.hearth.kubernetes.internal.kubeconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plug-ins as processes. */
@Timeout(60)
class ExecRunTest {
    private static final String VERSION = "client.authentication.k8s.io/v1";

    @TempDir
    private Path directory;

    private static ExecPlugin plugin(String command, String hint, String... arguments) {
        return new ExecPlugin(
                "me", VERSION, command, List.of(arguments), Map.of("A", "b c"), hint, "{\"server\":\"s\"}");
    }

    private static ExecCredential run(String script) throws IOException, InterruptedException {
        return ExecRun.run(plugin("bash", "", "-c", script), ExecRun.TIME_MAX);
    }

    private static String failure(String script) {
        String words = assertThrows(IOException.class, () -> run(script)).getMessage();
        assertFalse(words.contains("\n"), words);
        assertTrue(words.startsWith("exec plug-in 'bash' of user 'me': "), words);
        return words.substring("exec plug-in 'bash' of user 'me': ".length());
    }

    private static String printing(String status) {
        return "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"" + VERSION + "\",\"new\":1,\"status\":" + status
                + "}'";
    }

    @Test
    void readsTokensAndCertificates() throws Exception {
        assertEquals(
                new ExecCredential("t", "", "", Optional.of(Instant.parse("2026-01-01T00:00:00Z"))),
                run(printing("{\"token\":\"t\",\"expirationTimestamp\":\"2026-01-01T01:00:00+01:00\"}")));
        ExecCredential pair = run(printing("{\"clientCertificateData\":\"c\",\"clientKeyData\":\"k\"}"));
        assertEquals(new ExecCredential("", "c", "k", Optional.empty()), pair);
        assertEquals("credential", pair.toString());
    }

    @Test
    void tellsThePluginAboutItsCaller() throws Exception {
        ExecCredential told = run("[ -z \"$(cat)\" ] && info=${KUBERNETES_EXEC_INFO//\\\"/+} && "
                + printing("{\"token\":\"'\"$A $info\"'\"}"));
        assertEquals(
                "b c {+kind+:+ExecCredential+,+apiVersion+:+" + VERSION
                        + "+,+spec+:{+interactive+:false,+cluster+:{+server+:+s+}}}",
                told.token());
    }

    @Test
    void saysInOneLineWhyThePluginFails() {
        assertEquals(
                "exit status 3, first; second (expected: 0); run it by hand",
                failure("echo first >&2; echo; echo '  second' >&2; exit 3"));
        assertEquals("exit status 1 (expected: 0); run it by hand", failure("exit 1"));
        String words = failure("head -c 100000 /dev/zero | tr '\\0' x >&2; echo end >&2; exit 1");
        assertTrue(words.length() < 700, words);
    }

    @Test
    void saysHowToInstallAPluginThatIsMissing() {
        IOException missing = assertThrows(
                IOException.class,
                () -> ExecRun.run(plugin("no-such-plugin", "Install it:\n  brew install it\n"), ExecRun.TIME_MAX));
        assertEquals(
                "exec plug-in 'no-such-plugin' of user 'me': cannot be run (expected: a program in PATH, or a path);"
                        + " Install it:; brew install it",
                missing.getMessage());
    }

    @Test
    void refusesOutputWithoutShowingIt() {
        assertEquals("its output is no JSON (expected: an ExecCredential)", failure("echo s3cret; echo {"));
        assertEquals(
                "its output has no credential (expected: a token, or a certificate and its key)",
                failure(printing("{}")));
        assertEquals(
                "its output has a certificate or a key alone (expected: both)",
                failure(printing("{\"clientCertificateData\":\"c\"}")));
        assertEquals(
                "its output has the expirationTimestamp 'soon' (expected: a time as in RFC 3339)",
                failure(printing("{\"token\":\"s3cret\",\"expirationTimestamp\":\"soon\"}")));
        assertTrue(
                failure("echo '{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}'").startsWith("its output is of kind 'Pod'"));
        assertEquals("its output is no JSON (expected: an ExecCredential)", failure("head -c 3000000 /dev/zero"));
    }

    @Test
    void endsAPluginAndItsChildrenAfterTheirTime() throws Exception {
        Path pid = directory.resolve("pid");
        IOException late = assertThrows(
                IOException.class,
                () -> ExecRun.run(
                        plugin("bash", "", "-c", "echo stuck >&2; sleep 1000 & echo $! > " + pid + "; wait"),
                        Duration.ofSeconds(1)));
        assertTrue(late.getMessage().contains("no answer within 1 s"), late::getMessage);
        long child = Long.parseLong(Files.readString(pid).strip());
        Eventually.until(
                "the end of the child",
                () -> ProcessHandle.of(child).map(process -> !process.isAlive()).orElse(true),
                Duration.ofSeconds(30));
    }
}
