package dev.hearth.hadoopclient.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults of keytabs and principals, each in one line, before any KDC is asked where that is possible. */
class KeytabLoginTest {
    private static final int VERSION = 0x0502;
    private static final short AES128 = 17;

    @TempDir
    Path directory;

    /** A keytab with one key of {@code name}. */
    private Path keytab(String name, String realm) throws IOException {
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(entry);
        out.writeShort(1);
        out.writeUTF(realm);
        out.writeUTF(name);
        out.writeInt(1);
        out.writeInt(0);
        out.writeByte(1);
        out.writeShort(AES128);
        out.writeShort(16);
        out.write(new byte[16]);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream all = new DataOutputStream(file);
        all.writeShort(VERSION);
        all.writeInt(entry.size());
        all.write(entry.toByteArray());
        return Files.write(directory.resolve("a.keytab"), file.toByteArray());
    }

    private static String refusal(String principal, Path keytab) {
        return assertThrows(HearthException.class, () -> KeytabLogin.login(principal, keytab.toString()))
                .getMessage();
    }

    @Test
    void refusesAFileThatIsMissingOrNoKeytab() throws IOException {
        assertTrue(refusal("alice", directory.resolve("none")).contains("none: does not exist (expected: "));
        assertTrue(refusal("alice", directory).contains(": cannot be read (expected: "));
        Path text = Files.writeString(directory.resolve("text"), "this is no keytab at all");
        assertTrue(refusal("alice", text).contains("text: is no keytab (expected: "));
    }

    @Test
    void refusesAPrincipalWithoutAKeyAndNamesThoseWithOne() throws IOException {
        Path keytab = keytab("alice", "EXAMPLE.COM");
        String words = refusal("carol@EXAMPLE.COM", keytab);
        assertTrue(words.startsWith("hearth.kerberos.principal: carol@EXAMPLE.COM has no key in "), words);
        assertTrue(words.contains("(expected: one of [alice@EXAMPLE.COM])"), words);
        assertTrue(refusal("alice@ELSEWHERE.COM", keytab).contains("has no key in"));
    }

    @ParameterizedTest
    @CsvSource({
        "Clock skew too great (37), BAD_SETTING, set the clock",
        "Client not found in Kerberos database (6), BAD_SETTING, check --principal",
        "Cannot locate KDC, BAD_SETTING, check the realm of --principal",
        "Cannot locate default realm, BAD_SETTING, add the realm to --principal",
        "Unable to obtain password from user, BAD_SETTING, make the keytab again",
        "Pre-authentication information was invalid (24), BAD_SETTING, make the keytab again",
        "Connection refused, CLUSTER_UNREACHABLE, check that it runs",
        "Receive timed out, CLUSTER_UNREACHABLE, check that it runs"
    })
    void saysWhatToDoAboutAnAnswerOfTheKdc(String cause, String code, String advice) {
        HearthException failure = KeytabLogin.failure(
                "alice@EXAMPLE.COM", "/a.keytab", new IOException("failure to login", new IOException(cause)));
        assertEquals(code, failure.code());
        assertTrue(
                failure.getMessage().startsWith("hearth.kerberos.principal: alice@EXAMPLE.COM: "), failure::getMessage);
        assertTrue(failure.getMessage().contains("(expected: "), failure::getMessage);
        assertTrue(failure.getMessage().contains("; " + advice), failure::getMessage);
    }

    @Test
    void repeatsWordsThatItDoesNotKnow() {
        HearthException failure =
                KeytabLogin.failure("alice", "/a.keytab", new IOException("outer", new IOException("what\nelse")));
        assertEquals("hearth.kerberos.principal: alice: what (expected: a login with /a.keytab)", failure.getMessage());
    }
}
