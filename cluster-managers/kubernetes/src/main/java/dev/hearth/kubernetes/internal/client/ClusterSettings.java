package dev.hearth.kubernetes.internal.client;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Which API server is used, and with which credentials; the names are those of Spark. Immutable. */
public record ClusterSettings(
        Optional<String> context,
        Optional<String> namespace,
        boolean trustAll,
        Duration requestTimeout,
        Duration connectTimeout,
        Optional<String> caFile,
        Optional<String> keyFile,
        Optional<String> certificateFile,
        Optional<String> token,
        Optional<String> tokenFile) {
    private static final String PREFIX = "hearth.kubernetes.";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final SettingKey<String> CONTEXT = SettingKey.text(
                    PREFIX + "context", "", "Context of the kubeconfig file that names the cluster and the user.")
            .withoutDefault("the current context");
    private static final SettingKey<String> NAMESPACE = SettingKey.text(
                    PREFIX + "namespace", "", "Namespace of the pods.")
            .obeying(
                    "a name of small letters, digits and hyphens",
                    text -> text.isEmpty() || text.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"))
            .withoutDefault("that of the context, else default");
    private static final SettingKey<Boolean> TRUST = SettingKey.flag(
            PREFIX + "trust.certificates",
            false,
            "Whether any certificate of an API server is accepted; for tests alone.");
    private static final SettingKey<Duration> REQUEST_TIMEOUT = SettingKey.durationInMillis(
            PREFIX + "driver.requestTimeout", TIMEOUT, Duration.ofMillis(1), "Time for one request to the API server.");
    private static final SettingKey<Duration> CONNECT_TIMEOUT = SettingKey.durationInMillis(
            PREFIX + "driver.connectionTimeout",
            TIMEOUT,
            Duration.ofMillis(1),
            "Time for a connection to the API server.");
    private static final SettingKey<String> CA_FILE =
            file("caCertFile", "certificates that the API server's must be signed with");
    private static final SettingKey<String> KEY_FILE = file("clientKeyFile", "client's private key");
    private static final SettingKey<String> CERTIFICATE_FILE = file("clientCertFile", "client's certificate");
    private static final SettingKey<String> TOKEN_FILE = file("oauthTokenFile", "token, read again for each request");
    private static final SettingKey<String> TOKEN =
            SettingKey.secret(PREFIX + "authenticate.oauthToken", "Token for the API server; prefer a file.");

    /** The declared settings. */
    public static final List<SettingKey<?>> KEYS = List.of(
            CONTEXT,
            NAMESPACE,
            TRUST,
            REQUEST_TIMEOUT,
            CONNECT_TIMEOUT,
            CA_FILE,
            KEY_FILE,
            CERTIFICATE_FILE,
            TOKEN_FILE,
            TOKEN);

    /** Reads the settings; fails with {@code BAD_SETTING}. */
    public static ClusterSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ClusterSettings read = read(in);
        in.finish();
        return read;
    }

    /** As {@link #from}; {@code in} records the problems. */
    public static ClusterSettings read(SettingsReader in) {
        return new ClusterSettings(
                given(in, CONTEXT),
                given(in, NAMESPACE),
                in.read(TRUST),
                in.read(REQUEST_TIMEOUT),
                in.read(CONNECT_TIMEOUT),
                given(in, CA_FILE),
                given(in, KEY_FILE),
                given(in, CERTIFICATE_FILE),
                given(in, TOKEN),
                given(in, TOKEN_FILE));
    }

    @Override
    public String toString() {
        return "context " + context.orElse("current") + ", namespace " + namespace.orElse("of the context");
    }

    private static Optional<String> given(SettingsReader in, SettingKey<String> key) {
        return in.find(key).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static SettingKey<String> file(String name, String words) {
        return SettingKey.text(PREFIX + "authenticate." + name, "", "File with the " + words + ".")
                .withoutDefault("what the kubeconfig file or the pod's account says");
    }
}
