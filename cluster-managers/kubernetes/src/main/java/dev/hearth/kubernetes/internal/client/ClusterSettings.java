package dev.hearth.kubernetes.internal.client;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.ArrayList;
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
    private static final SettingKey<Duration> SUBMISSION_REQUEST_TIMEOUT = SettingKey.durationInMillis(
            PREFIX + "submission.requestTimeout",
            TIMEOUT,
            Duration.ofMillis(1),
            "Time for one request of a submitter to the API server.");
    private static final SettingKey<Duration> SUBMISSION_CONNECT_TIMEOUT = SettingKey.durationInMillis(
            PREFIX + "submission.connectionTimeout",
            TIMEOUT,
            Duration.ofMillis(1),
            "Time for a connection of a submitter to the API server.");

    /** The declared settings. */
    public static final List<SettingKey<?>> KEYS = keys();

    /** Reads the settings; fails with {@code BAD_SETTING}. */
    public static ClusterSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ClusterSettings read = read(in);
        in.finish();
        return read;
    }

    /** As {@link #from}; {@code in} records the problems. */
    public static ClusterSettings read(SettingsReader in) {
        return of(in, REQUEST_TIMEOUT, CONNECT_TIMEOUT, CredentialSettings.read(in, CredentialSettings.User.ANY));
    }

    /** Reads the settings of a submitter in cluster mode; {@code in} records the problems. */
    public static ClusterSettings ofSubmission(SettingsReader in) {
        CredentialSettings any = CredentialSettings.read(in, CredentialSettings.User.ANY);
        return of(
                in,
                SUBMISSION_REQUEST_TIMEOUT,
                SUBMISSION_CONNECT_TIMEOUT,
                CredentialSettings.read(in, CredentialSettings.User.SUBMISSION).or(any));
    }

    private static ClusterSettings of(
            SettingsReader in,
            SettingKey<Duration> requestTimeout,
            SettingKey<Duration> connectTimeout,
            CredentialSettings user) {
        return new ClusterSettings(
                given(in, CONTEXT),
                given(in, NAMESPACE),
                in.read(TRUST),
                in.read(requestTimeout),
                in.read(connectTimeout),
                user.caFile(),
                user.keyFile(),
                user.certificateFile(),
                user.token(),
                user.tokenFile());
    }

    /** The same settings for another namespace. */
    public ClusterSettings in(String other) {
        return new ClusterSettings(
                context,
                Optional.of(other),
                trustAll,
                requestTimeout,
                connectTimeout,
                caFile,
                keyFile,
                certificateFile,
                token,
                tokenFile);
    }

    @Override
    public String toString() {
        return "context " + context.orElse("current") + ", namespace " + namespace.orElse("of the context");
    }

    private static Optional<String> given(SettingsReader in, SettingKey<String> key) {
        return in.find(key).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static List<SettingKey<?>> keys() {
        List<SettingKey<?>> keys = new ArrayList<>(List.of(
                CONTEXT,
                NAMESPACE,
                TRUST,
                REQUEST_TIMEOUT,
                CONNECT_TIMEOUT,
                SUBMISSION_REQUEST_TIMEOUT,
                SUBMISSION_CONNECT_TIMEOUT));
        keys.addAll(CredentialSettings.allKeys());
        return List.copyOf(keys);
    }
}
