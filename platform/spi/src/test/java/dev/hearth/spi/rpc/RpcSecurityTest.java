package dev.hearth.spi.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets and certificates from settings, and the rejection of insecure combinations. */
class RpcSecurityTest {
    private static final String TEXT = "a-secret-of-sixteen-bytes-or-more";

    @TempDir
    private Path directory;

    @Test
    void aSecretImpliesEncryption() {
        RpcSecurity read = read("hearth.authenticate", "true", "hearth.authenticate.secret", TEXT);
        assertEquals(Optional.of(Secret.of(TEXT)), read.secret());
        assertTrue(read.encrypted());
        assertEquals(
                RpcSecurity.NONE,
                read("hearth.authenticate.secret", TEXT),
                "without hearth.authenticate it is not used");
    }

    @Test
    void readsASecretFromAFileThatOnlyItsOwnerMayAccess() throws Exception {
        Path file = file("secret", TEXT + "\n", "rw-------");
        String[] settings = {"hearth.authenticate", "true", "hearth.authenticate.secret.file", file.toString()};
        assertEquals(Optional.of(Secret.of(TEXT)), read(settings).secret());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        String refused = refused(settings);
        assertTrue(refused.contains("other users have access") && refused.contains("chmod 600"), refused);
        Files.delete(file);
        assertTrue(refused(settings).contains(" does not exist (expected: a file with the secret)"));
    }

    @Test
    void rejectsInsecureCombinations() {
        assertTrue(refused("hearth.authenticate", "true").contains("without a secret"));
        String plain = refused(
                "hearth.authenticate", "true", "hearth.authenticate.secret", TEXT, "hearth.ssl.rpc.enabled", "false");
        assertTrue(plain.contains("hearth.rpc.trustedNetwork=true"), plain);
        assertTrue(refused("hearth.ssl.rpc.enabled", "true").contains("without a secret or certificates"));
        String guessable = refused("hearth.authenticate", "true", "hearth.authenticate.secret", "too-short");
        assertTrue(guessable.contains("9 bytes (expected: 16 or more)"), guessable);
        assertFalse(guessable.contains("too-short"), "it is not shown all the same");
    }

    @Test
    void honoursOrRejectsSparksEncryptionSetting() {
        String refused = refused("spark.network.crypto.enabled", "true");
        assertTrue(refused.startsWith("hearth.network.crypto.enabled: true (expected: false where"), refused);
        assertTrue(refused.contains("hearth.authenticate=true"), refused);
        assertTrue(read(
                        "hearth.authenticate", "true",
                        "hearth.authenticate.secret", TEXT,
                        "spark.network.crypto.enabled", "true")
                .encrypted());
        assertFalse(read("spark.network.crypto.enabled", "false").encrypted());
    }

    @Test
    void aTrustedNetworkNeedsNoEncryption() {
        RpcSecurity read = read(
                "hearth.authenticate", "true",
                "hearth.authenticate.secret", TEXT,
                "hearth.ssl.rpc.enabled", "false",
                "hearth.rpc.trustedNetwork", "true");
        assertTrue(read.secret().isPresent() && !read.encrypted());
    }

    @Test
    void readsAPrivateKeyFromAFileThatOnlyItsOwnerMayAccess() throws Exception {
        Path key = file("key.pem", "", "rw-------");
        String[] settings = {
            "hearth.ssl.rpc.enabled", "true",
            "hearth.ssl.rpc.certChain", "chain.pem",
            "hearth.ssl.rpc.privateKey", key.toString()
        };
        assertEquals(
                Optional.of(new RpcSecurity.Certificates(Path.of("chain.pem"), key, Optional.empty())),
                read(settings).certificates());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        String refused = refused(settings);
        assertTrue(refused.startsWith("hearth.ssl.rpc.privateKey: ") && refused.contains("mode 0600"), refused);
        assertTrue(refused.endsWith("from --conf"), refused);
        String alone = refused("hearth.ssl.rpc.certChain", "chain.pem");
        assertTrue(alone.contains("a certificate and its key, or neither"), alone);
    }

    @Test
    void showsNoSecret() {
        RpcSecurity read = read(
                "hearth.authenticate",
                "true",
                "hearth.authenticate.secret",
                TEXT,
                "hearth.rest.token",
                TEXT + "-token");
        assertFalse(read.toString().contains(TEXT), read::toString);
        assertEquals(TEXT + "-token", read.httpToken().orElseThrow().reveal());
    }

    @Test
    void refusesAnEmptySecretInsteadOfHavingNone() throws Exception {
        assertEmpty("hearth.rest.token", "hearth.rest.token", " ");
        assertEmpty("hearth.rest.token.file", "hearth.rest.token.file", "");
        assertEmpty(
                "hearth.rest.token.file",
                "hearth.rest.token.file",
                file("token", " \n", "rw-------").toString());
        assertEmpty("hearth.authenticate.secret", "hearth.authenticate", "true", "hearth.authenticate.secret", "");
        for (String key :
                new String[] {"hearth.ssl.rpc.certChain", "hearth.ssl.rpc.privateKey", "hearth.ssl.rpc.trustCerts"}) {
            assertTrue(refused(key, " ").startsWith(key + ": "), key);
        }
    }

    private static void assertEmpty(String subject, String... settings) {
        String refused = refused(settings);
        assertTrue(refused.startsWith(subject + ": empty (expected: "), refused);
    }

    @Test
    void withholdsTheClustersSecretsFromTasks() {
        Settings cluster = Settings.empty()
                .with("--conf", "hearth.authenticate.secret.file", "f")
                .with("--conf", "hearth.authenticate.secret", TEXT)
                .with("--conf", "hearth.rest.token", TEXT)
                .with("--conf", "hearth.a", "1");
        Secret own = Secret.of("the-secret-of-the-application");
        Settings tasks = RpcSecurity.forTasks(cluster, Optional.of(own));
        assertFalse(tasks.values().containsValue(TEXT), tasks.values()::toString);
        RpcSecurity read = RpcSettings.connecting(tasks.with("--conf", "hearth.authenticate", "true"))
                .security();
        assertEquals(Optional.of(own), read.secret());
        assertTrue(read.httpToken().isPresent());
        Settings without = RpcSecurity.forTasks(cluster, Optional.empty());
        assertFalse(without.values().containsValue(TEXT), without.values()::toString);
        assertEquals(
                "{hearth.a=1}",
                RpcSecurity.forTasks(Settings.empty().with("--conf", "hearth.a", "1"), Optional.empty())
                        .values()
                        .toString());
    }

    @Test
    void prefersTheGivenSecretOfAnApplicationToARandomOne() {
        Secret own = Secret.of("the-secret-of-the-application");
        Settings given = Settings.empty()
                .with("--conf", "hearth.authenticate", "true")
                .with("--conf", "hearth.authenticate.secret", TEXT);
        RpcSecurity process = RpcSettings.connecting(given).security();
        Secret random = process.secretForTasks(given).orElseThrow();
        assertNotEquals(random, process.secretForTasks(given).orElseThrow());
        assertNotEquals(process.secret(), Optional.of(random));
        Settings orders = given.with("orders", "hearth.authenticate.applicationSecret", own.reveal());
        assertEquals(Optional.of(own), process.secretForTasks(orders));
        assertEquals(Optional.empty(), RpcSecurity.NONE.secretForTasks(orders));
        Settings tasks = RpcSecurity.forTasks(orders, Optional.of(own));
        assertEquals(Optional.empty(), tasks.find("hearth.authenticate.applicationSecret"), "sent once, as the secret");
        assertFalse(RpcSecurity.forTasks(orders, Optional.empty()).values().containsValue(own.reveal()));
        assertEquals(Optional.of("(hidden)"), orders.shown("hearth.authenticate.applicationSecret"));
    }

    @Test
    void anApplicationSecretAloneAuthenticates() {
        RpcSecurity read = read("hearth.authenticate", "true", "hearth.authenticate.applicationSecret", TEXT);
        assertEquals(Optional.of(Secret.of(TEXT)), read.secret());
        assertTrue(read.encrypted());
        assertEmpty("hearth.authenticate.applicationSecret", "hearth.authenticate.applicationSecret", " ");
        String unused = refused("hearth.authenticate.applicationSecret", TEXT);
        assertTrue(unused.contains("(expected: no secret without hearth.authenticate)"), unused);
        assertFalse(unused.contains(TEXT), unused);
        String guessable = refused("hearth.authenticate", "true", "hearth.authenticate.applicationSecret", "too-short");
        assertTrue(guessable.contains("9 bytes (expected: 16 or more)"), guessable);
    }

    private Path file(String name, String content, String rights) throws Exception {
        Path file = Files.writeString(directory.resolve(name), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    private static RpcSecurity read(String... settings) {
        Settings all = Settings.empty();
        for (int i = 0; i < settings.length; i += 2) {
            all = all.with("--conf", settings[i], settings[i + 1]);
        }
        return RpcSettings.connecting(all).security();
    }

    private static String refused(String... settings) {
        HearthException failure = assertThrows(HearthException.class, () -> read(settings));
        assertEquals("BAD_SETTING", failure.code());
        return String.valueOf(failure.getMessage());
    }
}
