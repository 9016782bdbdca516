package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who may talk to a process, and whether others can read along. With {@code secret} both sides of a connection prove that
 * they know it; {@code encrypted} says TLS 1.3, which a secret implies unless the network is trusted. Certificates are
 * those of files, or each process makes one that the proof pins. HTTP takes {@code httpToken}.
 */
public record RpcSecurity(
        Optional<Secret> secret,
        boolean encrypted,
        boolean trustedNetwork,
        Optional<Certificates> certificates,
        Optional<Secret> httpToken,
        boolean httpAnonymous) {
    /** Nobody proves anything, nothing is encrypted: for the loopback interface. */
    public static final RpcSecurity NONE =
            new RpcSecurity(Optional.empty(), false, false, Optional.empty(), Optional.empty(), false);

    private static final SettingKey<Boolean> TRUSTED_NETWORK = SettingKey.flag(
            "hearth.rpc.trustedNetwork",
            false,
            "Whether everybody on the network may be trusted: allows listening on other addresses than loopback without"
                    + " authentication, and authentication without encryption.");
    private static final SettingKey<Boolean> AUTHENTICATE = SettingKey.flag(
            "hearth.authenticate",
            false,
            "Whether both sides of a connection prove that they know the secret; implies TLS 1.3.");
    private static final SettingKey<String> SECRET = SettingKey.secret(
            "hearth.authenticate.secret", "The secret of hearth.authenticate; rather use a file or the environment.");
    private static final SettingKey<String> SECRET_FILE = SettingKey.text(
                    "hearth.authenticate.secret.file",
                    "",
                    "The file that the secret of hearth.authenticate stands in; only its owner may read it.")
            .withoutDefault("hearth.authenticate.secret");
    private static final SettingKey<Boolean> ENCRYPTED = SettingKey.flag(
                    "hearth.ssl.rpc.enabled", false, "Whether connections are encrypted with TLS 1.3.")
            .withoutDefault("as hearth.authenticate");
    private static final SettingKey<Boolean> FIELDS_ENCRYPTION = SettingKey.flag(
            "hearth.network.crypto.enabled",
            false,
            "The field's word for encrypted connections: true demands that hearth.authenticate or"
                    + " hearth.ssl.rpc.enabled sees to that; false changes nothing.");
    /** Where {@link Certificates#chain} is named. */
    public static final SettingKey<String> CERTIFICATE = SettingKey.text(
                    "hearth.ssl.rpc.certChain",
                    "",
                    "The certificate of this process and those above it, in PEM; read again when it changes.")
            .withoutDefault("one made at the start, which the proof of the secret pins");
    /** Where {@link Certificates#privateKey} is named. */
    public static final SettingKey<String> PRIVATE_KEY = SettingKey.text(
                    "hearth.ssl.rpc.privateKey",
                    "",
                    "The key of hearth.ssl.rpc.certChain: PKCS#8 in PEM, not encrypted.")
            .withoutDefault();
    /** Where {@link Certificates#trusted} is named. */
    public static final SettingKey<String> TRUST = SettingKey.text(
                    "hearth.ssl.rpc.trustCerts",
                    "",
                    "The certificates, in PEM, of which one has to stand above that of the other side, whose host name has"
                            + " to match.")
            .withoutDefault("those the Java installation trusts");

    private static final SettingKey<String> HTTP_TOKEN =
            SettingKey.secret("hearth.rest.token", "The bearer token that HTTP requests have to carry.");
    private static final SettingKey<String> HTTP_TOKEN_FILE = SettingKey.text(
                    "hearth.rest.token.file",
                    "",
                    "The file that the bearer token stands in; only its owner may read it.")
            .withoutDefault("hearth.rest.token");
    private static final SettingKey<Boolean> HTTP_ANONYMOUS = SettingKey.flag(
            "hearth.rest.anonymous",
            false,
            "Whether HTTP requests without a token are answered although there is authentication.");
    static final List<SettingKey<?>> KEYS = List.of(
            TRUSTED_NETWORK,
            AUTHENTICATE,
            SECRET,
            SECRET_FILE,
            ENCRYPTED,
            FIELDS_ENCRYPTION,
            CERTIFICATE,
            PRIVATE_KEY,
            TRUST,
            HTTP_TOKEN,
            HTTP_TOKEN_FILE,
            HTTP_ANONYMOUS);

    public RpcSecurity {
        if (secret.isPresent() && !encrypted && !trustedNetwork) {
            throw ErrorCode.BAD_SETTING.failure(
                    "hearth.ssl.rpc.enabled: false with hearth.authenticate=true (expected: true, as everybody on the way"
                            + " could read and change what is sent); or set hearth.rpc.trustedNetwork=true");
        }
        if (encrypted && secret.isEmpty() && certificates.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(
                    "hearth.ssl.rpc.enabled: true without a secret or certificates (expected: one of them, or nobody knows"
                            + " who is at the other end); set hearth.authenticate=true or hearth.ssl.rpc.certChain");
        }
    }

    static RpcSecurity read(SettingsReader in) {
        boolean authenticate = in.read(AUTHENTICATE);
        Optional<Secret> secret = authenticate
                ? Optional.of(secret(in, SECRET, SECRET_FILE).orElseThrow(RpcSecurity::secretMissing))
                : Optional.empty();
        boolean encrypted = in.find(ENCRYPTED).orElse(authenticate);
        in.expect(
                encrypted || !in.read(FIELDS_ENCRYPTION),
                FIELDS_ENCRYPTION,
                "false where neither hearth.authenticate nor hearth.ssl.rpc.enabled is on; set hearth.authenticate=true"
                        + " with a secret, which encrypts all connections");
        return new RpcSecurity(
                secret,
                encrypted,
                in.read(TRUSTED_NETWORK),
                Certificates.read(in),
                secret(in, HTTP_TOKEN, HTTP_TOKEN_FILE),
                in.read(HTTP_ANONYMOUS));
    }

    /** The same with another secret, or none. */
    public RpcSecurity withSecret(Optional<Secret> other) {
        return new RpcSecurity(other, encrypted, trustedNetwork, certificates, httpToken, httpAnonymous);
    }

    /** The settings of a process that is to prove {@code secret} and to know no other one. */
    public static Settings withSecret(Settings settings, Secret secret) {
        return settings.with("driver", SECRET_FILE.name(), "").with("driver", SECRET.name(), secret.reveal());
    }

    /** Whether this process may listen there: strangers are kept out, or cannot come, or are welcome. */
    boolean admitsStrangersOn(RpcSettings.Listen listen) {
        return secret.isPresent() || trustedNetwork || listen.isLoopback();
    }

    private static RuntimeException secretMissing() {
        return ErrorCode.BAD_SETTING.failure("hearth.authenticate: true without a secret (expected: " + SECRET_FILE
                + ", or HEARTH_AUTHENTICATE_SECRET in the environment)");
    }

    private static Optional<Secret> secret(SettingsReader in, SettingKey<String> key, SettingKey<String> fileKey) {
        Optional<Path> file = in.find(fileKey).filter(name -> !name.isBlank()).map(Path::of);
        String text = file.isPresent() ? content(file.get(), fileKey) : in.read(key);
        if (text.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Secret.of(text.strip()));
        } catch (IllegalArgumentException tooShort) {
            throw ErrorCode.BAD_SETTING.failure(
                    (file.isPresent() ? fileKey : key) + ": " + tooShort.getMessage(), tooShort);
        }
    }

    private static String content(Path file, SettingKey<String> key) {
        try {
            if (!isPrivate(file)) {
                throw ErrorCode.BAD_SETTING.failure(key + ": others than its owner may use the file " + file
                        + " (expected: mode 0600); run chmod 600 on it");
            }
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw ErrorCode.BAD_SETTING.failure(
                    key + ": " + file + " cannot be read, " + unreadable + " (expected: a file with the secret)",
                    unreadable);
        }
    }

    /** Whether nobody but its owner may use the file, as far as the file system tells; one that is missing is nobody's. */
    private static boolean isPrivate(Path file) {
        try {
            if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
                return true;
            }
            Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
            return rights.stream().allMatch(right -> right.name().startsWith("OWNER_"));
        } catch (IOException unreadable) {
            return true; // whoever reads it says so, with the reason
        }
    }

    /** Files in PEM: the certificate of this process with those above it, its key, and whom it trusts. */
    public record Certificates(Path chain, Path privateKey, Optional<Path> trusted) {
        private static Optional<Certificates> read(SettingsReader in) {
            Optional<String> chain = in.find(CERTIFICATE).filter(name -> !name.isBlank());
            Optional<String> key = in.find(PRIVATE_KEY).filter(name -> !name.isBlank());
            in.expect(
                    chain.isPresent() == key.isPresent(),
                    chain.isPresent() ? PRIVATE_KEY : CERTIFICATE,
                    "a certificate and its key, or neither");
            in.expect(
                    key.isEmpty() || isPrivate(Path.of(key.get())),
                    PRIVATE_KEY,
                    "a file that nobody but its owner may use, of mode 0600");
            return chain.isEmpty() || key.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Certificates(
                            Path.of(chain.get()),
                            Path.of(key.get()),
                            in.find(TRUST).filter(name -> !name.isBlank()).map(Path::of)));
        }
    }
}
