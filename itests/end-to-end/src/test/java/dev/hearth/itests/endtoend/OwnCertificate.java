package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Base64;

/** A certificate for the loopback interface that is its own issuer, and its key, as files in PEM; and other files with secrets. */
record OwnCertificate(Path chain, Path key) {
    private static final String PASSWORD = "password";

    /** Makes {@code chain.pem} and {@code key.pem} in a directory. */
    static OwnCertificate in(Path directory) throws Exception {
        Path store = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=test",
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD,
                        "-storetype",
                        "PKCS12")
                .inheritIO()
                .start();
        assertEquals(0, keytool.waitFor());
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        return new OwnCertificate(
                pem(
                        directory,
                        "chain.pem",
                        "CERTIFICATE",
                        keys.getCertificate("a").getEncoded()),
                pem(
                        directory,
                        "key.pem",
                        "PRIVATE KEY",
                        keys.getKey("a", PASSWORD.toCharArray()).getEncoded()));
    }

    /** Writes a file that its owner alone may read. */
    static Path secret(Path directory, String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static Path pem(Path directory, String name, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return secret(directory, name, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
