package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.PrivateFiles;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Authentication and encryption of a process. With a {@code secret}, both processes of a connection prove that they
 * know it. {@code encrypted} means TLS 1.3; a secret requires TLS unless the network is trusted. Certificates come from
 * files; otherwise they are generated at start, and the proof of the secret covers them, so that a man in the middle is
 * detected. HTTP requests need {@code httpToken}.
 */
public record RpcSecurity(
        Optional<Secret> secret,
        boolean encrypted,
        boolean trustedNetwork,
        Optional<Certificates> certificates,
        Optional<Secret> httpToken,
        boolean httpAnonymous) {
    /** No authentication and no encryption; for the loopback interface. */
    public static final RpcSecurity NONE =
            new RpcSecurity(Optional.empty(), false, false, Optional.empty(), Optional.empty(), false);

    private static final SettingKey<Boolean> TRUSTED_NETWORK = SettingKey.flag(
            "hearth.rpc.trustedNetwork",
            false,
            "Whether the network is trusted: allows listening on addresses other than loopback without authentication,"
                    + " and authentication without encryption.");
    private static final SettingKey<Boolean> AUTHENTICATE = SettingKey.flag(
            "hearth.authenticate",
            false,
            "Whether both sides of a connection prove that they know the secret; implies TLS 1.3.");
    private static final SettingKey<String> SECRET = SettingKey.secret(
            "hearth.authenticate.secret", "The secret of hearth.authenticate; prefer a file or the environment.");
    private static final SettingKey<String> SECRET_FILE = SettingKey.text(
                    "hearth.authenticate.secret.file",
                    "",
                    "The file with the secret of hearth.authenticate; only its owner may have access.")
            .withoutDefault("hearth.authenticate.secret");
    private static final SettingKey<String> APPLICATION_SECRET = SettingKey.secret(
            "hearth.authenticate.applicationSecret",
            "The secret that the driver and the executors of one application share, with hearth.authenticate; a cluster"
                    + " manager puts it into the orders of the driver. A random one by default.");
    private static final SettingKey<Boolean> ENCRYPTED = SettingKey.flag(
                    "hearth.ssl.rpc.enabled", false, "Whether connections are encrypted with TLS 1.3.")
            .withoutDefault("as hearth.authenticate");
    private static final SettingKey<Boolean> SPARK_ENCRYPTION = SettingKey.flag(
            "hearth.network.crypto.enabled",
            false,
            "Spark's setting for encrypted connections: true requires that hearth.authenticate or"
                    + " hearth.ssl.rpc.enabled encrypts them; false has no effect.");
    /** Setting that names the file of {@link Certificates#chain}. */
    public static final SettingKey<String> CERTIFICATE = SettingKey.text(
                    "hearth.ssl.rpc.certChain",
                    "",
                    "The certificate chain of this process, in PEM; reloaded when it changes.")
            .withoutDefault("one generated at the start and pinned by the proof of the secret");
    /** Setting that names the file of {@link Certificates#privateKey}. */
    public static final SettingKey<String> PRIVATE_KEY = SettingKey.text(
                    "hearth.ssl.rpc.privateKey",
                    "",
                    "The key of hearth.ssl.rpc.certChain: PKCS#8 in PEM, not encrypted.")
            .withoutDefault();
    /** Setting that names the file of {@link Certificates#trusted}. */
    public static final SettingKey<String> TRUST = SettingKey.text(
                    "hearth.ssl.rpc.trustCerts",
                    "",
                    "The trusted certificates, in PEM: one must have signed the other side's chain, whose host name must"
                            + " match.")
            .withoutDefault("those trusted by the Java installation");

    private static final SettingKey<String> HTTP_TOKEN =
            SettingKey.secret("hearth.rest.token", "The bearer token required of HTTP requests.");
    private static final SettingKey<String> HTTP_TOKEN_FILE = SettingKey.text(
                    "hearth.rest.token.file", "", "The file with the bearer token; only its owner may have access.")
            .withoutDefault("hearth.rest.token");
    private static final SettingKey<Boolean> HTTP_ANONYMOUS = SettingKey.flag(
            "hearth.rest.anonymous",
            false,
            "Whether HTTP requests without a token, and without encryption, are allowed despite authentication.");
    private static final String SECRET_RULE = "a secret of " + Secret.BYTES_MIN + " bytes or more";

    static final List<SettingKey<?>> KEYS = List.of(
            TRUSTED_NETWORK,
            AUTHENTICATE,
            SECRET,
            SECRET_FILE,
            APPLICATION_SECRET,
            ENCRYPTED,
            SPARK_ENCRYPTION,
            CERTIFICATE,
            PRIVATE_KEY,
            TRUST,
            HTTP_TOKEN,
            HTTP_TOKEN_FILE,
            HTTP_ANONYMOUS);

    public RpcSecurity {
        if (secret.isPresent() && !encrypted && !trustedNetwork) {
            throw ErrorCode.BAD_SETTING.failure(
                    "hearth.ssl.rpc.enabled: false with hearth.authenticate=true (expected: true, else anyone on"
                            + " the network could read and change what is sent); or set hearth.rpc.trustedNetwork=true");
        }
        if (encrypted && secret.isEmpty() && certificates.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(
                    "hearth.ssl.rpc.enabled: true without a secret or certificates (expected: one of them, to"
                            + " authenticate the other side); set hearth.authenticate=true or hearth.ssl.rpc.certChain");
        }
    }

    static RpcSecurity read(SettingsReader in) {
        boolean authenticate = in.read(AUTHENTICATE);
        Optional<Secret> ofApplication = ofApplication(in);
        in.expect(authenticate || ofApplication.isEmpty(), APPLICATION_SECRET, "no secret without hearth.authenticate");
        Optional<Secret> secret = authenticate
                ? Optional.of(
                        secret(in, SECRET, SECRET_FILE).or(() -> ofApplication).orElseThrow(RpcSecurity::secretMissing))
                : Optional.empty();
        boolean encrypted = in.find(ENCRYPTED).orElse(authenticate);
        in.expect(
                encrypted || !in.read(SPARK_ENCRYPTION),
                SPARK_ENCRYPTION,
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

    /** Reads what a client of HTTP servers of the cluster needs. */
    static HttpAccess readAccess(SettingsReader in) {
        Optional<Path> trusted = Certificates.path(in, TRUST).map(Path::of);
        boolean encrypted = in.find(ENCRYPTED).orElse(in.read(AUTHENTICATE)) || trusted.isPresent();
        return new HttpAccess(secret(in, HTTP_TOKEN, HTTP_TOKEN_FILE), encrypted, trusted, in.read(TRUSTED_NETWORK));
    }

    /** Copy of this configuration with the secret {@code other}, or without a secret if {@code other} is empty. */
    public RpcSecurity withSecret(Optional<Secret> other) {
        return new RpcSecurity(other, encrypted, trustedNetwork, certificates, httpToken, httpAnonymous);
    }

    /**
     * Copy of {@code settings} with {@code secret} as the secret of processes, in place of any secret or secret file
     * set there.
     */
    public static Settings withSecret(Settings settings, Secret secret) {
        return settings.with("driver", SECRET_FILE.name(), "").with("driver", SECRET.name(), secret.reveal());
    }

    /**
     * Secret that a driver with {@code settings} shares with its executors: the given secret of the application, or
     * else a random one. Empty without authentication.
     */
    public Optional<Secret> secretForTasks(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Optional<Secret> given = ofApplication(in);
        in.finish();
        return secret.map(ofProcess -> given.orElseGet(Secret::random));
    }

    /**
     * Copy of {@code settings} for processes that run tasks: with the secret of their application, if it has one, and
     * without the cluster's secret and token.
     */
    public static Settings forTasks(Settings settings, Optional<Secret> secret) {
        Settings changed = settings.with("driver", withheldFromTasks(settings)).without(APPLICATION_SECRET.name());
        return secret.map(own -> withSecret(changed, own)).orElse(changed);
    }

    /**
     * Settings to put over {@code settings}, so that processes that run tasks do not get the cluster's secret and HTTP
     * token; empty if neither is set. A random token replaces the cluster's token: without any token, a process without
     * a secret serves every HTTP request.
     */
    public static Map<String, String> withheldFromTasks(Settings settings) {
        Map<String, String> hidden = new LinkedHashMap<>();
        if (isSet(settings, SECRET) || isSet(settings, SECRET_FILE)) {
            hidden.put(SECRET_FILE.name(), "");
            hidden.put(SECRET.name(), "");
        }
        if (isSet(settings, HTTP_TOKEN) || isSet(settings, HTTP_TOKEN_FILE)) {
            hidden.put(HTTP_TOKEN_FILE.name(), "");
            hidden.put(HTTP_TOKEN.name(), Secret.random().reveal());
        }
        return hidden;
    }

    /**
     * Copy of {@code driver}, the settings of a driver whose user cannot read the secret files of this process. The
     * secret and the HTTP token themselves replace the names of these files; a token that {@code driver} sets is kept.
     */
    public Settings withoutFiles(Settings driver) {
        Settings known = secret.map(own -> withSecret(driver, own)).orElse(driver);
        boolean hasToken =
                known.find(HTTP_TOKEN.name()).filter(text -> !text.isBlank()).isPresent();
        Settings without = hasToken || httpToken.isPresent() ? known.with("worker", HTTP_TOKEN_FILE.name(), "") : known;
        return hasToken
                ? without
                : httpToken
                        .map(token -> without.with("worker", HTTP_TOKEN.name(), token.reveal()))
                        .orElse(without);
    }

    private static boolean isSet(Settings settings, SettingKey<String> key) {
        return settings.origin(key.name()).isPresent();
    }

    /**
     * Whether a process with this configuration may listen at {@code listen}: if it authenticates peers, if the network
     * is trusted, or if only its own machine can connect.
     */
    boolean admitsStrangersOn(RpcSettings.Listen listen) {
        return secret.isPresent() || trustedNetwork || listen.isLoopback();
    }

    private static RuntimeException secretMissing() {
        return ErrorCode.BAD_SETTING.failure("hearth.authenticate: true without a secret (expected: " + SECRET_FILE
                + ", or HEARTH_AUTHENTICATE_SECRET in the environment)");
    }

    private static Optional<Secret> ofApplication(SettingsReader in) {
        return in.find(APPLICATION_SECRET).map(text -> secret(text.strip(), APPLICATION_SECRET, SECRET_RULE));
    }

    /**
     * The secret in the file that setting {@code fileKey} names, or else in setting {@code key}; empty if neither is
     * set. Refuses an empty secret, which would leave the process unprotected without notice.
     */
    private static Optional<Secret> secret(SettingsReader in, SettingKey<String> key, SettingKey<String> fileKey) {
        Optional<String> name = in.find(fileKey);
        Optional<Path> file = name.filter(text -> !text.isBlank()).map(Path::of);
        Optional<String> value = file.isPresent() ? file.map(path -> content(path, fileKey)) : in.find(key);
        boolean ofFile = file.isPresent() || value.isEmpty();
        if (value.isEmpty() && name.isEmpty()) {
            return Optional.empty();
        }
        String rule = value.isEmpty() ? "the path of a file" : SECRET_RULE;
        return Optional.of(secret(value.orElse("").strip(), ofFile ? fileKey : key, rule));
    }

    /** The secret {@code text} of setting {@code key}; refuses one that is empty, with {@code rule}, or too short. */
    private static Secret secret(String text, SettingKey<String> key, String rule) {
        if (text.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(
                    key + ": empty (expected: " + rule + "); leave the setting out to have none");
        }
        try {
            return Secret.of(text);
        } catch (IllegalArgumentException tooShort) {
            throw ErrorCode.BAD_SETTING.failure(key + ": " + tooShort.getMessage(), tooShort);
        }
    }

    private static String content(Path file, SettingKey<String> key) {
        try {
            if (!PrivateFiles.isPrivate(file)) {
                throw ErrorCode.BAD_SETTING.failure(key + ": other users have access to the file " + file
                        + " (expected: " + PrivateFiles.RULE + "); run chmod 600 on it");
            }
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw ErrorCode.BAD_SETTING.failure(
                    key + ": " + file + " does not exist (expected: a file with the secret); create it, mode 0600",
                    missing);
        } catch (IOException unreadable) {
            throw ErrorCode.BAD_SETTING.failure(
                    key + ": " + file + " cannot be read, " + unreadable + " (expected: a file with the secret)",
                    unreadable);
        }
    }

    /**
     * PEM files for TLS: the certificate chain of this process, its private key, and the certificates that it trusts.
     */
    public record Certificates(Path chain, Path privateKey, Optional<Path> trusted) {
        private static Optional<Certificates> read(SettingsReader in) {
            Optional<String> chain = path(in, CERTIFICATE);
            Optional<String> key = path(in, PRIVATE_KEY);
            Optional<String> trust = path(in, TRUST);
            in.expect(
                    chain.isPresent() == key.isPresent(),
                    chain.isPresent() ? PRIVATE_KEY : CERTIFICATE,
                    "a certificate and its key, or neither");
            in.expect(
                    key.isEmpty() || PrivateFiles.isPrivate(Path.of(key.get())),
                    PRIVATE_KEY,
                    "a file that only its owner may access, of mode 0600");
            return chain.isEmpty() || key.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Certificates(Path.of(chain.get()), Path.of(key.get()), trust.map(Path::of)));
        }

        /**
         * Path of the file that setting {@code key} names; empty if the setting is not set. A blank value counts as an
         * error: if it were ignored, the process would trust other certificates than the user meant.
         */
        static Optional<String> path(SettingsReader in, SettingKey<String> key) {
            Optional<String> given = in.find(key);
            in.expect(given.isEmpty() || !given.get().isBlank(), key, "the path of a file, or no such setting");
            return given.filter(name -> !name.isBlank());
        }
    }
}
